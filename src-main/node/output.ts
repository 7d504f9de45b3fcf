import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Writes lines to a stream. Await each line to limit memory use if the reader is slow. Check `closed` to stop early when the
 * reader has gone (`broadsheet list items | head`), which is not an error.
 */
export class Output {
  readonly #stream: Writable;
  #closed = false;

  /** `isResult`: whether a command has failed if this can't be written for another reason, such as a full disk. */
  constructor(stream: Writable, { isResult }: { isResult: boolean }) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed = true;
      if (isResult && error.code !== 'EPIPE') throw error;
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  async line(text: string): Promise<void> {
    if (this.#closed) return;
    if (!this.#stream.write(`${text}\n`)) await this.#drained();
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
