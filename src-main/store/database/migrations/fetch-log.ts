/**
 * fetch-log.db: when each resource was asked and what came of it. Apart from the mirror, so that an hour in which nothing
 * changed writes nothing there, and so that a Retry-After survives a rebuild. Append only.
 */
export const FETCH_LOG_MIGRATIONS: readonly string[] = [
  `
  -- Times are ms since 1970, spans are ms.
  CREATE TABLE schedule (
    resource TEXT PRIMARY KEY,
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    lifetime INTEGER NOT NULL,
    retry_after INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    failure TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    requests INTEGER NOT NULL,
    added INTEGER NOT NULL,
    revised INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    skipped_reasons TEXT NOT NULL,
    failure TEXT
  ) STRICT;
  CREATE INDEX run_resource ON run (resource, id);

  -- When each report was last asked for, and for how long that answer holds: a copy that still stands is no write to the
  -- mirror. Goes with the mirror that it speaks of.
  CREATE TABLE report_ask (
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    PRIMARY KEY (kind, label)
  ) STRICT, WITHOUT ROWID;
  -- When the index of a kind was last read, and when to its end.
  CREATE TABLE index_look (
    kind TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    whole_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
