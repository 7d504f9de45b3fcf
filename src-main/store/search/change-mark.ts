import type { Database } from 'better-sqlite3';

/**
 * A value that changes with every commit to these schemas, by whatever connection; cheap enough for each key that is
 * typed. It may change without one, too.
 */
export function changeMark(database: Database, schemas: readonly string[]): () => string {
  // Commits of other connections, and rows that this one has written.
  const versions = schemas.map((schema) => database.prepare<[], number>(`PRAGMA ${schema}.data_version`).pluck());
  const written = database.prepare<[], number>('SELECT total_changes()').pluck();
  return () => [...versions, written].map((statement) => statement.get()).join(' ');
}
