import type { FileHandle } from 'node:fs/promises';

/** So many bytes of the shortest lines take a few ms. */
const CHUNK = 16_384;
const LINE_FEED = 0x0a;

/** Lines that are complete, and how many were too long to be read. */
export interface LinesPart {
  lines: string[];
  tooLong: number;
}

/**
 * Reads lines that end with a line feed, in parts, and no more than a part at a time is in memory. Lines without content are
 * passed over. Returns whether the file ends within a line. `size` is how much is read of a file that grows meanwhile,
 * `longest` the longest line, both in bytes.
 */
export async function* linesOf(
  handle: FileHandle,
  { size, longest }: { size: number; longest: number },
): AsyncGenerator<LinesPart, boolean> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let begun: Buffer[] = [];
  let length = 0;
  let isCut = true;
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK, size - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const part: LinesPart = { lines: [], tooLong: 0 };
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1 && end < bytesRead; end = chunk.indexOf(LINE_FEED, from)) {
      length += end - from;
      if (length > longest) part.tooLong += 1;
      else if (length > 0) part.lines.push(textOf(begun, chunk.subarray(from, end)));
      begun = [];
      length = 0;
      from = end + 1;
      while (from < bytesRead && chunk[from] === LINE_FEED) from += 1;
    }
    length += bytesRead - from;
    if (length > longest) begun = [];
    else if (bytesRead > from) begun.push(Buffer.from(chunk.subarray(from, bytesRead)));
    isCut = length > 0;
    yield part;
  }
  return isCut;
}

function textOf(begun: readonly Buffer[], end: Buffer): string {
  return (begun.length === 0 ? end : Buffer.concat([...begun, end])).toString('utf8');
}
