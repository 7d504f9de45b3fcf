/** Lets a part report something to parts that are created after it. */
export class Signal<T = void> {
  readonly #listeners: ((value: T) => void)[] = [];

  on(listener: (value: T) => void): void {
    this.#listeners.push(listener);
  }

  readonly fire = (value: T): void => {
    for (const listener of this.#listeners) listener(value);
  };
}
