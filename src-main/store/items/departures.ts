/**
 * Items that left the selected set. Such an item may be withdrawn or still be public; until the item list was seen to list
 * it, the departure is open.
 */
import { row, rows, run, type Db, type WritableDb } from '../sql.ts';

/** Times are ms since 1970. */
interface Departure {
  at: number;
  /** The number of the write that had added the item. */
  added: number;
}

export function addDeparture(db: WritableDb, id: string, { at, added }: Departure): void {
  run(
    db,
    `INSERT INTO departure (id, at, added, confirmed) VALUES (?, ?, ?, 0)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, confirmed = 0`,
    ...[id, at, added],
  );
}

/** Forgets the departure of an item that entered the set again or was removed, and returns it. */
export function endDeparture(db: WritableDb, id: string): Departure | undefined {
  const departure = row<Departure>(db, 'SELECT at, added FROM departure WHERE id = ?', id);
  if (departure) run(db, 'DELETE FROM departure WHERE id = ?', id);
  return departure;
}

/** Records that the item list still has the item. */
export function confirmDeparture(db: WritableDb, id: string): void {
  run(db, 'UPDATE departure SET confirmed = 1 WHERE id = ?', id);
}

/** Returns the departures that are not confirmed yet. */
export function openDepartures(db: Db): { id: string; at: number }[] {
  return rows<{ id: string; at: number }>(
    db,
    `SELECT departure.id, at FROM departure JOIN item ON item.id = departure.id JOIN item_index USING (key)
     WHERE confirmed = 0 AND generation = 0`,
  );
}
