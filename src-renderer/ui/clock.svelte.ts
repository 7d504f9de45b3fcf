const TICK_MS = 30_000;

/** The present, as often as words like "3 minutes ago" need it. */
export class ClockState {
  #now = $state(Date.now());

  constructor() {
    setInterval(() => (this.#now = Date.now()), TICK_MS);
  }

  get now(): number {
    return this.#now;
  }
}
