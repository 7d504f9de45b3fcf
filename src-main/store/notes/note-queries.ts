import type { Database } from 'better-sqlite3';
import { oneLine } from '../../common/text.ts';
import { asTime } from '../../common/timestamp.ts';
import { reportOfNote, type Note, type NoteKey, type NoteLine } from '../../contract/model/note.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import { lineOf } from '../reports/report-rows.ts';
import { readOrNull } from '../database/stored-json.ts';
import type { StoriesTable } from '../stories/stories-table.ts';
import type { NoteRow, NotesTable } from './notes-table.ts';

interface NoteQueryTables {
  notes: NotesTable;
  stories: StoriesTable;
}

/** In UTF-16 units: about three lines of a list. */
const LONGEST_EXCERPT = 300;
const LONGEST_TITLE = 300;

const NEWEST = 'ORDER BY changed_at DESC, kind, id';

/** What the reader wrote about items, stories and reports of the mirrored service. */
export class NoteQueries {
  readonly #database: Database;
  readonly #tables: NoteQueryTables;
  readonly #newest;
  readonly #keys;
  readonly #count;
  readonly #item;
  readonly #storyTitle;
  readonly #report;

  constructor(database: Database, tables: NoteQueryTables) {
    this.#database = database;
    this.#tables = tables;
    const columns = 'mirror, kind, id, text, created_at, changed_at';
    this.#newest = database.prepare<[number, number], NoteRow>(
      `SELECT ${columns} FROM user.note WHERE mirror = ${THIS_MIRROR} ${NEWEST} LIMIT ? OFFSET ?`,
    );
    this.#keys = database.prepare<[], NoteKey>(
      `SELECT kind, id FROM user.note WHERE mirror = ${THIS_MIRROR} ORDER BY kind, id`,
    );
    this.#count = database.prepare<[], number>(`SELECT count(*) FROM user.note WHERE mirror = ${THIS_MIRROR}`).pluck();
    this.#item = database.prepare<[string], { title: string; source_name: string | null }>(
      'SELECT title, source_name FROM main.item WHERE id = ?',
    );
    this.#storyTitle = database
      .prepare<[string], string>('SELECT title FROM main.story WHERE public_id = ? AND body IS NOT NULL')
      .pluck();
    this.#report = database
      .prepare<[string, string], string | null>('SELECT line FROM main.report WHERE kind = ? AND label = ?')
      .pluck();
  }

  /** The note about a thing, with the name of the service that it belongs to. A merged story has that of its survivor. */
  get(key: NoteKey): { note: Note | null; service: string } {
    return { note: this.#tables.notes.get(this.resolve(key)), service: this.#tables.notes.service };
  }

  /** Whether there is a note about a thing. */
  hasNote(key: NoteKey): boolean {
    return this.#tables.notes.has(this.resolve(key));
  }

  /** What a note about this is saved under. */
  resolve(key: NoteKey): NoteKey {
    return key.kind === 'story' ? { kind: 'story', id: this.#tables.stories.resolve(key.id) } : key;
  }

  /** What the reader wrote notes about: at most `MOST_NOTES`. */
  keys(): NoteKey[] {
    return this.#keys.all();
  }

  /** Notes, the one that was changed last first, from an offset on. */
  list(limit: number, offset: number): { notes: NoteLine[]; total: number } {
    const notes = this.#newest.all(limit, offset).map((row) => this.#lineOf(row));
    return { notes, total: this.#count.get() ?? 0 };
  }

  #lineOf(row: NoteRow): NoteLine {
    const { kind, id, text } = row;
    const excerpt = text.slice(0, LONGEST_EXCERPT).toWellFormed();
    return {
      kind,
      id,
      excerpt,
      cut: excerpt.length < text.length,
      createdAt: asTime(row.created_at) ?? '',
      changedAt: asTime(row.changed_at) ?? '',
      ...this.#subjectOf(row),
    };
  }

  #subjectOf({ kind, id }: NoteKey): { title: string; source: string } {
    if (kind === 'item') {
      const item = this.#item.get(id);
      return { title: oneLine(item?.title, LONGEST_TITLE), source: oneLine(item?.source_name, LONGEST_TITLE) };
    }
    const title = kind === 'story' ? this.#storyTitle.get(id) : this.#headlineOf(id);
    return { title: oneLine(title, LONGEST_TITLE), source: '' };
  }

  #headlineOf(id: string): string | null {
    const report = reportOfNote(id);
    const line = report && this.#report.get(report.kind, report.label);
    return line ? readOrNull(this.#database, () => lineOf({ line }).headline ?? null) : null;
  }
}
