import { isNoteKey, LONGEST_NOTE, type Note, type NoteKey } from '../../../src-main/contract/model/note.ts';

/** The text of a note as last typed, until the core has saved it. */
export interface Draft extends NoteKey {
  text: string;
  /** The name of the news service it belongs to. */
  service: string;
  /** When it was typed (ISO 8601). */
  at: string;
}

/** Returns true if a note is newer than its draft: changed by the command line, an import or another window. */
export function isOutdated({ at }: Draft, note: Note | null): boolean {
  return note !== null && !(Date.parse(at) >= Date.parse(note.changedAt));
}

const PREFIX = 'broadsheet.note ';

export function nameOf({ kind, id }: NoteKey): string {
  return `${kind} ${id}`;
}

/** Unsaved drafts. They outlive the page, unless storage is disabled. */
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
      // The page still has it.
    }
  },

  /** Drops a draft that was saved, unless another window has changed it since. */
  drop({ text, ...key }: NoteKey & { text: string }): void {
    try {
      if (noteDrafts.get(key)?.text === text) localStorage.removeItem(PREFIX + nameOf(key));
    } catch {
      // Without storage there is nothing to drop.
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
