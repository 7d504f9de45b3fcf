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
  #busy = false;
  #underWay: Promise<unknown> = Promise.resolve();

  /** The bulk action that can be taken back, if there is one. */
  get bulk(): Undoable | null {
    return this.#steps.find(({ bulk }) => bulk) ?? null;
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

  /**
   * Takes back the newest step, or the given one. Answers whether there was one; none is taken back while another is on its
   * way. A step that fails stays, so that it can be tried again.
   */
  async undo(wanted?: Undoable | null): Promise<boolean> {
    await this.#underWay;
    const step = wanted === undefined ? this.#steps.at(-1) : wanted;
    if (!step || !this.#steps.includes(step)) return false;
    if (this.#busy) return true;
    this.#busy = true;
    try {
      if (await step.takeBack()) this.#steps = this.#steps.filter((one) => one !== step);
    } finally {
      this.#busy = false;
    }
    return true;
  }

  /** Forgets everything: what was done belongs to data that is no longer there. */
  clear(): void {
    this.#steps = [];
  }
}
