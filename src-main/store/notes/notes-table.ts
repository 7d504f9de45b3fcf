import type { Database } from 'better-sqlite3';
import { asTime } from '../../common/timestamp.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { cleanNote, LONGEST_NOTE, MOST_NOTES, type Note, type NoteKey } from '../../contract/model/note.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';

/**
 * The most bytes of all notes together: an export with them stays well below the 64 MB that an import accepts.
 */
const MOST_BYTES = 24_000_000;

/** For statements that read `item`: whether the reader wrote a note about it. */
export const ITEM_HAS_NOTE = `EXISTS (SELECT 1 FROM user.note
  WHERE note.mirror = ${THIS_MIRROR} AND note.kind = 'item' AND note.id = item.id)`;

/** A row of `note` with all its columns, as in an export. Times are ms since 1970. */
export interface NoteRow extends NoteKey {
  mirror: string;
  text: string;
  created_at: number;
  changed_at: number;
}

interface Sum {
  count: number;
  bytes: number;
}

/** The table `note` of user.db. Notes belong to one service each. Write within a transaction. */
export class NotesTable {
  readonly #get;
  readonly #put;
  readonly #remove;
  readonly #sum;
  readonly #count;
  readonly #source;

  constructor(database: Database) {
    this.#source = database.prepare<[], string>(`SELECT value FROM main.property WHERE name = 'source'`).pluck();
    this.#get = database.prepare<[string, string, string], NoteRow>(
      'SELECT mirror, kind, id, text, created_at, changed_at FROM user.note WHERE mirror = ? AND kind = ? AND id = ?',
    );
    this.#put = database.prepare<[string, string, string, string, number, number]>(
      `INSERT INTO user.note (mirror, kind, id, text, created_at, changed_at)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET text = excluded.text, created_at = excluded.created_at, changed_at = excluded.changed_at`,
    );
    this.#remove = database.prepare<[string, string, string]>(
      'DELETE FROM user.note WHERE mirror = ? AND kind = ? AND id = ?',
    );
    this.#sum = database.prepare<[], { bytes: number }>(
      'SELECT ifnull(sum(octet_length(text)), 0) AS bytes FROM user.note',
    );
    this.#count = database.prepare<[string], { count: number }>(
      'SELECT count(*) AS count FROM user.note WHERE mirror = ?',
    );
  }

  get({ kind, id }: NoteKey, service = this.service): Note | null {
    const row = this.#get.get(service, kind, id);
    return row ? noteOf(row) : null;
  }

  has({ kind, id }: NoteKey): boolean {
    return this.#get.get(this.service, kind, id) !== undefined;
  }

  /** The name of the mirrored service. */
  get service(): string {
    return this.#source.get() ?? '';
  }

  /**
   * Saves a note; a text of white space only removes it. Returns what is saved then, and whether anything changed. `now` is
   * ms since 1970. Errors: `invalid_argument` if there are too many notes, or they are too long together.
   */
  set(
    { kind, id }: NoteKey,
    given: string,
    { now, service = this.service }: { now: number; service?: string },
  ): { note: Note | null; changed: boolean } {
    const text = cleanNote(given);
    const before = this.#get.get(service, kind, id);
    if (text.trim() === '') return { note: null, changed: this.remove({ kind, id }, service) };
    if (before?.text === text) return { note: noteOf(before), changed: false };
    const { count, bytes } = this.#sumOf(service);
    const grown = bytes - size(before?.text ?? '') + size(text);
    if ((!before && count >= MOST_NOTES) || (grown > MOST_BYTES && text.length > (before?.text.length ?? 0))) {
      throw tooManyNotes();
    }
    const row = { mirror: service, kind, id, text, created_at: before?.created_at ?? now, changed_at: now };
    this.#save(row);
    return { note: noteOf(row), changed: true };
  }

  /** Returns whether there was one. */
  remove({ kind, id }: NoteKey, service = this.service): boolean {
    return this.#remove.run(service, kind, id).changes === 1;
  }

  /** Merges the notes of an export: of two versions of a note, the one that was changed later stays. */
  mergeAll(rows: readonly NoteRow[]): ('taken' | 'unchanged' | 'skipped')[] {
    const sums = new Map<string, Sum>();
    let bytes = this.#sum.get()?.bytes ?? 0;
    return rows.map((row) => {
      const here = this.#get.get(row.mirror, row.kind, row.id);
      if (here && here.changed_at >= row.changed_at) return 'unchanged';
      const sum = sums.get(row.mirror) ?? this.#sumOf(row.mirror);
      sums.set(row.mirror, sum);
      const grown = bytes - size(here?.text ?? '') + size(row.text);
      if ((!here && sum.count >= MOST_NOTES) || grown > MOST_BYTES) return 'skipped';
      if (!here) sum.count += 1;
      bytes = grown;
      this.#save({ ...row, created_at: Math.min(row.created_at, here?.created_at ?? row.created_at) });
      return 'taken';
    });
  }

  /** Sets a note as another machine wrote it; null removes it. Returns false if there is no room. */
  carry(
    { mirror, kind, id }: NoteKey & { mirror: string },
    note: Pick<NoteRow, 'text' | 'created_at' | 'changed_at'> | null,
  ): boolean {
    if (note === null) {
      this.#remove.run(mirror, kind, id);
      return true;
    }
    const here = this.#get.get(mirror, kind, id);
    const { count, bytes } = this.#sumOf(mirror);
    const grown = bytes - size(here?.text ?? '') + size(note.text);
    if ((!here && count >= MOST_NOTES) || grown > MOST_BYTES) return false;
    this.#save({ mirror, kind, id, ...note });
    return true;
  }

  /**
   * Moves the note about a merged story to its survivor. Two notes become one; if that would be too long, the older note
   * stays where it is, in the list of notes.
   */
  moveStory(merged: string, survivor: string): void {
    const service = this.service;
    const old = merged === survivor ? undefined : this.#get.get(service, 'story', merged);
    if (!old) return;
    const there = this.#get.get(service, 'story', survivor);
    const text = there ? `${there.text}\n\n${old.text}` : old.text;
    if (text.length > LONGEST_NOTE) return;
    this.#remove.run(service, 'story', merged);
    this.#save({
      ...old,
      id: survivor,
      text,
      created_at: Math.min(old.created_at, there?.created_at ?? old.created_at),
      changed_at: Math.max(old.changed_at, there?.changed_at ?? old.changed_at),
    });
  }

  #save({ mirror, kind, id, text, created_at, changed_at }: NoteRow): void {
    this.#put.run(mirror, kind, id, text, created_at, changed_at);
  }

  #sumOf(service: string): Sum {
    return { count: this.#count.get(service)?.count ?? 0, bytes: this.#sum.get()?.bytes ?? 0 };
  }
}

function noteOf({ kind, id, text, created_at: created, changed_at: changed }: NoteRow): Note {
  return { kind, id, text, createdAt: asTime(created) ?? '', changedAt: asTime(changed) ?? '' };
}

/** In bytes of UTF-8, as in the file. */
function size(text: string): number {
  return Buffer.byteLength(text);
}

function tooManyNotes(): BroadsheetError {
  const words = 'There is no room for more notes. Remove some of them first.';
  return new BroadsheetError('invalid_argument', words);
}
