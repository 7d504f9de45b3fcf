import { createContext } from 'svelte';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import { cleanNote, reportOfNote, type NoteKey } from '../../../src-main/contract/model/note.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { LiveAnswers } from '../../api/live.ts';
import type { Act, Toasts } from '../../ui/page-context.ts';
import { isOutdated, nameOf, noteDrafts, type Draft } from './note-drafts.ts';
import { NoteEditor } from './note-editor.svelte.ts';

interface NotesPorts {
  readonly wire: Wire;
  readonly live: LiveAnswers;
  readonly act: Act;
  readonly toasts: Pick<Toasts, 'show'>;
}

/** The reader's notes: which things have one, and the ones being written. */
export class NotesState {
  readonly #ports: NotesPorts;
  readonly #noted = $derived.by(() => new Set(this.#ports.live.get('notes.keys', {}).value?.keys.map(nameOf)));
  readonly #editors = new Map<string, { editor: NoteEditor; shown: number }>();
  /** The note that the reader asked for, until it has the focus. */
  #wanted = $state.raw<string | null>(null);

  constructor(ports: NotesPorts) {
    this.#ports = ports;
    const { wire } = ports;
    wire.on('notes.changed', (key) => this.#reload((editor) => editor.saved && nameOf(editor.key) === nameOf(key)));
    wire.on('data.replaced', () => this.#reload(() => true));
    wire.on('engine.changed', ({ running }) => {
      if (running) this.saveAll();
    });
  }

  /** Saves the drafts of the last window. */
  async start(): Promise<void> {
    await Promise.all(noteDrafts.all().map((draft) => this.#saveDraft(draft)));
  }

  /** Saves drafts when the window is hidden or closed. Returns a function that stops it. */
  listen(): () => void {
    const save = (): void => this.saveAll();
    document.addEventListener('visibilitychange', save);
    window.addEventListener('pagehide', save);
    return () => {
      document.removeEventListener('visibilitychange', save);
      window.removeEventListener('pagehide', save);
    };
  }

  has(key: NoteKey): boolean {
    return this.#noted.has(nameOf(key));
  }

  /** Shows the note about a thing. Returns its editor, and a function to call when it is no longer shown. */
  show(key: NoteKey): { editor: NoteEditor; leave: () => void } {
    const name = nameOf(key);
    const entry = this.#editors.get(name) ?? { editor: new NoteEditor(this.#ports.wire, key), shown: 0 };
    this.#editors.set(name, entry);
    entry.shown += 1;
    void entry.editor.load();
    const leave = (): void => {
      entry.shown -= 1;
      void entry.editor.save().then(() => {
        // An editor with unsaved text stays, and saves again.
        if (entry.shown === 0 && entry.editor.saved) this.#editors.delete(name);
      });
    };
    return { editor: entry.editor, leave };
  }

  /** Asks for the note about the open article: its text then takes the focus. */
  ask(key: NoteKey): void {
    this.#wanted = nameOf(key);
  }

  isWanted(key: NoteKey): boolean {
    return this.#wanted === nameOf(key);
  }

  /** Called when that note has the focus. */
  answered(): void {
    this.#wanted = null;
  }

  async remove(editor: NoteEditor): Promise<void> {
    const { text } = editor;
    await this.#ports.act({
      what: m.note_removed(),
      failed: m.note_not_saved(),
      call: async () => {
        editor.edit('');
        await editor.save();
        const { failure, saved } = editor;
        return failure && !saved ? { ok: false, error: failure } : { ok: true, value: null };
      },
      takeBack: () => this.#bringBack(editor, text),
      tell: 'toast',
    });
  }

  /** Restores a removed note, unless there is a newer one. */
  async #bringBack({ key, service }: NoteEditor, text: string): Promise<Reply<unknown> | null> {
    const { toasts, wire } = this.#ports;
    // Unsaved text is newer, too.
    await this.#editors.get(nameOf(key))?.editor.save();
    const now = await wire.call('notes.get', key);
    if (!now.ok) return now;
    if (now.value.service !== service || !now.value.note) return wire.call('notes.set', { ...key, text, service });
    toasts.show(m.note_newer(), { tone: 'problem' });
    return null;
  }

  saveAll(): void {
    for (const { editor } of this.#editors.values()) void editor.save();
  }

  async #saveDraft(draft: Draft): Promise<void> {
    const { toasts, wire } = this.#ports;
    const { kind, id, text, service } = draft;
    const now = await wire.call('notes.get', { kind, id });
    if (!now.ok) return;
    if (now.value.service === service && isOutdated(draft, now.value.note)) {
      noteDrafts.drop(draft);
      if (now.value.note?.text !== cleanNote(text)) toasts.show(m.note_draft_older(), { tone: 'problem' });
      return;
    }
    const reply = await wire.call('notes.set', { kind, id, text, service });
    if (reply.ok) noteDrafts.drop(draft);
  }

  /** Another window may have written them. */
  #reload(keep: (editor: NoteEditor) => boolean): void {
    for (const { editor } of this.#editors.values()) if (keep(editor)) void editor.load();
  }
}

/** Items, stories and reports need them at any depth. */
export const [notesContext, setNotesContext] = createContext<NotesState>();

export function targetOfNote({ kind, id }: NoteKey): Ref | null {
  if (kind === 'item') return { view: 'item', id };
  if (kind === 'story') return { view: 'story', publicId: id };
  const report = reportOfNote(id);
  return report && { view: 'report', ...report };
}
