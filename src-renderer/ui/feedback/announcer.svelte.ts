import { untrack } from 'svelte';

/** Enough messages in quick succession for a screen reader to read all. */
const KEPT = 3;

/** Announces events to screen readers: keeps the latest messages, the newest last. */
export class Announcer {
  #said = $state.raw<readonly { id: number; text: string }[]>([]);
  #ids = 0;

  /** Each message has an id, so that a repeated text is announced again. */
  get said(): readonly { id: number; text: string }[] {
    return this.#said;
  }

  say(text: string): void {
    // An effect that announces something must not depend on earlier messages.
    const before = untrack(() => this.#said);
    this.#said = [...before, { id: ++this.#ids, text }].slice(-KEPT);
  }
}
