/** How long an item is open before it counts as read, where opening alone does not count. Milliseconds. */
export const READ_DELAY_MS = 3_000;

/** Waits until what is open has been open long enough; what is opened next ends the wait. */
export class ReadTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param reached called after {@link READ_DELAY_MS} unless the wait was ended */
  begin(reached: () => void): void {
    this.end();
    this.#timer = setTimeout(reached, READ_DELAY_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
