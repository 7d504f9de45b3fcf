import { createContext } from 'svelte';
import { reportNoteId, type NoteKey } from '../../../src-main/contract/model/note.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import { Latest, type LiveAnswers } from '../../api/live.ts';
import { rowsOf } from '../../api/pages.ts';
import type { PageHistory } from '../../ui/page-context.ts';
import { targetOfNote } from './notes.svelte.ts';

const NOTES_A_READ = 100;

/** The list of all notes, and what is open beside it: the subject of one of them. */
export class NoteListState {
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  readonly #onopen: (id: string) => void;
  readonly #part = (offset: number) =>
    this.#history.view === 'notes' ? this.#live.get('notes.list', { limit: NOTES_A_READ, offset }) : null;
  readonly first = new Latest(() => this.#part(0));
  readonly rows = rowsOf(NOTES_A_READ, this.#part, ({ notes, total }) => ({ rows: notes, count: total }));
  #opened = $state(-1);

  /** @param onopen called with the id of an item that the reader opens, not for a preview */
  constructor(live: LiveAnswers, history: PageHistory, onopen: (id: string) => void) {
    this.#live = live;
    this.#history = history;
    this.#onopen = onopen;
  }

  get open(): NoteKey | null {
    return noteAbout(this.#history.in('notes').open[0]);
  }
  /** The index of the open row; -1 if its note was removed, or is far down in a list that wasn't scrolled there. */
  get place(): number {
    const { open } = this;
    if (open === null) return -1;
    const isOpen = (line?: NoteKey | null): boolean => line?.kind === open.kind && line.id === open.id;
    if (isOpen(this.rows.at(this.#opened))) return this.#opened;
    return this.first.value?.notes.findIndex(isOpen) ?? -1;
  }
  get preview(): { ref: Ref; onopen: () => void } | undefined {
    const line = this.first.value?.notes[0];
    const ref = line && targetOfNote(line);
    return ref ? { ref, onopen: () => this.#opens(ref) } : undefined;
  }

  openRow(line: NoteKey, index: number): void {
    const ref = targetOfNote(line);
    if (!ref) return;
    this.#opened = index;
    this.#history.go({ view: 'notes', open: [ref] });
    this.#opens(ref);
  }

  step(by: 1 | -1): boolean {
    // A preview has not been opened yet.
    const at = this.#history.isPreview('notes') ? -1 : this.place;
    const index = at < 0 ? 0 : at + by;
    const line = this.rows.at(index);
    if (line) this.openRow(line, index);
    return Boolean(line);
  }

  #opens(ref: Ref): void {
    if (ref.view === 'item') this.#onopen(ref.id);
  }
}

export const [noteListContext, setNoteListContext] = createContext<NoteListState>();

function noteAbout(ref: Ref | undefined): NoteKey | null {
  switch (ref?.view) {
    case 'item':
      return { kind: 'item', id: ref.id };
    case 'story':
      return { kind: 'story', id: ref.publicId };
    case 'report':
      return { kind: 'report', id: reportNoteId(ref.kind, ref.label) };
    default:
      return null;
  }
}
