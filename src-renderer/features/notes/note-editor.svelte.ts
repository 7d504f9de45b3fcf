import type { Failure } from '../../../src-main/contract/errors.ts';
import { cleanNote, LONGEST_NOTE, type NoteKey } from '../../../src-main/contract/model/note.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { isOutdated, noteDrafts } from './note-drafts.ts';

/** A save waits for a pause in typing, of so many ms. */
const PAUSE_MS = 400;
/** A failed save is tried again after so many ms. */
const RETRY_MS = 3_000;

/**
 * The note about one thing while it is shown. What is typed is saved after a short pause; until the core has confirmed it,
 * it is kept in the page's storage, too, so that a window that closes or a host that dies loses nothing.
 */
export class NoteEditor {
  readonly key: NoteKey;
  readonly #wire: Wire;
  #text = $state('');
  #confirmed = $state('');
  #loaded = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #service = '';
  #saving: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(wire: Wire, { kind, id }: NoteKey) {
    this.#wire = wire;
    this.key = { kind, id };
  }

  get text(): string {
    return this.#text;
  }
  /** The name of the news service that the note is for. */
  get service(): string {
    return this.#service;
  }
  /** Whether the note can be read and changed. */
  get loaded(): boolean {
    return this.#loaded;
  }
  /** Why it could not be read or saved; null if it was. */
  get failure(): Failure | null {
    return this.#failure;
  }
  /** Whether the core has confirmed what was typed. */
  get saved(): boolean {
    return this.#text === this.#confirmed;
  }

  /** Reads the note, unless something was typed that is not saved yet. */
  async load(): Promise<void> {
    if (this.#loaded && !this.saved) return this.save();
    const reply = await this.#wire.call('notes.get', this.key);
    if (this.#loaded && !this.saved) return;
    if (!reply.ok) {
      this.#failure = reply.error;
      return;
    }
    const { note, service } = reply.value;
    const kept = noteDrafts.get(this.key);
    const draft = kept?.service === service && !isOutdated(kept, note) ? kept : null;
    this.#service = service;
    this.#failure = null;
    const confirmed = note?.text ?? '';
    // Spaces at the end are not saved, but the next word may follow them.
    if (this.#loaded && cleanNote(this.#text) === confirmed) return;
    this.#confirmed = confirmed;
    const early = this.#text;
    this.#text = draft?.text ?? this.#confirmed;
    // What was typed before the note was there follows it.
    if (early !== '' && !this.#loaded) {
      this.#text = [this.#text, early]
        .filter((part) => part !== '')
        .join('\n')
        .slice(0, LONGEST_NOTE);
    }
    this.#loaded = true;
    if (!this.saved) await this.save();
  }

  /** Takes over what was typed. */
  edit(text: string): void {
    this.#text = text.slice(0, LONGEST_NOTE);
    if (!this.#loaded) return;
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), PAUSE_MS);
  }

  /** Saves what was typed. Ends when it is saved, or a save has failed. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#loaded) return Promise.resolve();
    this.#saving ??= this.#saveAll().finally(() => (this.#saving = null));
    return this.#saving;
  }

  async #saveAll(): Promise<void> {
    while (!this.saved) {
      const draft = { ...this.key, text: this.#text, service: this.#service };
      const reply = await this.#wire.call('notes.set', draft);
      if (!reply.ok) {
        this.#failure = reply.error;
        // Too many notes will be too many in three seconds: the next key tries again.
        if (reply.error.code !== 'invalid_argument') this.#timer = setTimeout(() => void this.save(), RETRY_MS);
        return;
      }
      this.#failure = null;
      this.#confirmed = draft.text;
      noteDrafts.drop(draft);
      // What was typed meanwhile is newer than what was just saved.
      if (this.#text !== draft.text) this.#keep();
    }
  }

  #keep(): void {
    noteDrafts.put({ ...this.key, text: this.#text, service: this.#service, at: new Date().toISOString() });
  }
}
