/** The reader's data and the history of models can't be downloaded again. Never edited: see store/database/databases.ts. */
export const USER_001 = `
CREATE TABLE property (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The notification history. It holds no texts of the service, only references to them. mirror is the name of the
-- service, or of the gateway for kind 'models'; key identifies the event, so that it is notified once; target is JSON
-- of the contract's Target; items is JSON of the ids of the items of a saved search, newest first, [] for other kinds;
-- state is 'shown', 'held' (quiet hours) or 'silent'.
CREATE TABLE notification (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  mirror TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  target TEXT NOT NULL,
  items TEXT NOT NULL DEFAULT '[]',
  state TEXT NOT NULL,
  notified_at INTEGER
) STRICT;
CREATE INDEX notification_held ON notification (id) WHERE state = 'held';

-- Up to where a service's data was checked for notifications. name is a report kind (value: a label), a model list
-- (value: a refresh of the change log), 'story', 'story ' and an id (JSON of what was notified about it), or 'saved'
-- (JSON of the mirror's build and its last write).
CREATE TABLE notification_progress (
  mirror TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (mirror, name)
) STRICT, WITHOUT ROWID;

-- Models, with a history that can't be downloaded again. owner names a gateway: its address, or 'demo'.
-- The saved state of a model list. hash covers all of its records in order; key_ending is the part of the API key that
-- may be shown, null without a key. held is JSON of an implausible list that waits for the reader's decision or a plausible
-- one. Times are ms since 1970.
CREATE TABLE model_list (
  owner TEXT NOT NULL,
  model_list TEXT NOT NULL,
  hash TEXT NOT NULL,
  key_ending TEXT,
  stored_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  held TEXT,
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
-- Removed models: if one returns, it keeps the time when it was first seen.
CREATE TABLE model_gone (
  owner TEXT NOT NULL,
  model_list TEXT NOT NULL,
  id TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (owner, model_list, id)
) STRICT;
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

-- The news services that records belong to: a normal address, or 'demo'. Row 0 is for what belongs to none. A gateway has
-- 'gateway ' before it. wait_span ms from wait_since it wants no requests (Retry-After).
CREATE TABLE service (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  wait_since INTEGER,
  wait_span INTEGER
) STRICT;
INSERT INTO service (id, name) VALUES (0, '');
-- The reader's devices. Row 0 is this one, whatever it is called; records and bytes are what came through the shared
-- folder under the name.
CREATE TABLE device (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  records INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO device (id, name) VALUES (0, '');
-- The register: what the reader decided, one row a key (contract/records.ts). A change replaces the row, which gets the
-- next seq, so that what changed since is a range of it. No row is deleted: value NULL is a removal. value is an
-- integer, or JSON in one spelling. made is ms since 1970; epoch, made and device say which of two values stays.
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,
  service INTEGER NOT NULL REFERENCES service,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value ANY,
  made INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  device INTEGER NOT NULL DEFAULT 0 REFERENCES device
) STRICT;
CREATE UNIQUE INDEX record_key ON record (service, kind, id);
CREATE INDEX record_star ON record (service, value ->> '$.time') WHERE kind = 'star' AND value IS NOT NULL;
CREATE INDEX record_note ON record (service, value ->> '$.changedAt') WHERE kind = 'note' AND value IS NOT NULL;
`;
