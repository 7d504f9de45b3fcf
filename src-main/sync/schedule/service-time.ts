import type { Clock } from '../../contract/ports.ts';

const HOUR = 3_600_000;
/** After a longer time without a `Date`, this computer's clock may have jumped. */
const RECENT = HOUR;
/** Clocks differ a little, and a shared cache sends the `Date` of the stored response. */
const TOLERANCE = HOUR;

/** From the `Date` of a service's responses, in ms since 1970. */
export class ServiceTime {
  readonly #clock: Clock;
  #seen: { date: number; at: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `date`: of a response that has just arrived. */
  note(date: number): void {
    this.#seen = { date, at: this.#clock.now() };
  }

  /** This computer's time if the service sent none recently. */
  get now(): number {
    return this.#known ?? this.#clock.now();
  }

  /**
   * Judges whether something is old enough to be deleted: the earlier of both clocks, so that a clock that jumped ahead
   * deletes nothing. Null, and nothing may be deleted, if the service sent no time recently.
   */
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

export class ServiceTimes {
  readonly #clock: Clock;
  readonly #times = new Map<string, ServiceTime>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  at(address: string): ServiceTime {
    const time = this.#times.get(address) ?? new ServiceTime(this.#clock);
    this.#times.set(address, time);
    return time;
  }
}
