import { isNoteKey, LONGEST_NOTE, type Note, type NoteKey } from '../../../src-main/contract/model/note.ts';

/** A note as it was last typed, until the core has saved it. */
export interface Draft extends NoteKey {
  text: string;
  /** The name of the news service that it is for. */
  service: string;
  /** When it was typed. ISO 8601. */
  at: string;
}

/** Whether a note was changed after a draft of it was typed: by the command line, an import or another window. */
export function isOutdated({ at }: Draft, note: Note | null): boolean {
  return note !== null && !(Date.parse(at) >= Date.parse(note.changedAt));
}

const PREFIX = 'broadsheet.note ';

/** What a note is about, as one text. */
export function nameOf({ kind, id }: NoteKey): string {
  return `${kind} ${id}`;
}

/** What was typed and is not saved yet. It outlives the page; storage may be disabled, then nothing is kept. */
export const noteDrafts = {
  get(key: NoteKey): Draft | null {
    try {
      return readDraft(localStorage.getItem(PREFIX + nameOf(key)));
    } catch {
      return null;
    }
  },

  put(draft: Draft): void {
    try {
      localStorage.setItem(PREFIX + nameOf(draft), JSON.stringify(draft));
    } catch {
      // It is still in the page.
    }
  },

  /** Forgets a draft that was saved, unless another window has typed on meanwhile. */
  drop({ text, ...key }: NoteKey & { text: string }): void {
    try {
      if (noteDrafts.get(key)?.text === text) localStorage.removeItem(PREFIX + nameOf(key));
    } catch {
      // There is nothing to forget.
    }
  },

  all(): Draft[] {
    try {
      const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
      return names
        .filter((name) => name.startsWith(PREFIX))
        .flatMap((name) => readDraft(localStorage.getItem(name)) ?? []);
    } catch {
      return [];
    }
  },
};

function readDraft(saved: string | null): Draft | null {
  if (saved === null) return null;
  try {
    const { kind, id, text, service, at } = JSON.parse(saved) as Draft;
    const isText = typeof text === 'string' && text.length <= LONGEST_NOTE;
    if (!isText || typeof service !== 'string' || typeof id !== 'string' || !isNoteKey({ kind, id })) return null;
    return { kind, id, text, service, at: typeof at === 'string' ? at : '' };
  } catch {
    return null;
  }
}
