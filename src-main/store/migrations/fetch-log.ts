/** Separate from the mirror: a poll without changes doesn't write to it, and a Retry-After survives a rebuild. Append only. */
export const FETCH_LOG_MIGRATIONS: readonly string[] = [
  `
  -- Times are ms since 1970, durations are in ms.
  CREATE TABLE schedule (
    resource TEXT PRIMARY KEY,
    requested_at INTEGER NOT NULL,
    answered_at INTEGER,
    lifetime INTEGER NOT NULL,
    retry_after INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    failure TEXT
  ) STRICT, WITHOUT ROWID;

  -- The Retry-After of a whole service: span ms from since.
  CREATE TABLE service_pause (
    service TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    span INTEGER NOT NULL
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

  -- When each report was last requested, and how long that response stays fresh. Kept here so that an unchanged report
  -- is no write to the mirror. Cleared when the mirror is rebuilt.
  CREATE TABLE report_request (
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    -- Failures in a row, and how long to wait after the last one (ms).
    failures INTEGER NOT NULL DEFAULT 0,
    backoff INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, label)
  ) STRICT, WITHOUT ROWID;
  -- Stories whose last request failed. Cleared when the mirror is rebuilt.
  CREATE TABLE story_failure (
    public_id TEXT PRIMARY KEY,
    failed_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    backoff INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- When the index of a kind was last fetched, and when it was last fetched completely.
  CREATE TABLE index_fetch (
    kind TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    whole_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- checked_at: the last request that was answered; NULL if that isn't known.
  CREATE TEMP TABLE earlier AS SELECT * FROM fetchLog.report_request;
  DROP TABLE fetchLog.report_request;
  CREATE TABLE report_request (
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    checked_at INTEGER,
    lifetime INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    backoff INTEGER NOT NULL,
    PRIMARY KEY (kind, label)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO fetchLog.report_request
    SELECT kind, label, requested_at, CASE failures WHEN 0 THEN requested_at END, lifetime, failures, backoff FROM temp.earlier;
  DROP TABLE temp.earlier;
  `,
];
