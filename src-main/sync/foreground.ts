/** What a reader waits for goes first: background rounds end early while this is busy, and go on later. */
export class Foreground {
  #waiting = 0;

  get busy(): boolean {
    return this.#waiting > 0;
  }

  async during<T>(work: () => Promise<T> | T): Promise<T> {
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}
