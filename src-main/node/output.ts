import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Text } from './styled-text.ts';
import { severalLines } from './terminal.ts';

/** Await each line to limit memory use. Check `closed` to stop when the reader has gone (`| head`): no error. */
export class Output {
  readonly #stream: Writable;
  readonly #hasColours: boolean;
  #closed = false;

  /** `isResult`: a failed write, for example on a full disk, makes the command fail. */
  constructor(stream: Writable, { isResult, hasColours = false }: { isResult: boolean; hasColours?: boolean }) {
    this.#stream = stream;
    this.#hasColours = hasColours;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed = true;
      if (isResult && error.code !== 'EPIPE') throw error;
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  async line(text: Text): Promise<void> {
    if (this.#closed) return;
    // Whatever a command forgot: an escape sequence of the service never reaches a terminal.
    const shown =
      typeof text === 'string' ? severalLines(text) : this.#hasColours ? text.withColours() : text.toString();
    if (!this.#stream.write(`${shown}\n`)) await this.#drained();
  }

  /** Resolves when everything has been written, or the stream is closed. */
  flush(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write('', () => {
        resolve();
      });
    });
  }

  async #drained(): Promise<void> {
    // `once` rejects if the stream breaks; `closed` is set then.
    await once(this.#stream, 'drain').catch(() => undefined);
  }
}
