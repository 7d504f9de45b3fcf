import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { Note, NoteKey, NoteLine } from '../../../src-main/contract/model/note.ts';

export type NotesMethod = Extract<MethodName, `notes.${string}`>;

type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

const nameOf = ({ kind, id }: NoteKey): string => `${kind} ${id}`;

/** Notes of a core in memory. */
export class MemoryNotes {
  readonly notes = new Map<string, Note>();
  /** The titles of the noted things. */
  readonly titles = new Map<string, string>();
  readonly #emit: Emit;
  #clock = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Writes a note as another window does. */
  write(key: NoteKey, text: string): void {
    const at = new Date(Date.UTC(2026, 2, 18) + ++this.#clock * 1_000).toISOString();
    const createdAt = this.notes.get(nameOf(key))?.createdAt ?? at;
    if (text.trim() === '') this.notes.delete(nameOf(key));
    else this.notes.set(nameOf(key), { kind: key.kind, id: key.id, text: text.trimEnd(), createdAt, changedAt: at });
    this.#emit('notes.changed', { kind: key.kind, id: key.id, noted: this.notes.has(nameOf(key)) });
  }

  readonly bodies: { [M in NotesMethod]: (args: Args<M>) => Result<M> } = {
    'notes.get': (key) => ({ note: this.notes.get(nameOf(key)) ?? null, service: 'demo' }),
    'notes.keys': () => ({ keys: [...this.notes.values()].map(({ kind, id }) => ({ kind, id })) }),
    'notes.list': ({ limit, offset }) => {
      const all = [...this.notes.values()].sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
      return { notes: all.slice(offset, offset + limit).map((note) => this.#lineOf(note)), total: all.length };
    },
    'notes.set': ({ text, ...key }) => {
      this.write(key, text);
      return { note: this.notes.get(nameOf(key)) ?? null };
    },
    'notes.remove': (key) => {
      const removed = this.notes.get(nameOf(key)) ?? null;
      this.write(key, '');
      return { removed };
    },
  };

  #lineOf({ text, ...note }: Note): NoteLine {
    return {
      ...note,
      excerpt: text.slice(0, 300),
      cut: text.length > 300,
      title: this.titles.get(nameOf(note)) ?? '',
      source: '',
    };
  }
}
