import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Lines to a stream whose reader may be slow or gone. Wait for each line and memory stays flat; look at `closed` and stop
 * early when nobody reads any more (`broadsheet list items | head`), which is no failure.
 */
export class Output {
  readonly #stream: Writable;
  #closed = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed = true;
      if (error.code !== 'EPIPE') throw error;
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  async line(text: string): Promise<void> {
    if (this.#closed) return;
    if (!this.#stream.write(`${text}\n`)) await this.#drained();
  }

  /** Everything written so far has left this process, or never will. */
  flush(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write('', () => {
        resolve();
      });
    });
  }

  async #drained(): Promise<void> {
    // `once` rejects when the stream breaks instead; `closed` says so then.
    await once(this.#stream, 'drain').catch(() => undefined);
  }
}
