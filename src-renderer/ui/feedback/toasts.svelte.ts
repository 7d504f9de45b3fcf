import { untrack } from 'svelte';
import { errorMessages } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
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

  async complainIfFailed(what: string, action: Promise<Reply<unknown>>): Promise<void> {
    const reply = await action;
    if (!reply.ok) this.complain(what, reply.error);
  }

  async copy(text: string, copied: string, failed: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.show(copied);
    } catch {
      this.show(failed, { tone: 'problem' });
    }
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
