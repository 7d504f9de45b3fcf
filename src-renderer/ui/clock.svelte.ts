const TICK_MS = 30_000;

/** The current time, updated as often as texts like "3 minutes ago" need it. */
export class ClockState {
  #now = $state(Date.now());

  constructor() {
    setInterval(() => (this.#now = Date.now()), TICK_MS);
  }

  get now(): number {
    return this.#now;
  }
}
