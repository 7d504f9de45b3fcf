import type { Clock, Log } from '../contract/ports.ts';
import type { Problem } from '../contract/model/sync-status.ts';
import type { Redact } from './log/redaction.ts';

const MAX_PROBLEMS = 20;
const LONGEST_MESSAGE = 300;

/**
 * Logs each unexpected error with its trace, and lists it once in data health until dismissed, both without secrets.
 */
export class Problems {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #redact: Redact;
  #problems: Problem[] = [];
  #lastId = 0;

  constructor({ clock, log }: { clock: Clock; log: Log }, redact: Redact) {
    this.#clock = clock;
    this.#log = log;
    this.#redact = redact;
  }

  report(where: Problem['where'], message: string, trace: string): void {
    const clean = this.#redact(message);
    this.#log('error', 'Unexpected error', { where, message: clean, trace: this.#redact(trace) });
    const line = clean.replace(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);
    if (this.#problems.some((problem) => problem.where === where && problem.message === line)) return;
    this.#lastId += 1;
    const at = new Date(this.#clock.now()).toISOString();
    this.#problems = [{ id: this.#lastId, at, where, message: line }, ...this.#problems].slice(0, MAX_PROBLEMS);
  }

  list(): Problem[] {
    return this.#problems;
  }

  dismiss(): void {
    this.#problems = [];
  }
}
