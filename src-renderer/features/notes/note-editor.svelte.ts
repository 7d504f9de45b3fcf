import type { Failure } from '../../../src-main/contract/errors.ts';
import { cleanNote, LONGEST_NOTE, type NoteKey } from '../../../src-main/contract/model/note.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { isOutdated, noteDrafts } from './note-drafts.ts';

/** In ms. A save waits for a pause in typing. */
const PAUSE_MS = 400;
/** In ms, after a failed save. */
const RETRY_MS = 3_000;

/**
 * The note about one thing while it is shown. Saves after a short pause in typing; until the core has confirmed it, the
 * text is in the page's storage, too, so that a window that closes or a host that dies loses nothing.
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
  get service(): string {
    return this.#service;
  }
  /** True if the note can be read and changed. */
  get loaded(): boolean {
    return this.#loaded;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  get saved(): boolean {
    return this.#text === this.#confirmed;
  }

  /** Reads the note, unless there is unsaved text. */
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
    // Appends text that was typed before the note was loaded.
    if (early !== '' && !this.#loaded) {
      this.#text = [this.#text, early]
        .filter((part) => part !== '')
        .join('\n')
        .slice(0, LONGEST_NOTE);
    }
    this.#loaded = true;
    if (!this.saved) await this.save();
  }

  edit(text: string): void {
    this.#text = text.slice(0, LONGEST_NOTE);
    if (!this.#loaded) return;
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), PAUSE_MS);
  }

  /** Saves the text. Resolves when it is saved, or a save has failed. */
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
        // Too many notes will still be too many in three seconds: the next key press tries again.
        if (reply.error.code !== 'invalid_argument') this.#timer = setTimeout(() => void this.save(), RETRY_MS);
        return;
      }
      this.#failure = null;
      this.#confirmed = draft.text;
      noteDrafts.drop(draft);
      // Text that was typed meanwhile is newer than the saved one.
      if (this.#text !== draft.text) this.#keep();
    }
  }

  #keep(): void {
    noteDrafts.put({ ...this.key, text: this.#text, service: this.#service, at: new Date().toISOString() });
  }
}
