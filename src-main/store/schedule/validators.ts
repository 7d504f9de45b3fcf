/** The ETag of each response whose body is saved, byte for byte, with the exact address that it came from. */
import { run, value, type Db, type WritableDb } from '../sql.ts';

export function get(db: Db, resource: string, address: string): string | undefined {
  return value<string>(db, 'SELECT etag FROM validator WHERE resource = ? AND address = ?', resource, address);
}

/** Call it in the transaction that saves the body. Null clears: the new body came without an ETag. */
export function set(db: WritableDb, resource: string, address: string, etag: string | null): void {
  if (etag === null) {
    clear(db, resource);
    return;
  }
  run(
    db,
    `INSERT INTO validator (resource, address, etag) VALUES (?, ?, ?)
     ON CONFLICT (resource) DO UPDATE SET address = excluded.address, etag = excluded.etag
     WHERE address <> excluded.address OR etag <> excluded.etag`,
    ...[resource, address, etag],
  );
}

export function clear(db: WritableDb, resource: string): void {
  run(db, 'DELETE FROM validator WHERE resource = ?', resource);
}
