/** A short word to the app about what was just done, with what takes it back. */
export interface ToastMessage {
  id: number;
  text: string;
  tone: 'plain' | 'problem';
  action?: { label: string; run: () => void };
}

const LIFETIME_MS = 10_000;

/** One note at a time: a newer one takes the older one's place. */
export class ToastsState {
  #note = $state.raw<ToastMessage | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held = false;
  #ids = 0;

  get note(): ToastMessage | null {
    return this.#note;
  }

  show(text: string, options: Pick<ToastMessage, 'action'> & { tone?: ToastMessage['tone'] } = {}): void {
    this.#note = { id: ++this.#ids, text, tone: 'plain', ...options };
    this.#wait();
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    this.#held = false;
    this.#note = null;
  }

  /** A note under the pointer or with the focus in it does not go away. */
  hold(held: boolean): void {
    this.#held = held;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.#held) this.#timer = setTimeout(() => this.dismiss(), LIFETIME_MS);
  }
}
