import { untrack } from 'svelte';

/** As many as can follow each other before a screen reader has taken them up. */
const KEPT = 3;

/** What those who hear the page are told about what just happened: the latest messages, the newest last. */
export class Announcer {
  #said = $state.raw<readonly { id: number; text: string }[]>([]);
  #ids = 0;

  /** Each message has an id of its own, so that the same text twice is said twice. */
  get said(): readonly { id: number; text: string }[] {
    return this.#said;
  }

  say(text: string): void {
    // What happened may be told by an effect, which must not depend on what was told before.
    const before = untrack(() => this.#said);
    this.#said = [...before, { id: ++this.#ids, text }].slice(-KEPT);
  }
}
