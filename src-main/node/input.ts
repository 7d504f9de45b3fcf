import type { Readable } from 'node:stream';

export interface LineOptions {
  longest: number;
  hidden?: boolean;
  ask?: () => Promise<void>;
}

export interface Input {
  /** True if a person types. */
  readonly isTerminal: boolean;
  /**
   * Reads the first line, without its end and at most `longest` characters; null without one, or after Ctrl+C or
   * Ctrl+D. The process reads no second line. `hidden`: not echoed, from before the prompt `ask` on.
   */
  line(options: LineOptions): Promise<string | null>;
}

interface Terminal extends Readable {
  isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
}

export class StreamInput implements Input {
  readonly #stream: Terminal;

  constructor(stream: Terminal) {
    this.#stream = stream;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  async line({ longest, hidden = false, ask }: LineOptions): Promise<string | null> {
    const raw = hidden && this.isTerminal;
    if (raw) this.#stream.setRawMode?.(true);
    try {
      await ask?.();
      return await readLine(this.#stream.setEncoding('utf8'), longest, raw);
    } finally {
      if (raw) this.#stream.setRawMode?.(false);
      this.#stream.pause();
    }
  }
}

/** In raw mode the terminal passes on every key: the ends of a line and of the input, Ctrl+C, and backspace. */
async function readLine(stream: AsyncIterable<string>, longest: number, raw: boolean): Promise<string | null> {
  let line = '';
  for await (const chunk of stream) {
    for (const key of chunk) {
      if (key === '\n' || key === '\r') return line;
      if (raw && (key === '\u0003' || key === '\u0004')) return null;
      if (raw && (key === '\u007f' || key === '\b')) line = line.slice(0, -1);
      else if (line.length < longest) line += key;
    }
  }
  return line === '' ? null : line;
}
