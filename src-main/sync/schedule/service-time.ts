import type { Clock } from '../../contract/ports.ts';

const HOUR = 3_600_000;
/** After a longer time without a `Date`, this computer's clock may have jumped. */
const RECENT = HOUR;
/** Clocks differ a little, and a shared cache sends the `Date` of the stored response. */
const TOLERANCE = HOUR;

/** From the `Date` of a service's responses. Times are in ms since 1970. */
export class ServiceTime {
  readonly #clock: Clock;
  #seen: { date: number; at: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(date: number): void {
    this.#seen = { date, at: this.#clock.now() };
  }

  /** This computer's time if the service sent none recently. */
  get now(): number {
    return this.#known ?? this.#clock.now();
  }

  /** The earlier of both clocks, so that one that jumped ahead deletes nothing. If null, nothing may be deleted. */
  get forDeleting(): number | null {
    const known = this.#known;
    const now = this.#clock.now();
    if (known === null) return null;
    return now - known > TOLERANCE ? known : now;
  }

  get #known(): number | null {
    if (this.#seen === null) return null;
    const elapsed = this.#clock.now() - this.#seen.at;
    return elapsed < 0 || elapsed > RECENT ? null : this.#seen.date + elapsed;
  }
}
