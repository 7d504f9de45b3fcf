/** Changes of models can't be downloaded again. owner names a gateway: its address, or 'demo'. Append only. */
export const MODELS_MIGRATIONS: readonly string[] = [
  `
  -- The saved state of a model list. hash covers all of its records in order; etag belongs to its response; key_ending
  -- is the part of the API key that may be shown, null without a key. Times are ms since 1970.
  CREATE TABLE model_list (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    etag TEXT,
    hash TEXT NOT NULL,
    key_ending TEXT,
    stored_at INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (owner, model_list)
  ) STRICT, WITHOUT ROWID;

  -- body is JSON of the record as received. position descends along the list, with gaps, so that added and removed
  -- models don't move the others.
  CREATE TABLE model (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, model_list, id)
  ) STRICT;

  -- An answer that would remove most of a saved list: it counts only if a later one has the same models. ids is a hash
  -- of their ids, count how many they are, at when the first such answer came.
  CREATE TABLE held_list (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    ids TEXT NOT NULL,
    count INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, model_list)
  ) STRICT, WITHOUT ROWID;

  -- Removed models: if one returns, it keeps the time when it was first seen.
  CREATE TABLE gone (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    id TEXT NOT NULL,
    first_seen_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, model_list, id)
  ) STRICT, WITHOUT ROWID;

  -- The change log: each refresh that found differences, and the differences. before and after are JSON, NULL if the
  -- field was missing; for added and removed models they hold the watched fields. price is the name of the changed
  -- price, tier the conditions of its tier as JSON.
  CREATE TABLE refresh (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    at INTEGER NOT NULL,
    other_key INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX refresh_owner ON refresh (owner, id);
  CREATE TABLE change (
    refresh INTEGER NOT NULL,
    model TEXT NOT NULL,
    name TEXT NOT NULL,
    field TEXT NOT NULL,
    price TEXT,
    tier TEXT,
    before TEXT,
    after TEXT
  ) STRICT;
  CREATE INDEX change_refresh ON change (refresh);
  CREATE INDEX change_model ON change (model);
  `,
  `
  -- An implausible list that waits for the reader's decision or a plausible one, with what it lacks most: saved is how many
  -- models, prices or context lengths (of) there are, kept how many of those it has. at is when the doubt began, hash covers
  -- its records in order, records is JSON. Lists held before were only counted; they are fetched again.
  DROP TABLE held_list;
  CREATE TABLE held_list (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    at INTEGER NOT NULL,
    of TEXT NOT NULL,
    saved INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    hash TEXT NOT NULL,
    records TEXT NOT NULL,
    etag TEXT,
    key_ending TEXT,
    PRIMARY KEY (owner, model_list)
  ) STRICT;
  `,
];
