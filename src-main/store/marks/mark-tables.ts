import type { ReportKind } from '../../contract/model/report.ts';
import type { NoteKey } from '../../contract/model/note.ts';
import type { Mark, MarkKind } from '../../common/marks.ts';
import * as records from '../records.ts';
import * as rules from '../rules/rules.ts';
import type { Db } from '../sql.ts';
import { findRecord } from '../stories/stories.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import type { Tx } from '../tx.ts';
import * as notes from '../user-data/notes.ts';
import type { JournalRow } from './mark-journal.ts';
import { noteOfId, parseValue, reportOfId } from './mark-values.ts';

/** Limited to the mirrored service. */
export interface AppliedMarks {
  items: string[];
  stories: string[];
  reports: { kind: ReportKind; label: string }[];
  notes: (NoteKey & { noted: boolean })[];
  rules: boolean;
  models: boolean;
}

interface CurrentValue {
  kind: MarkKind;
  value: string | null;
  /** When the reader acted; null if the table doesn't say. */
  madeAt: number | null;
}

export function valueOf(db: Db, { kind, service, id }: JournalRow): CurrentValue {
  const { value = null, time = null } = records.stamped(db, { kind, service, id }) ?? {};
  return { kind, value, madeAt: time };
}

export function applyMarks(tx: Tx, marks: readonly Mark[]): { applied: AppliedMarks; leftOut: ReadonlySet<Mark> } {
  const applied: AppliedMarks = { items: [], stories: [], reports: [], notes: [], rules: false, models: false };
  const leftOut = new Set<Mark>();
  for (const mark of marks) if (!applyOne(tx, mark, applied)) leftOut.add(mark);
  if (applied.rules) rules.followRules(tx);
  return { applied, leftOut };
}

/** Returns false if there is no room. */
function applyOne(tx: Tx, mark: Mark, applied: AppliedMarks): boolean {
  const { kind, service, id } = mark;
  const isHere = service === tx.kept.service;
  switch (kind) {
    case 'read':
      setTime(tx, mark);
      if (isHere) applied.items.push(id);
      return true;
    case 'star':
      records.set(tx, 'star', id, mark.value === null ? null : parseValue('star', mark.value), service);
      if (isHere) applied.items.push(id);
      return true;
    case 'follow':
    case 'story':
      applyStory(tx, mark, isHere);
      if (isHere) applied.stories.push(id);
      return true;
    case 'report': {
      const key = reportOfId(id);
      if (!key) return true;
      setTime(tx, mark);
      if (isHere) applied.reports.push(key);
      return true;
    }
    case 'address':
      setTime(tx, mark);
      return true;
    case 'favourite':
      setTime(tx, mark);
      applied.models = true;
      return true;
    case 'note':
      return applyNote(tx, mark, isHere, applied);
    case 'saved':
    case 'mute':
      applied.rules = true;
      return applyRule(tx, mark, kind);
    default:
      return true;
  }
}

function applyStory(tx: Tx, mark: Mark, isHere: boolean): void {
  const { db } = tx;
  const { kind, id, value: text } = mark;
  // Everything here of the story counts as seen, as if it were followed here.
  if (isHere && kind === 'follow') {
    storyStatuses.follow(tx, id, text !== null, findRecord(db, id)?.story ?? null, Number(text));
  }
  setTime(tx, mark);
  const survivor = isHere ? resolveStory(db, id) : id;
  if (survivor !== id) storyStatuses.move(tx, id, survivor);
}

function applyNote(tx: Tx, { service, id, value: text }: Mark, isHere: boolean, applied: AppliedMarks): boolean {
  const key = noteOfId(id);
  if (!key) return true;
  const note = text === null ? null : parseValue('note', text);
  const isTaken = note === null || records.hasRoom(tx.db, 'note', id, note, service);
  if (isTaken) records.set(tx, 'note', id, note, service);
  if (!isHere) return isTaken;
  const survivor = notes.resolve(tx.db, key).id;
  if (survivor !== key.id) notes.moveStory(tx, key.id, survivor);
  applied.notes.push({ ...key, noted: note !== null });
  return isTaken;
}

function setTime(tx: Tx, { kind, service, id, value: text }: Mark): void {
  records.set(tx, kind, id, text === null ? null : Number(text), service);
}

/** Returns false if there is no room. */
function applyRule(tx: Tx, { id, value: text }: Mark, kind: 'saved' | 'mute'): boolean {
  const rule = text === null ? null : parseValue(kind, text);
  if (rule !== null && !records.hasRoom(tx.db, kind, id, rule)) return false;
  records.set(tx, kind, id, rule);
  return true;
}
