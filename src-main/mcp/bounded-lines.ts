import { Transform, type TransformCallback } from 'node:stream';

/** Of one message, in bytes. The largest argument is a query of 1,000 characters. */
export const LONGEST_MESSAGE = 256 * 1024;

const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Passes on the lines that are JSON objects, and names the others: the SDK skips what is no JSON without an answer, and closes the
 * connection at a message that is too long.
 */
export class BoundedLines extends Transform {
  readonly #refuse: (why: 'not_json' | 'too_large') => void;
  readonly #room: () => Promise<unknown>;
  #held: Buffer[] = [];
  #bytes = 0;
  /** Within a line that is too long: it is dropped up to its end. */
  #dropping = false;

  /** @param room resolves when there is room for the answer to another line; the next one waits for it */
  constructor(refuse: (why: 'not_json' | 'too_large') => void, room: () => Promise<unknown>) {
    super();
    this.#refuse = refuse;
    this.#room = room;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(chunk).then(() => done(), done);
  }

  async #take(chunk: Buffer): Promise<void> {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      this.#hold(rest.subarray(0, end));
      this.#endLine();
      rest = rest.subarray(end + 1);
      await this.#room();
    }
    this.#hold(rest);
  }

  #hold(part: Buffer): void {
    if (this.#dropping) return;
    this.#bytes += part.length;
    if (this.#bytes > LONGEST_MESSAGE) {
      this.#dropping = true;
      this.#held = [];
      return;
    }
    // A part of a chunk would keep the whole chunk in memory, many small parts many chunks.
    if (part.length > 0) this.#held.push(Buffer.from(part));
  }

  #endLine(): void {
    const line = this.#held.length === 0 ? EMPTY : Buffer.concat(this.#held);
    const isTooLong = this.#dropping;
    this.#held = [];
    this.#bytes = 0;
    this.#dropping = false;
    if (isTooLong) this.#refuse('too_large');
    else if (!isMessage(line)) this.#refuse('not_json');
    else this.push(Buffer.concat([line, Buffer.from([LINE_FEED])]));
  }
}

/** Whether the SDK will look at a line: an object in JSON. */
function isMessage(line: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
