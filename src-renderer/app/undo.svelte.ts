/** Something that was done and can be taken back. */
export interface Undoable {
  /** What was done, in words: "240 items marked as read". */
  what: string;
  /** Whether it was done to a whole list at once. */
  bulk: boolean;
  /** Takes it back and tells the reader what came of it. Answers whether it was taken back. */
  takeBack: () => Promise<boolean>;
}

/** Single marks that can be taken back one after another. */
const MOST_SINGLE = 50;

/**
 * What the reader did and can still take back, the newest last. A bulk action stays until the next one, however many single
 * marks follow it: it is noticed late, and is the one that hurts.
 */
export class UndoStack {
  #steps = $state.raw<readonly Undoable[]>([]);
  #underWay: Promise<unknown> = Promise.resolve();

  /** The bulk action that can be taken back, if there is one. */
  get bulk(): Undoable | null {
    return this.#steps.find(({ bulk }) => bulk) ?? null;
  }

  /** What was done last; null if nothing can be taken back. */
  get last(): Undoable | null {
    return this.#steps.at(-1) ?? null;
  }

  push(step: Undoable): void {
    const steps = [...(step.bulk ? this.#steps.filter(({ bulk }) => !bulk) : this.#steps), step];
    const surplus = steps.filter(({ bulk }) => !bulk).slice(0, -MOST_SINGLE);
    this.#steps = steps.filter((one) => !surplus.includes(one));
  }

  /** Notes an action that is being saved: an undo meanwhile is for it, not for what was done before. */
  during<T>(action: Promise<T>): Promise<T> {
    this.#underWay = Promise.allSettled([this.#underWay, action]);
    return action;
  }

  /** Begins an action once nothing else is being saved or taken back, so that what it tells the reader comes last. */
  next<T>(action: () => Promise<T>): Promise<T> {
    return this.during(this.#underWay.then(action));
  }

  /**
   * Takes back the newest step, or the given one, after those that are on their way. Answers whether there was one. A step
   * that fails stays, so that it can be tried again.
   */
  undo(wanted?: Undoable | null): Promise<boolean> {
    return this.next(() => this.#takeBack(wanted));
  }

  /** Forgets everything: what was done belongs to data that is no longer there. */
  clear(): void {
    this.#steps = [];
  }

  async #takeBack(wanted: Undoable | null | undefined): Promise<boolean> {
    const step = wanted === undefined ? this.#steps.at(-1) : wanted;
    if (!step || !this.#steps.includes(step)) return false;
    if (await step.takeBack()) this.#steps = this.#steps.filter((one) => one !== step);
    return true;
  }
}
