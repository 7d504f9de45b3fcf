/** user.db: what the reader did. It outlives every mirror. Append only. */
export const USER_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE property (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- By the service's id, whether or not the item is in the mirror now: a mark outlives a withdrawal and a rebuild.
  -- sequence numbers the actions, so that a mirror can catch up with those it has not seen. Times are ms since 1970.
  CREATE TABLE mark (
    item_id TEXT PRIMARY KEY,
    read_at INTEGER,
    starred_at INTEGER,
    sequence INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mark_sequence ON mark (sequence);
  `,
];
