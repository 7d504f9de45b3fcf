/** Items that left the selected set: withdrawn or still public. Open until the item list was seen to list the item. */
import { row, rows, run, type Db, type WritableDb } from '../sql.ts';

interface Departure {
  /** ms since 1970. */
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
