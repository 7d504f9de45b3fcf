import { run, value, type Db, type WritableDb } from '../sql.ts';

/** Returns the survivor of a merge; the given id if no merge is known. */
export function resolveStory(db: Db, publicId: string): string {
  return value<string>(db, 'SELECT survivor FROM story_alias WHERE public_id = ?', publicId) ?? publicId;
}

/** Leads earlier merges into the story to its survivor. */
export function addStoryAlias(db: WritableDb, merged: string, survivor: string): void {
  run(db, 'DELETE FROM story_alias WHERE public_id = ?', survivor);
  run(db, 'UPDATE story_alias SET survivor = ? WHERE survivor = ?', survivor, merged);
  run(db, 'INSERT OR REPLACE INTO story_alias (public_id, survivor) VALUES (?, ?)', merged, survivor);
}
