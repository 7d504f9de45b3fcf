/**
 * Items that the service dropped. A departure from the selected set is open until the item list has the item. A parked
 * item was dropped without saying so: it stays until the service confirms the removal (docs/decisions/144).
 */
import { row, rows, run, value, values, type Db, type WritableDb } from '../sql.ts';

interface Departure {
  at: number;
  /** The number of the write that added the item. */
  added: number;
}

/**
 * `member`: a snapshot lacked it. `left`: it left the set; `old`: too old for the item list. `listed`: the list lacked
 * it.
 */
export type Parking = 'member' | 'left' | 'old' | 'listed';

export function addDeparture(db: WritableDb, id: string, { at, added }: Departure): void {
  run(
    db,
    `INSERT INTO departure (id, at, added, confirmed) VALUES (?, ?, ?, 0)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, confirmed = 0`,
    ...[id, at, added],
  );
}

export function endDeparture(db: WritableDb, id: string): Departure | undefined {
  const departure = row<Departure>(db, 'SELECT at, added FROM departure WHERE id = ?', id);
  if (departure) run(db, 'DELETE FROM departure WHERE id = ?', id);
  return departure;
}

export function confirmDeparture(db: WritableDb, id: string): void {
  run(db, 'UPDATE departure SET confirmed = 1 WHERE id = ?', id);
}

export function openDepartures(db: Db): { id: string; at: number }[] {
  return rows<{ id: string; at: number }>(
    db,
    `SELECT departure.id, at FROM departure JOIN item ON item.id = departure.id JOIN item_index USING (key)
     WHERE confirmed = 0 AND generation = 0`,
  );
}

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
export function confirmListed(db: WritableDb, id: string): void {
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
