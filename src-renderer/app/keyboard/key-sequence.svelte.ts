import { goCommandFor, type GoCommand } from '../../features/settings/index.ts';

/** Timeout for the second key. The possible keys are shown during that time. */
export const WAIT_MS = 4_000;

type Press = Parameters<typeof goCommandFor>[0];
type KeySettings = Parameters<typeof goCommandFor>[1];

/** Waits for the second key of a two-key command. */
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
   * Handles a key press during the wait. Returns its command; `taken` if it has none or is only a modifier; null if the
   * press is not for this.
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
