import { goCommandFor, type GoCommand } from '../../features/settings/index.ts';

/** How long the second key may take. What may follow is shown all the while. */
export const WAIT_MS = 4_000;

type Press = Parameters<typeof goCommandFor>[0];
type KeySettings = Parameters<typeof goCommandFor>[1];

/** Waits for the second key of a command of two keys, for a while. */
export class KeySequence {
  #waiting = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  get waiting(): boolean {
    return this.#waiting;
  }

  start(): void {
    this.stop();
    this.#waiting = true;
    this.#timer = setTimeout(() => this.stop(), WAIT_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = false;
  }

  /**
   * Takes a press if it was waited for. Answers its command; `taken` if it has none, or only adds to one to come; null if
   * the press is somebody else's.
   */
  take(press: Press, settings: KeySettings): GoCommand | 'taken' | null {
    if (!this.#waiting) return null;
    const meant = goCommandFor(press, settings);
    if (meant === 'waiting') return 'taken';
    this.stop();
    if (meant === 'other') return null;
    return meant === 'none' ? 'taken' : meant;
  }
}
