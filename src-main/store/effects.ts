/** Follows changed records once, at the end of a transaction, whoever changed them. */
import { noteOfHit } from '../contract/model/note.ts';
import { isKind, KINDS, type Effect } from '../contract/records.ts';
import { followRules } from './rules/rules.ts';
import { followMarks } from './statuses/item-statuses.ts';
import { projectStart } from './statuses/reading-start.ts';
import * as storyStatuses from './stories/story-statuses.ts';
import type { Changed, Tx } from './tx.ts';
import * as notes from './user-data/notes.ts';

const EFFECTS: Partial<Record<Effect, (tx: Tx, ids: readonly string[]) => void>> = {
  start: projectStart,
  rules: followRules,
  // Records of a story may arrive after its merge.
  stories: moveStories,
  notes: moveNotes,
};

export function followRecords(tx: Tx): void {
  if (tx.changed.length === 0) return;
  const byEffect = Map.groupBy(tx.changed, (one) => effectOf(tx, one));
  for (const [effect, follow] of Object.entries(EFFECTS)) {
    const ids = byEffect.get(effect as Effect)?.flatMap((one) => one.ids) ?? [];
    if (ids.length > 0) follow(tx, ids);
  }
  // The last: the others change records of items, too.
  followMarks(tx);
}

/** Records of other services wait for theirs. */
function effectOf({ kept }: Tx, { kind, service }: Changed): Effect | null {
  return isKind(kind) && (service === '' || service === kept.service) ? KINDS[kind].effect : null;
}

function moveStories(tx: Tx, ids: readonly string[]): void {
  for (const id of new Set(ids)) {
    const survivor = storyStatuses.resolveStory(tx.db, id);
    if (survivor !== id) storyStatuses.move(tx, id, survivor);
  }
}

function moveNotes(tx: Tx, ids: readonly string[]): void {
  for (const id of ids) {
    const key = noteOfHit(id);
    if (key?.kind === 'story') notes.moveStory(tx, key.id, storyStatuses.resolveStory(tx.db, key.id));
  }
}
