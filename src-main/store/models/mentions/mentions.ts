/** The models that items seem to name, by the key of the item. */
import { run, values, type WritableDb } from '../../sql.ts';

/** Replaces the mentions of an item; returns true if they changed. */
export function replaceMentions(db: WritableDb, key: number, models: readonly string[]): boolean {
  const before = values<string>(db, 'SELECT model FROM mention WHERE key = ? ORDER BY model', key);
  const added = models.filter((model) => !before.includes(model));
  const removed = before.filter((model) => !models.includes(model));
  for (const model of added) run(db, 'INSERT INTO mention (key, model) VALUES (?, ?)', key, model);
  for (const model of removed) run(db, 'DELETE FROM mention WHERE key = ? AND model = ?', key, model);
  return added.length > 0 || removed.length > 0;
}

export function removeMentions(db: WritableDb, key: number): void {
  run(db, 'DELETE FROM mention WHERE key = ?', key);
}

/** Gives the mentions of an item its new key. */
export function moveMentions(db: WritableDb, from: number, to: number): void {
  run(db, 'UPDATE mention SET key = ? WHERE key = ?', to, from);
}

/** Deletes all mentions and returns the ids of their items. */
export function clearMentions(db: WritableDb): string[] {
  const ids = values<string>(
    db,
    'SELECT id FROM item_index JOIN item USING (arrival) WHERE item_index.key IN (SELECT key FROM mention)',
  );
  if (ids.length > 0) run(db, 'DELETE FROM mention');
  return ids;
}
