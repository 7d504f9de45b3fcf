export interface Undoable {
  /** Describes the action: "240 items marked as read". */
  what: string;
  bulk: boolean;
  /** Undoes it and reports the result to the reader. Resolves to false if that failed. */
  takeBack: () => Promise<boolean>;
}

/** Single changes that can be undone one after another. */
const MOST_SINGLE = 50;

/**
 * The actions that can be undone, in the order in which they began. A bulk action stays until the next one, however many single changes
 * follow: it is noticed late and costs most.
 */
export class UndoStack {
  #steps = $state.raw<readonly Undoable[]>([]);
  readonly #began = new WeakMap<Undoable, number>();
  #underWay: Promise<unknown> = Promise.resolve();

  get bulk(): Undoable | null {
    return this.#steps.find(({ bulk }) => bulk) ?? null;
  }

  /** Null if nothing can be undone. */
  get last(): Undoable | null {
    return this.#steps.at(-1) ?? null;
  }

  /** @param began when the action began; those that began later are above it */
  push(step: Undoable, began = performance.now()): void {
    this.#began.set(step, began);
    const others = step.bulk ? this.#steps.filter(({ bulk }) => !bulk) : this.#steps;
    const below = others.findLastIndex((one) => (this.#began.get(one) ?? 0) <= began);
    const steps = others.toSpliced(below + 1, 0, step);
    const surplus = steps.filter(({ bulk }) => !bulk).slice(0, -MOST_SINGLE);
    this.#steps = steps.filter((one) => !surplus.includes(one));
  }

  /** Registers an action that is being saved: an undo meanwhile is for it, not for the one before. */
  during<T>(action: Promise<T>): Promise<T> {
    this.#underWay = Promise.allSettled([this.#underWay, action]);
    return action;
  }

  /** Starts an action once no other is being saved or undone, so that its message comes last. */
  next<T>(action: () => Promise<T>): Promise<T> {
    return this.during(this.#underWay.then(action));
  }

  /**
   * Undoes the newest step, or the given one, after those that are still being saved. Returns false if there was none.
   * A step that fails stays, so that it can be tried again.
   */
  undo(wanted?: Undoable | null): Promise<boolean> {
    return this.next(() => this.#takeBack(wanted));
  }

  undoBulk(): void {
    void this.undo(this.bulk);
  }

  /** Forgets everything: the actions belong to data that is no longer there. */
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
