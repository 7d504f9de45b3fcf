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
  CREATE TABLE item_index (
    key INTEGER PRIMARY KEY,
    category TEXT,
    generation INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    starred INTEGER NOT NULL,
    added INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX item_index_category ON item_index (category, key);
  CREATE INDEX item_index_unread ON item_index (key) WHERE unread = 1;
  CREATE INDEX item_index_unread_category ON item_index (category, key) WHERE unread = 1;
  CREATE INDEX item_index_starred ON item_index (key) WHERE starred = 1;
  -- What is new since the last visit is counted after every write.
  CREATE INDEX item_index_added ON item_index (added);

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

  -- Hot topics: the current ranking whole, and of every ranking that differed from the one before a small row a topic,
  -- so that its history can be drawn. topic is 'story:' and the story's id where there is one, else 'item:' and the item's.
  -- body is JSON of the contract's HotTopic, story_id what its link to a story names.
  CREATE TABLE hot_topic (
    rank INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    story_id TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ranking (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE ranking_entry (
    ranking INTEGER NOT NULL,
    topic TEXT NOT NULL,
    rank INTEGER NOT NULL,
    PRIMARY KEY (topic, ranking)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ranking_entry_ranking ON ranking_entry (ranking);

  -- Stories: body is JSON of the contract's Story, null for one that was gone before it was ever read. Times are ms
  -- since 1970, lifetime is ms.
  CREATE TABLE story (
    public_id TEXT PRIMARY KEY,
    body TEXT,
    etag TEXT,
    lifetime INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    gone_at INTEGER
  ) STRICT;
  -- A merged story's id leads to the survivor's.
  CREATE TABLE story_alias (
    public_id TEXT PRIMARY KEY,
    survivor TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Ids that the service gave: no other is ever asked for.
  CREATE TABLE story_reference (
    public_id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  -- Reports that the service named: no other label is ever asked for. line is JSON of the contract's ReportHeader, body of
  -- its Report, null until it was fetched. Times are ms since 1970, lifetime is ms. asked_at is null until it was asked for.
  CREATE TABLE report (
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    line TEXT NOT NULL,
    body TEXT,
    etag TEXT,
    fetched_at INTEGER,
    gone_at INTEGER,
    PRIMARY KEY (kind, label)
  ) STRICT, WITHOUT ROWID;
  -- field, before and after are set for edited texts alone. Of a withdrawn citation only the fact stays: what was said of it
  -- before loses its texts, too. citation is its canonical original address, by which that is found; null for the report's.
  CREATE TABLE correction (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    at INTEGER NOT NULL,
    change TEXT NOT NULL,
    section TEXT,
    citation TEXT,
    field TEXT,
    before TEXT,
    after TEXT
  ) STRICT;
  CREATE INDEX correction_report ON correction (kind, label, id);

  -- Where reports find the items of an address: 48 bits of a hash of the canonical one, for whole addresses take four
  -- times the room. Made from item.link_original, so that none is looked up by its key.
  CREATE TABLE item_address (
    hash INTEGER NOT NULL,
    key INTEGER NOT NULL,
    PRIMARY KEY (hash, key)
  ) STRICT, WITHOUT ROWID;

  -- What the texts of a revised item were before: JSON of the fields that changed. Goes with the item.
  CREATE TABLE revision (
    sequence INTEGER NOT NULL,
    key INTEGER NOT NULL,
    at INTEGER NOT NULL,
    before TEXT NOT NULL
  ) STRICT;
  CREATE INDEX revision_key ON revision (key, sequence);
  CREATE INDEX revision_sequence ON revision (sequence);

  -- Text pages of the service, such as the guide for agents.
  CREATE TABLE page (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    etag TEXT,
    lifetime INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Models that an item's texts seem to name, by the gateway's id. Derived from the items, the models and the reader's
  -- aliases, a little behind them: properties mentions_watermark (up to which write), mentions_dictionary (by which names)
  -- and mentions_owner (whose models). Goes with the item.
  CREATE TABLE mention (
    key INTEGER NOT NULL,
    model TEXT NOT NULL,
    PRIMARY KEY (key, model)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mention_model ON mention (model, key);
  `,
];
