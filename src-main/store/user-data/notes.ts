import { oneLine } from '../../common/text.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  cleanNote,
  LONGEST_NOTE,
  noteHitId,
  noteOfHit,
  reportOfNote,
  type NamedNote,
  type Note,
  type NoteKey,
  type NoteKind,
  type NoteLine,
} from '../../contract/model/note.ts';
import { LONGEST_TITLE, type Name, type ValueOf } from '../../contract/records.ts';
import { THIS_SERVICE, thisMirror } from '../database/properties.ts';
import * as records from '../records.ts';
import { headField } from '../documents.ts';
import { row, sql, value, values, type Db } from '../sql.ts';
import { resolveStory } from '../stories/story-statuses.ts';
import type { Tx } from '../tx.ts';

/** In UTF-16 units: about three lines of a list. */
const MAX_EXCERPT = 300;

type NoteValue = ValueOf<'note'>;

interface Subject {
  title: string | null;
  link: string | null;
  source: string | null;
}

const NAMELESS: Name = { title: '', link: null };

export const ITEM_HAS_NOTE = hasNoteSql('item', 'item.id');

const ITEM = sql`SELECT title, link_original AS link, source_name AS source FROM main.item WHERE id = ?`;
const DOCUMENT = sql`SELECT coalesce(${headField('title')}, ${headField('headline')}) AS title,
    ${headField('links.aihot')} AS link, NULL AS source FROM document WHERE kind = ? AND id = ?`;
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

/** With its subject's name, whether or not that is still saved. */
export function findNamed(db: Db, key: NoteKey): NamedNote | null {
  const found = records.get(db, 'note', noteHitId(key));
  return found && { ...toNote(key, found), ...subjectOf(db, key, found) };
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
  const isHere = service === tx.kept.service;
  const { title, link } = isHere ? subjectOf(tx.db, key, here) : (here ?? NAMELESS);
  const note = { text, createdAt: here?.createdAt ?? now, changedAt: now, title, link };
  if (!records.hasRoom(tx.db, 'note', id, note, service)) throw tooManyNotes();
  records.set(tx, 'note', id, note, service);
  return { note: toNote(key, note), changed: true };
}

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
  const { title, link } = there && there.title !== '' ? there : old;
  records.derive(tx, [from, to], to, {
    text,
    createdAt: Math.min(old.createdAt, there?.createdAt ?? old.createdAt),
    changedAt: Math.max(old.changedAt, there?.changedAt ?? old.changedAt),
    title,
    link,
  });
  records.derive(tx, [from], from, null);
}

function toNote({ kind, id }: NoteKey, { text, createdAt, changedAt }: NoteValue): Note {
  return { kind, id, text, createdAt: asTime(createdAt) ?? '', changedAt: asTime(changedAt) ?? '' };
}

function toLine(db: Db, key: NoteKey, note: NoteValue): NoteLine {
  const { text, ...line } = toNote(key, note);
  const excerpt = text.slice(0, MAX_EXCERPT).toWellFormed();
  return { ...line, excerpt, cut: excerpt.length < text.length, ...subjectOf(db, key, note) };
}

/** By its present name, or else by the one that the note keeps. */
export function subjectOf(db: Db, key: NoteKey, note: Name | null): Name & { source: string } {
  const found = findSubject(db, key) ?? { ...NAMELESS, source: null };
  const name = records.nameOf(found);
  const { title, link } = name.title === '' && note ? note : name;
  return { title, link, source: oneLine(found.source, LONGEST_TITLE) };
}

function findSubject(db: Db, { kind, id }: NoteKey): Subject | undefined {
  if (kind === 'item') return row<Subject>(db, ITEM, id);
  const report = kind === 'report' ? reportOfNote(id) : null;
  return row<Subject>(db, DOCUMENT, report?.kind ?? kind, report?.label ?? id);
}

function tooManyNotes(): BroadsheetError {
  return new BroadsheetError('invalid_argument', 'There is no room for more notes. Remove some of them first.');
}
