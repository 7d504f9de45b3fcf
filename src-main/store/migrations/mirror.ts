/**
 * mirror.db: what the service said. It can be thrown away and fetched again. Append only: a migration that was released
 * is never edited, for somebody's file has run it.
 */
export const MIRROR_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE property (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- key is time-ordered (seconds since 1970 * 64 + n): newest first and keyset paging need no further index.
  -- changed is the sequence number of the write that last touched the row; the search index follows along it.
  CREATE TABLE item (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    original_title TEXT,
    summary TEXT,
    source_name TEXT,
    link_original TEXT,
    link_aihot TEXT,
    published_at TEXT,
    discovered_at TEXT,
    category TEXT,
    score REAL,
    selected INTEGER,
    reason TEXT,
    attribution TEXT,
    unknown TEXT,
    changed INTEGER NOT NULL,
    revised_at INTEGER
  ) STRICT;
  CREATE INDEX item_changed ON item (changed);

  -- The narrow twin of item: what lists filter by. generation is that of the snapshot or the change that last named
  -- the item as a member of the selected set, 0 for no member; listed tells whether GET /items ever brought it;
  -- unread and starred repeat user.db for the sake of the indexes, up to property marks_applied;
  -- added is the sequence number of the write that brought the item, into the selected set or into its category too.
  CREATE TABLE listing (
    key INTEGER PRIMARY KEY,
    category TEXT,
    generation INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    starred INTEGER NOT NULL,
    added INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX listing_category ON listing (category, key);
  CREATE INDEX listing_unread ON listing (key) WHERE unread = 1;
  CREATE INDEX listing_unread_category ON listing (category, key) WHERE unread = 1;
  CREATE INDEX listing_starred ON listing (key) WHERE starred = 1;

  -- Kept, not counted. scope is 'all', 'selected' or 'starred'; category is '' for items without one.
  CREATE TABLE counter (
    scope TEXT NOT NULL,
    category TEXT NOT NULL,
    total INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    PRIMARY KEY (scope, category)
  ) STRICT, WITHOUT ROWID;

  -- Of a withdrawn item only the fact stays.
  CREATE TABLE withdrawal (
    sequence INTEGER NOT NULL,
    key INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX withdrawal_sequence ON withdrawal (sequence);
  CREATE INDEX withdrawal_id ON withdrawal (id);

  -- A validator stands here only while the body that it belongs to is in the tables above.
  CREATE TABLE validator (
    resource TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    etag TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
