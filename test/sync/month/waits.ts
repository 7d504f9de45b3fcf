/** How long things were missing, counted only while they could have been had: awake, on line, the service well. */
export class Waits {
  readonly #waited = new Map<string, number>();
  readonly #open = new Set<string>();

  begin(what: string): void {
    if (this.#waited.has(what)) return;
    this.#waited.set(what, 0);
    this.#open.add(what);
  }

  /** `ms` went by in which it could have been had. */
  pass(ms: number): void {
    for (const what of this.#open) this.#waited.set(what, (this.#waited.get(what) ?? 0) + ms);
  }

  end(what: string): void {
    this.#open.delete(what);
  }

  /** The events that never came. */
  get missing(): string[] {
    return [...this.#open];
  }

  /** Each wait in ms, in the order in which it began. */
  get all(): [what: string, ms: number][] {
    return [...this.#waited];
  }
}
