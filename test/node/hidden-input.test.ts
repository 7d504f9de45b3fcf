import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StreamInput } from '../../src-main/node/shell.ts';

/** Types into a terminal that does not echo; returns what was read and the modes that were set. */
async function typed(keys: string): Promise<{ line: string | null; modes: boolean[] }> {
  const modes: boolean[] = [];
  const stream = Object.assign(Readable.from([Buffer.from(keys)]), {
    isTTY: true,
    setRawMode: (on: boolean) => modes.push(on),
  });
  const line = await new StreamInput(stream).line({ longest: 100, hidden: true });
  return { line, modes };
}

describe('a hidden line', () => {
  it.each([
    ['a\u{1F600}\u007Fb\r', 'ab'],
    ['ae\u0301\bb\r', 'ab'],
    ['a\u{1F1E9}\u{1F1EA}\u007F\u007Fb\r', 'b'],
    ['\u007Fab\r', 'ab'],
  ])('loses whole characters to backspace: %j is %j', async (keys, line) => {
    expect(await typed(keys)).toEqual({ line, modes: [true, false] });
  });

  it.each(['secret\u0003\r', 'secret\u0004\r'])('is given up by Ctrl+C and Ctrl+D: %j', async (keys) => {
    expect(await typed(keys)).toEqual({ line: null, modes: [true, false] });
  });
});
