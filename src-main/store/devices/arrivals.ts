import { noteOfHit, reportOfNote, type NoteKey } from '../../contract/model/note.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import * as records from '../records.ts';
import { findRecord } from '../stories/stories.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import type { Changed, Tx } from '../tx.ts';

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
  // Grows below.
  const changed = tx.changed.map(({ ids, ...kind }) => ({ ...kind, ids: [...ids] }));
  for (const one of changed) {
    if (one.service === tx.kept.service) arriveHere(tx, one, arrivals);
    else if (one.kind === 'saved' || one.kind === 'mute') arrivals.rules = true;
    else if (one.kind === 'favourite') arrivals.models = true;
  }
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
      if (kind === 'follow') for (const id of ids) seeStory(tx, id);
      arrivals.stories.push(...ids);
      break;
    case 'report':
      arrivals.reports.push(...ids.flatMap((id) => reportOfNote(id) ?? []));
      break;
    case 'note':
      arrivals.notes.push(...ids.flatMap((id) => noteAt(tx, id)));
      break;
  }
}

function seeStory(tx: Tx, id: string): void {
  const at = records.get(tx.db, 'follow', id);
  storyStatuses.setSeen(tx, id, at !== null, findRecord(tx.db, id)?.story ?? null, at ?? tx.now);
}

function noteAt({ db }: Tx, id: string): (NoteKey & { noted: boolean })[] {
  const key = noteOfHit(id);
  return key ? [{ ...key, noted: records.get(db, 'note', id) !== null }] : [];
}
