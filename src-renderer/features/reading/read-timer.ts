/** In ms. How long an item must be open to count as read, if opening it is not enough. */
export const READ_DELAY_MS = 3_000;

/** Waits until the open item has been open long enough. */
export class ReadTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #id: string | null = null;

  get id(): string | null {
    return this.#id;
  }

  /** @param reached called after {@link READ_DELAY_MS} unless the timer is stopped or started again */
  start(id: string, reached: () => void): void {
    this.stop();
    this.#id = id;
    this.#timer = setTimeout(reached, READ_DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#id = null;
  }
}
