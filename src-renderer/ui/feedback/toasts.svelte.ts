/** A short word to the reader about what was just done, with what takes it back. */
export interface Note {
  id: number;
  text: string;
  tone: 'plain' | 'problem';
  action?: { label: string; run: () => void };
}

const LIFETIME_MS = 10_000;

/** One note at a time: a newer one takes the older one's place. */
export class NotesState {
  #note = $state.raw<Note | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held = false;
  #ids = 0;

  get note(): Note | null {
    return this.#note;
  }

  show(text: string, options: Pick<Note, 'action'> & { tone?: Note['tone'] } = {}): void {
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
