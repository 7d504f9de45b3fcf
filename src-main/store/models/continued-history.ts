import type { Database } from 'better-sqlite3';

const TABLES = ['model_list', 'model', 'model_gone', 'refresh', 'change'] as const;

/** A later user.db knows each model of a copy since the same time. One that began anew knows it later, or not at all. */
const UNCONTINUED = `SELECT 1 FROM main.model AS copied LEFT JOIN
  (SELECT owner, model_list, id, first_seen_at FROM later.model
   UNION ALL SELECT owner, model_list, id, first_seen_at FROM later.model_gone) AS known USING (owner, model_list, id)
  WHERE known.first_seen_at IS NULL OR known.first_seen_at > copied.first_seen_at`;

/** Both schemas, `main` and `later`, are of user.db. Call it in a transaction. */
export function continueHistory(database: Database): void {
  if (database.prepare(UNCONTINUED).get()) return;
  for (const table of TABLES) {
    database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM later.${table}`);
  }
}
