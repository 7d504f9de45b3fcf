import { errorMessages } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Toasts } from '../page-context.ts';

/** A short message about an action, with a way to undo it. */
export interface ToastMessage {
  id: number;
  text: string;
  tone: 'plain' | 'problem';
  action?: { label: string; run: () => void };
}

const LIFETIME_MS = 10_000;

/** Shows one toast at a time: a newer one replaces it. */
export class ToastsState implements Toasts {
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

  complain(what: string, failure: Failure): void {
    const why = failure.code === 'unreachable' ? m.failure_host() : errorMessages[failure.code]();
    this.show(`${what} ${why}`, { tone: 'problem' });
  }

  async complainIfFailed(what: string, action: Promise<Failure | null>): Promise<void> {
    const failure = await action;
    if (failure) this.complain(what, failure);
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    this.#held = false;
    this.#note = null;
  }

  /** Keeps a toast while it has the pointer over it or the focus in it. */
  hold(held: boolean): void {
    this.#held = held;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.#held) this.#timer = setTimeout(() => this.dismiss(), LIFETIME_MS);
  }
}
