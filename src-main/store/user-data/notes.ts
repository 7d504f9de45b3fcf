import { oneLine } from '../../common/text.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  cleanNote,
  LONGEST_NOTE,
  noteHitId,
  noteOfHit,
  reportOfNote,
  type Note,
  type NoteKey,
  type NoteKind,
  type NoteLine,
} from '../../contract/model/note.ts';
import type { ValueOf } from '../../contract/records.ts';
import { readOrNull } from '../database/stored-json.ts';
import { THIS_SERVICE, thisMirror } from '../database/properties.ts';
import * as records from '../records.ts';
import * as documents from '../documents.ts';
import { headField } from '../documents.ts';
import { headerOf } from '../reports/reports.ts';
import { row, sql, value, values, type Db } from '../sql.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import type { Tx } from '../tx.ts';

/** In UTF-16 units: about three lines of a list. */
const MAX_EXCERPT = 300;
const MAX_TITLE = 300;

type NoteValue = ValueOf<'note'>;

export const ITEM_HAS_NOTE = hasNoteSql('item', 'item.id');

const STORY_TITLE = sql`SELECT ${headField('title')} FROM document WHERE kind = 'story' AND id = ?`;
const LIVE = `service = ${THIS_SERVICE} AND kind = 'note' AND value IS NOT NULL`;
const KEYS = sql`SELECT id FROM user.record WHERE ${LIVE} ORDER BY id`;
const NEWEST = sql`SELECT id FROM user.record WHERE ${LIVE} ORDER BY value ->> '$.changedAt' DESC, id LIMIT ? OFFSET ?`;
const COUNT = sql`SELECT count(*) FROM user.record WHERE ${LIVE}`;

/** `id` is SQL. */
export function hasNoteSql(kind: NoteKind, id: string): string {
  return `EXISTS (SELECT 1 FROM user.record AS note WHERE note.service = ${THIS_SERVICE} AND note.kind = 'note'
    AND note.id = '${kind}/' || ${id} AND note.value IS NOT NULL)`;
}

export function get(db: Db, key: NoteKey): { note: Note | null; service: string } {
  const service = thisMirror(db);
  return { note: find(db, resolve(db, key), service), service };
}

export function find(db: Db, key: NoteKey, service = thisMirror(db)): Note | null {
  const found = records.get(db, 'note', noteHitId(key), service);
  return found && toNote(key, found);
}

export function hasNote(db: Db, key: NoteKey): boolean {
  return find(db, resolve(db, key)) !== null;
}

export function resolve(db: Db, key: NoteKey): NoteKey {
  return key.kind === 'story' ? { kind: 'story', id: resolveStory(db, key.id) } : key;
}

export function keys(db: Db): NoteKey[] {
  return values<string>(db, KEYS).flatMap((id) => noteOfHit(id) ?? []);
}

export function list(db: Db, limit: number, offset: number): { notes: NoteLine[]; total: number } {
  const notes = values<string>(db, NEWEST, limit, offset).flatMap((id) => {
    const [key, note] = [noteOfHit(id), records.get(db, 'note', id)];
    return key && note ? [toLine(db, key, note)] : [];
  });
  return { notes, total: value<number>(db, COUNT) ?? 0 };
}

/** Removes the note for a blank text. Errors: `invalid_argument` for too many notes, or too long ones. */
export function set(
  tx: Tx,
  key: NoteKey,
  given: string,
  { now, service = tx.kept.service }: { now: number; service?: string },
): { note: Note | null; changed: boolean } {
  const text = cleanNote(given);
  const id = noteHitId(key);
  const here = records.get(tx.db, 'note', id, service);
  if (text.trim() === '') return { note: null, changed: remove(tx, key, service) !== null };
  if (here?.text === text) return { note: toNote(key, here), changed: false };
  const note = { text, createdAt: here?.createdAt ?? now, changedAt: now };
  if (!records.hasRoom(tx.db, 'note', id, note, service)) throw tooManyNotes();
  records.set(tx, 'note', id, note, service);
  return { note: toNote(key, note), changed: true };
}

/** Returns the note that there was. */
export function remove(tx: Tx, key: NoteKey, service = tx.kept.service): Note | null {
  const note = find(tx.db, key, service);
  if (note) records.set(tx, 'note', noteHitId(key), null, service);
  return note;
}

/**
 * Joins two notes into one; if that would be too long, the older one stays where it is, in the list of notes. Not the
 * reader's act: each device that learns of the merge writes the same, with stamps just after those of the two notes.
 */
export function moveStory(tx: Tx, merged: string, survivor: string): void {
  const { db, kept } = tx;
  const keyOf = (id: string) => ({ kind: 'note', service: kept.service, id: noteHitId({ kind: 'story', id }) });
  const [from, to] = [keyOf(merged), keyOf(survivor)];
  const old = merged === survivor ? null : records.get(db, 'note', from.id);
  if (!old) return;
  const there = records.get(db, 'note', to.id);
  const text = there ? `${there.text}\n\n${old.text}` : old.text;
  if (text.length > LONGEST_NOTE) return;
  records.derive(tx, [from, to], to, {
    text,
    createdAt: Math.min(old.createdAt, there?.createdAt ?? old.createdAt),
    changedAt: Math.max(old.changedAt, there?.changedAt ?? old.changedAt),
  });
  records.derive(tx, [from], from, null);
}

function toNote({ kind, id }: NoteKey, { text, createdAt, changedAt }: NoteValue): Note {
  return { kind, id, text, createdAt: asTime(createdAt) ?? '', changedAt: asTime(changedAt) ?? '' };
}

function toLine(db: Db, key: NoteKey, note: NoteValue): NoteLine {
  const { kind, id, createdAt, changedAt } = toNote(key, note);
  const excerpt = note.text.slice(0, MAX_EXCERPT).toWellFormed();
  return { kind, id, excerpt, cut: excerpt.length < note.text.length, createdAt, changedAt, ...subjectOf(db, key) };
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
  const title = kind === 'story' ? value<string | null>(db, STORY_TITLE, id) : headlineOf(db, id);
  return { title: oneLine(title, MAX_TITLE), source: '' };
}

function headlineOf(db: Db, id: string): string | null {
  const report = reportOfNote(id);
  const line = report && documents.line(db, report.kind, report.label);
  return line ? readOrNull(db, () => headerOf(line)?.headline ?? null) : null;
}

function tooManyNotes(): BroadsheetError {
  return new BroadsheetError('invalid_argument', 'There is no room for more notes. Remove some of them first.');
}
