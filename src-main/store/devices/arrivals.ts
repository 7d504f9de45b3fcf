import { noteOfHit, reportOfNote, type NoteKey } from '../../contract/model/note.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import * as records from '../records.ts';
import * as rules from '../rules/rules.ts';
import { findRecord } from '../stories/stories.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import type { Changed, Tx } from '../tx.ts';
import * as notes from '../user-data/notes.ts';

/** Changed by other devices. Limited to the service in use. */
export interface Arrivals {
  items: string[];
  stories: string[];
  reports: { kind: ReportKind; label: string }[];
  notes: (NoteKey & { noted: boolean })[];
  rules: boolean;
  models: boolean;
}

export function take(tx: Tx, given: readonly records.Stamped[]): { arrivals: Arrivals; refused: number } {
  const { refused } = records.take(tx, given);
  const arrivals: Arrivals = { items: [], stories: [], reports: [], notes: [], rules: false, models: false };
  // The effects change records, too.
  const changed = tx.changed.map(({ ids, ...kind }) => ({ ...kind, ids: [...ids] }));
  for (const one of changed) {
    if (one.service === tx.kept.service) arriveHere(tx, one, arrivals);
    else if (one.kind === 'saved' || one.kind === 'mute') arrivals.rules = true;
    else if (one.kind === 'favourite') arrivals.models = true;
  }
  if (arrivals.rules) rules.followRules(tx);
  return { arrivals, refused };
}

function arriveHere(tx: Tx, { kind, ids }: Changed, arrivals: Arrivals): void {
  switch (kind) {
    case 'read':
    case 'star':
      arrivals.items.push(...ids);
      break;
    case 'follow':
    case 'story':
      for (const id of ids) followStory(tx, id, kind);
      arrivals.stories.push(...ids);
      break;
    case 'report':
      arrivals.reports.push(...ids.flatMap((id) => reportOfNote(id) ?? []));
      break;
    case 'note':
      for (const id of ids) arrivals.notes.push(...followNote(tx, id));
      break;
  }
}

function followStory(tx: Tx, id: string, kind: 'follow' | 'story'): void {
  const { db } = tx;
  if (kind === 'follow') {
    const at = records.get(db, 'follow', id);
    storyStatuses.setSeen(tx, id, at !== null, findRecord(db, id)?.story ?? null, at ?? tx.now);
  }
  const survivor = resolveStory(db, id);
  if (survivor !== id) storyStatuses.move(tx, id, survivor);
}

function followNote(tx: Tx, id: string): (NoteKey & { noted: boolean })[] {
  const key = noteOfHit(id);
  if (!key) return [];
  const noted = records.get(tx.db, 'note', id) !== null;
  const survivor = notes.resolve(tx.db, key).id;
  if (survivor !== key.id) notes.moveStory(tx, key.id, survivor);
  return [{ ...key, noted }];
}
