/**
 * models.db: what model gateways list, and what changed in it. The model lists can be fetched again, the changes cannot
 * (docs/decisions/030). owner is the name of a gateway: its address, or 'demo'. Append only.
 */
export const MODELS_MIGRATIONS: readonly string[] = [
  `
  -- A model_list as it was last stored. hash is of all its records, in their order; etag is of the answer that they came in;
  -- key_ending is what may be told of the key that was sent, null for none. Times are ms since 1970.
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

  -- body is JSON of the record as the gateway gave it. position falls along the model_list, with gaps: a model that came or
  -- went moves no other.
  CREATE TABLE model (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, model_list, id)
  ) STRICT;

  -- Models that left: one that comes back was first seen when it first came.
  CREATE TABLE gone (
    owner TEXT NOT NULL,
    model_list TEXT NOT NULL,
    id TEXT NOT NULL,
    first_seen_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, model_list, id)
  ) STRICT, WITHOUT ROWID;

  -- The change log: a refresh that found differences, and each of them. before and after are JSON, NULL where the field was
  -- not given; of models that came or left they hold the watched fields. price is the name of the price that changed.
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
    before TEXT,
    after TEXT
  ) STRICT;
  CREATE INDEX change_refresh ON change (refresh);
  CREATE INDEX change_model ON change (model);
  `,
];
