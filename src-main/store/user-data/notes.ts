import { oneLine } from '../../common/text.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  cleanNote,
  LONGEST_NOTE,
  MOST_NOTES,
  reportOfNote,
  type Note,
  type NoteKey,
  type NoteLine,
} from '../../contract/model/note.ts';
import { readOrNull } from '../database/stored-json.ts';
import { THIS_MIRROR, thisMirror } from '../database/properties.ts';
import { lineOf } from '../reports/reports.ts';
import { row, rows, run, sql, value, type Db, type WritableDb } from '../sql.ts';
import { resolveStory } from '../stories/story-aliases.ts';

/** In bytes, of all notes: an export stays well below the 64 MB that an import accepts. */
const MAX_BYTES = 24_000_000;
/** In UTF-16 units: about three lines of a list. */
const MAX_EXCERPT = 300;
const MAX_TITLE = 300;

export const ITEM_HAS_NOTE = `EXISTS (SELECT 1 FROM user.note
  WHERE note.mirror = ${THIS_MIRROR} AND note.kind = 'item' AND note.id = item.id)`;

const KEYS = sql`SELECT kind, id FROM user.note WHERE mirror = ${THIS_MIRROR} ORDER BY kind, id`;
const NEWEST = sql`SELECT mirror, kind, id, text, created_at, changed_at FROM user.note
  WHERE mirror = ${THIS_MIRROR} ORDER BY changed_at DESC, kind, id LIMIT ? OFFSET ?`;
const COUNT = sql`SELECT count(*) FROM user.note WHERE mirror = ${THIS_MIRROR}`;

interface NoteRow extends NoteKey {
  mirror: string;
  text: string;
  created_at: number;
  changed_at: number;
}

export function get(db: Db, key: NoteKey): { note: Note | null; service: string } {
  const service = thisMirror(db);
  return { note: find(db, resolve(db, key), service), service };
}

export function find(db: Db, key: NoteKey, service = thisMirror(db)): Note | null {
  const found = findRow(db, service, key);
  return found ? toNote(found) : null;
}

export function hasNote(db: Db, key: NoteKey): boolean {
  return findRow(db, thisMirror(db), resolve(db, key)) !== undefined;
}

export function resolve(db: Db, key: NoteKey): NoteKey {
  return key.kind === 'story' ? { kind: 'story', id: resolveStory(db, key.id) } : key;
}

export function keys(db: Db): NoteKey[] {
  return rows<NoteKey>(db, KEYS);
}

export function list(db: Db, limit: number, offset: number): { notes: NoteLine[]; total: number } {
  const notes = rows<NoteRow>(db, NEWEST, limit, offset).map((found) => toLine(db, found));
  return { notes, total: value<number>(db, COUNT) ?? 0 };
}

/** Removes the note for a blank text. Errors: `invalid_argument` for too many notes, or too long ones. */
export function set(
  db: WritableDb,
  { kind, id }: NoteKey,
  given: string,
  { now, service = thisMirror(db) }: { now: number; service?: string },
): { note: Note | null; changed: boolean } {
  const text = cleanNote(given);
  const before = findRow(db, service, { kind, id });
  if (text.trim() === '') return { note: null, changed: remove(db, { kind, id }, service) };
  if (before?.text === text) return { note: toNote(before), changed: false };
  const grown = totalBytes(db) - size(before?.text ?? '') + size(text);
  const isLonger = text.length > (before?.text.length ?? 0);
  if ((!before && countOf(db, service) >= MOST_NOTES) || (grown > MAX_BYTES && isLonger)) throw tooManyNotes();
  const saved = { mirror: service, kind, id, text, created_at: before?.created_at ?? now, changed_at: now };
  save(db, saved);
  return { note: toNote(saved), changed: true };
}

export function remove(db: WritableDb, { kind, id }: NoteKey, service = thisMirror(db)): boolean {
  return run(db, 'DELETE FROM user.note WHERE mirror = ? AND kind = ? AND id = ?', service, kind, id).changes === 1;
}

/** Keeps, of two versions of a note, the one that was changed later. */
export function mergeAll(db: WritableDb, exported: readonly NoteRow[]): ('taken' | 'unchanged' | 'skipped')[] {
  const counts = new Map<string, number>();
  let bytes = totalBytes(db);
  return exported.map((note) => {
    const here = findRow(db, note.mirror, note);
    if (here && here.changed_at >= note.changed_at) return 'unchanged';
    const count = counts.get(note.mirror) ?? countOf(db, note.mirror);
    counts.set(note.mirror, count);
    const grown = bytes - size(here?.text ?? '') + size(note.text);
    if ((!here && count >= MOST_NOTES) || grown > MAX_BYTES) return 'skipped';
    if (!here) counts.set(note.mirror, count + 1);
    bytes = grown;
    save(db, { ...note, created_at: Math.min(note.created_at, here?.created_at ?? note.created_at) });
    return 'taken';
  });
}

/** Sets a note of another machine; null removes it. Returns false if there is no room. */
export function carry(
  db: WritableDb,
  { mirror, kind, id }: NoteKey & { mirror: string },
  note: Pick<NoteRow, 'text' | 'created_at' | 'changed_at'> | null,
): boolean {
  if (note === null) {
    remove(db, { kind, id }, mirror);
    return true;
  }
  const here = findRow(db, mirror, { kind, id });
  const grown = totalBytes(db) - size(here?.text ?? '') + size(note.text);
  if ((!here && countOf(db, mirror) >= MOST_NOTES) || grown > MAX_BYTES) return false;
  save(db, { mirror, kind, id, ...note });
  return true;
}

/** Joins two notes into one; if that would be too long, the older one stays where it is, in the list of notes. */
export function moveStory(db: WritableDb, merged: string, survivor: string): void {
  const service = thisMirror(db);
  const old = merged === survivor ? undefined : findRow(db, service, { kind: 'story', id: merged });
  if (!old) return;
  const there = findRow(db, service, { kind: 'story', id: survivor });
  const text = there ? `${there.text}\n\n${old.text}` : old.text;
  if (text.length > LONGEST_NOTE) return;
  remove(db, old, service);
  save(db, {
    ...old,
    id: survivor,
    text,
    created_at: Math.min(old.created_at, there?.created_at ?? old.created_at),
    changed_at: Math.max(old.changed_at, there?.changed_at ?? old.changed_at),
  });
}

function findRow(db: Db, service: string, { kind, id }: NoteKey): NoteRow | undefined {
  return row<NoteRow>(
    db,
    'SELECT mirror, kind, id, text, created_at, changed_at FROM user.note WHERE mirror = ? AND kind = ? AND id = ?',
    service,
    kind,
    id,
  );
}

function save(db: WritableDb, { mirror, kind, id, text, created_at, changed_at }: NoteRow): void {
  run(
    db,
    `INSERT INTO user.note (mirror, kind, id, text, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET text = excluded.text, created_at = excluded.created_at, changed_at = excluded.changed_at`,
    ...[mirror, kind, id, text, created_at, changed_at],
  );
}

function countOf(db: Db, service: string): number {
  return value<number>(db, 'SELECT count(*) FROM user.note WHERE mirror = ?', service) ?? 0;
}

function totalBytes(db: Db): number {
  return value<number>(db, 'SELECT ifnull(sum(octet_length(text)), 0) FROM user.note') ?? 0;
}

function toNote({ kind, id, text, created_at: created, changed_at: changed }: NoteRow): Note {
  return { kind, id, text, createdAt: asTime(created) ?? '', changedAt: asTime(changed) ?? '' };
}

function toLine(db: Db, note: NoteRow): NoteLine {
  const { kind, id, createdAt, changedAt } = toNote(note);
  const excerpt = note.text.slice(0, MAX_EXCERPT).toWellFormed();
  return { kind, id, excerpt, cut: excerpt.length < note.text.length, createdAt, changedAt, ...subjectOf(db, note) };
}

function subjectOf(db: Db, { kind, id }: NoteKey): { title: string; source: string } {
  if (kind === 'item') {
    const item = row<{ title: string; source_name: string | null }>(
      db,
      'SELECT title, source_name FROM main.item WHERE id = ?',
      id,
    );
    return { title: oneLine(item?.title, MAX_TITLE), source: oneLine(item?.source_name, MAX_TITLE) };
  }
  const title =
    kind === 'story'
      ? value<string>(db, 'SELECT title FROM main.story WHERE public_id = ? AND body IS NOT NULL', id)
      : headlineOf(db, id);
  return { title: oneLine(title, MAX_TITLE), source: '' };
}

function headlineOf(db: Db, id: string): string | null {
  const report = reportOfNote(id);
  const line =
    report &&
    value<string | null>(db, 'SELECT line FROM main.report WHERE kind = ? AND label = ?', report.kind, report.label);
  return line ? readOrNull(db, () => lineOf({ line }).headline ?? null) : null;
}

function size(text: string): number {
  return Buffer.byteLength(text);
}

function tooManyNotes(): BroadsheetError {
  return new BroadsheetError('invalid_argument', 'There is no room for more notes. Remove some of them first.');
}
