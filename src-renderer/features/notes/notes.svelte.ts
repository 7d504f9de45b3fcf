import { getContext, setContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import { cleanNote, type NoteKey, type NoteLine } from '../../../src-main/contract/model/note.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';
import type { Toasts } from '../../ui/page-context.ts';
import { isOutdated, nameOf, noteDrafts, type Draft } from './note-drafts.ts';
import { NoteEditor } from './note-editor.svelte.ts';

/** Notes per read. */
const PAGE = 200;
const MOST_READ = 500;

interface NotesPorts {
  wire: Wire;
  toasts: Pick<Toasts, 'show' | 'complain'>;
  /** Registers an undo step. */
  undo: {
    push(step: Undoable): void;
    /** Undoes this step, whatever was done since. */
    undo(step: Undoable): Promise<boolean>;
    /** Registers an action that is being saved: an undo meanwhile is for it. */
    during<T>(action: Promise<T>): Promise<T>;
  };
}

interface Undoable {
  what: string;
  bulk: boolean;
  takeBack: () => Promise<boolean>;
}

/** The reader's notes: which things have one, the ones being written, and the list of all. */
export class NotesState {
  readonly #ports: NotesPorts;
  readonly #noted = new SvelteSet<string>();
  readonly #editors = new Map<string, { editor: NoteEditor; shown: number }>();
  readonly list = new AsyncResource<{ notes: NoteLine[]; total: number }>();
  /** The note that the reader asked for, until it has the focus. */
  #wanted = $state.raw<string | null>(null);
  #active = $state(-1);
  #listed = false;

  constructor(ports: NotesPorts) {
    this.#ports = ports;
    const { wire } = ports;
    wire.on('notes.changed', ({ noted, ...key }) => this.#changed(key, noted));
    wire.on('data.replaced', () => void this.#reload());
    wire.on('engine.changed', ({ running }) => {
      if (running) this.saveAll();
    });
  }

  /** Reads which things have notes, and saves the drafts that the last window could not. */
  async start(): Promise<void> {
    await Promise.all([this.#readKeys(), ...noteDrafts.all().map((draft) => this.#saveDraft(draft))]);
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

  /** Removes a note; the reader can undo that. */
  remove(editor: NoteEditor): Promise<void> {
    return this.#ports.undo.during(this.#remove(editor));
  }

  async #remove(editor: NoteEditor): Promise<void> {
    const { toasts, undo } = this.#ports;
    const { text } = editor;
    editor.edit('');
    await editor.save();
    if (!editor.saved) {
      if (editor.failure) toasts.complain(m.note_not_saved(), editor.failure);
      return;
    }
    const what = m.note_removed();
    const step = { what, bulk: false, takeBack: () => this.#bringBack(editor, text) };
    undo.push(step);
    toasts.show(what, { action: { label: m.list_undo(), run: () => void undo.undo(step) } });
  }

  /** Restores a removed note, unless there is a newer one. Returns false if that failed. */
  async #bringBack({ key, service }: NoteEditor, text: string): Promise<boolean> {
    const { toasts, wire } = this.#ports;
    // Unsaved text is newer, too.
    await this.#editors.get(nameOf(key))?.editor.save();
    const now = await wire.call('notes.get', key);
    if (now.ok && now.value.service === service && now.value.note) {
      toasts.show(m.note_newer(), { tone: 'problem' });
      return true;
    }
    const reply = now.ok ? await wire.call('notes.set', { ...key, text, service }) : now;
    if (!reply.ok) toasts.complain(m.note_not_saved(), reply.error);
    else toasts.show(m.undo_done({ what: m.note_removed() }));
    return reply.ok;
  }

  saveAll(): void {
    for (const { editor } of this.#editors.values()) void editor.save();
  }

  async load(): Promise<void> {
    this.#listed = true;
    await this.#read(Math.max(PAGE, Math.min(this.lines.length, MOST_READ)));
  }

  get lines(): readonly NoteLine[] {
    return this.list.value?.notes ?? [];
  }
  get total(): number {
    return this.list.value?.total ?? 0;
  }
  get failure(): Failure | null {
    return this.list.failure;
  }
  /** Index in the list that the keys have reached; -1 for none. */
  get active(): number {
    return this.#active;
  }

  async more(): Promise<void> {
    const before = this.lines;
    const reply = await this.#ports.wire.call('notes.list', { limit: PAGE, offset: before.length });
    if (!reply.ok) {
      this.#ports.toasts.complain(m.failure_title(), reply.error);
      return;
    }
    const known = new Set(before.map(nameOf));
    const notes = [...before, ...reply.value.notes.filter((line) => !known.has(nameOf(line)))];
    this.list.put({ notes, total: reply.value.total });
  }

  /** Moves to the next (1) or previous (-1) note of the list. Returns false if there was none. */
  step(by: 1 | -1): boolean {
    const to = this.#active + by;
    if (to < 0 || to >= this.lines.length) return false;
    this.#active = to;
    return true;
  }

  reach(index: number): void {
    this.#active = index;
  }

  async #read(limit: number): Promise<void> {
    await this.list.read(this.#ports.wire.call('notes.list', { limit, offset: 0 }));
  }

  async #readKeys(): Promise<void> {
    const reply = await this.#ports.wire.call('notes.keys', {});
    if (!reply.ok) return;
    const names = new Set(reply.value.keys.map(nameOf));
    for (const name of this.#noted) if (!names.has(name)) this.#noted.delete(name);
    for (const name of names) this.#noted.add(name);
  }

  /** Saves a draft, unless its note was changed after it was typed. */
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

  #changed(key: NoteKey, noted: boolean): void {
    const name = nameOf(key);
    if (noted) this.#noted.add(name);
    else this.#noted.delete(name);
    const editor = this.#editors.get(name)?.editor;
    // Another window may have written it.
    if (editor?.saved) void editor.load();
    if (this.#listed) void this.load();
  }

  async #reload(): Promise<void> {
    for (const { editor } of this.#editors.values()) void editor.load();
    await Promise.all([this.#readKeys(), this.#listed && this.load()]);
  }
}

const NOTES = Symbol('notes');

/** Sets the notes for a window, in its root component: items, stories and reports need them at any depth. */
export function setNotesContext(notes: NotesState): void {
  setContext(NOTES, notes);
}

/** Undefined outside of a window, for example where a view is shown alone. */
export function notesContext(): NotesState | undefined {
  return getContext(NOTES);
}
