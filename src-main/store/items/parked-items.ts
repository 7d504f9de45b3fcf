/** Items that the service dropped without saying so. They stay until it confirms the removal (docs/decisions/144). */
import { run, value, values, type Db, type WritableDb } from '../sql.ts';

/**
 * `member`: a snapshot lacked it; it is still in the selected set. `left`: it left the set. `old`: it left, and is too
 * old for the item list to show that it is public. `listed`: the item list lacked it.
 */
export type Parking = 'member' | 'left' | 'old' | 'listed';

export function hasParked(db: Db): boolean {
  return value<number>(db, 'SELECT EXISTS (SELECT 1 FROM parked_item)') === 1;
}

export function parkItem(db: WritableDb, id: string, parking: Parking): void {
  run(db, 'INSERT OR REPLACE INTO parked_item (id, parking) VALUES (?, ?)', id, parking);
}

export function takeParked(db: WritableDb, id: string): Parking | undefined {
  return value<Parking>(db, 'DELETE FROM parked_item WHERE id = ? RETURNING parking', id);
}

/** Call it when the list has the item: it is public, but may have left the selected set. */
export function parkedSeen(db: WritableDb, id: string): void {
  run(db, "DELETE FROM parked_item WHERE id = ? AND parking IN ('old', 'listed')", id);
}

export function parkedIds(db: Db, parking: Parking): string[] {
  return values<string>(db, 'SELECT id FROM parked_item WHERE parking = ?', parking);
}

export function countParked(db: Db, parking: Parking): number {
  return value<number>(db, 'SELECT count(*) FROM parked_item WHERE parking = ?', parking) ?? 0;
}

export function parkingOf(db: Db, id: string): Parking | undefined {
  return value<Parking>(db, 'SELECT parking FROM parked_item WHERE id = ?', id);
}
