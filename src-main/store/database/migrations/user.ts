/** user.db: what the reader did. It outlives every mirror. Append only. */
export const USER_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE property (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- By the service's id, whether or not the item is in the mirror now: a mark outlives a withdrawal and a rebuild.
  -- sequence numbers the actions, so that a mirror can catch up with those it has not seen. Times are ms since 1970.
  CREATE TABLE item_status (
    item_id TEXT PRIMARY KEY,
    read_at INTEGER,
    starred_at INTEGER,
    sequence INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX item_status_sequence ON item_status (sequence);

  -- What the reader did with stories, by the survivor's id. mirror is the name of the service that gave the id: no other
  -- one is asked for it. seen is JSON of the report ids at the last look, digest_seen a hash of the digest.
  CREATE TABLE story_status (
    mirror TEXT NOT NULL,
    public_id TEXT NOT NULL,
    followed_at INTEGER,
    starred_at INTEGER,
    looked_at INTEGER,
    seen TEXT NOT NULL,
    digest_seen TEXT,
    PRIMARY KEY (mirror, public_id)
  ) STRICT, WITHOUT ROWID;

  -- Two services have reports of the same day: mirror is the name of the one that is meant.
  CREATE TABLE report_status (
    mirror TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    read_at INTEGER NOT NULL,
    PRIMARY KEY (mirror, kind, label)
  ) STRICT, WITHOUT ROWID;

  -- Citations that were read, by canonical original address: shared with the items of that address.
  CREATE TABLE address_status (
    address TEXT PRIMARY KEY,
    read_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Up to which write of a mirror the reader has caught up. mirror is the name of its service; build is the mirror's own
  -- mark, for one that is built anew numbers its writes from the start.
  CREATE TABLE visit (
    mirror TEXT PRIMARY KEY,
    build TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- What the reader did with models, by the gateway's id: two gateways mean one model by it. at is ms since 1970.
  CREATE TABLE model_favourite (
    model TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- folded is the alias without the difference of upper and lower case; position is its place among the model's.
  CREATE TABLE model_alias (
    folded TEXT PRIMARY KEY,
    alias TEXT NOT NULL,
    model TEXT NOT NULL,
    position INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX model_alias_model ON model_alias (model, position);

  -- The id of a workload that was removed is not given to another one: a page may still remember it.
  CREATE TABLE workload (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_cached INTEGER NOT NULL,
    requests_a_month INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  -- What was worth telling: the history of notifications. Of the service's texts nothing is kept here, only what leads to
  -- them. mirror is the name of the service that it is of, a gateway's for kind 'models'; key says what happened, so that it
  -- is told once; target is JSON of the contract's Target; state is 'told', 'held' (quiet hours) or 'silent'.
  CREATE TABLE notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    mirror TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    count INTEGER NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL,
    told_at INTEGER
  ) STRICT;
  CREATE INDEX notification_held ON notification (id) WHERE state = 'held';

  -- Up to what a service has been looked through for notifications. name is a report's kind (value: a label), a model_list (a
  -- refresh of the change log), 'story', or 'story ' and an id (JSON of what was told of it).
  CREATE TABLE notification_progress (
    mirror TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (mirror, name)
  ) STRICT, WITHOUT ROWID;
  `,
];
