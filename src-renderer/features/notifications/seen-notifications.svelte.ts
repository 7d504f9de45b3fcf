import type { LiveAnswers } from '../../api/live.ts';

/** Storage key of the id of the newest notification that was shown in the history. */
const SEEN = 'broadsheet.notificationsSeen';

/** Which notifications the reader has seen in the history. */
export class SeenNotifications {
  readonly #live: LiveAnswers;
  /** The id of the newest one. */
  #seen = $state(Infinity);

  constructor(live: LiveAnswers) {
    this.#live = live;
  }

  get newest(): number {
    return this.#seen;
  }

  get hasNew(): boolean {
    return this.#latest > this.#seen;
  }

  /** Starts to compare. On the first visit, everything there counts as seen. */
  async load(): Promise<void> {
    await this.#answer.read();
    const saved = read();
    // The ids start again with another data folder.
    this.#seen = saved === null ? this.#latest : Math.min(saved, this.#latest);
  }

  /** Counts everything up to an id as seen. */
  see(id: number): void {
    this.#seen = id;
    write(id);
  }

  get #latest(): number {
    return this.#answer.value?.notifications[0]?.id ?? 0;
  }

  get #answer() {
    return this.#live.get('notifications.list', { limit: 1 });
  }
}

function read(): number | null {
  try {
    const saved = Number(localStorage.getItem(SEEN) ?? NaN);
    return Number.isInteger(saved) ? saved : null;
  } catch {
    return null;
  }
}

function write(seen: number): void {
  try {
    localStorage.setItem(SEEN, String(seen));
  } catch {
    // Storage may be disabled: the next start then counts everything it finds as seen.
  }
}
