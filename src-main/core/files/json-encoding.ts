/** Some editors save UTF-16, or add a byte order mark to UTF-8. */
export interface DecodedText {
  text: string;
  isPlain: boolean;
}

const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * JSON starts with an ASCII character, so a zero beside it reveals the encoding. Throws TypeError for invalid bytes.
 */
export function decodeJson(bytes: Uint8Array): DecodedText {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const encoding = marked ?? unmarkedEncoding(bytes);
  return {
    text: new TextDecoder(encoding, { fatal: true }).decode(bytes),
    isPlain: marked === undefined && encoding === 'utf-8',
  };
}

function unmarkedEncoding([first, second]: Uint8Array): string {
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : 'utf-8';
}
