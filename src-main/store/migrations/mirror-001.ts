/** The news of one service, with when and how it was fetched. Never edited: see store/database/databases.ts. */
export const MIRROR_001 = `
CREATE TABLE property (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How far each kind of derived data is (store/derived): version of its rules, at and within of the last change applied.
CREATE TABLE derived (
  name TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  at INTEGER NOT NULL,
  within INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The wide rows, in order of arrival: ids arrive in random order of time, and rows in order of time would then be
-- written to pages all over the table. key is that of item_index. changed is the sequence number of the last write to
-- the row; the search index is updated in its order.
CREATE TABLE item (
  arrival INTEGER PRIMARY KEY,
  key INTEGER NOT NULL,
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

-- The columns that lists filter by, in order of time: key is seconds since 1970 * 64 + n, so newest first and keyset
-- paging need no other index. arrival is that of the row in item. generation is that of the last snapshot or change that had the item in the
-- selected set, 0 if it is not in it. listed: whether GET /items ever returned it. unread and starred follow
-- from user.db's register, up to its seq in derived. added is the sequence number of the write that added the
-- item, or moved it into the selected set or its category. source is the id of its source, 0 for an item without one.
-- muted: whether a mute rule hides it; follows from rule_match. What belongs to an item has its key, follows a corrected
-- time and goes with it.
CREATE TABLE item_index (
  key INTEGER PRIMARY KEY,
  arrival INTEGER NOT NULL,
  category TEXT,
  generation INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  unread INTEGER NOT NULL,
  starred INTEGER NOT NULL,
  added INTEGER NOT NULL,
  source INTEGER NOT NULL DEFAULT 0,
  muted INTEGER NOT NULL DEFAULT 0
) STRICT;
-- The indexes of lists are in lists/list-indexes.ts.
-- The number of new items since the last visit is counted after every write.
CREATE INDEX item_index_added ON item_index (added) WHERE muted = 0;
CREATE INDEX item_index_added_selected ON item_index (added) WHERE generation > 0 AND muted = 0;

-- Whoever published items: key is what its names have in common (common/source-label.ts), name as rows show it.
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

-- Updated with each change, so that nothing needs to be counted: n rows of item_index are of this sort. category is ''
-- for items without one.
CREATE TABLE counter (
  category TEXT NOT NULL,
  selected INTEGER NOT NULL,
  unread INTEGER NOT NULL,
  starred INTEGER NOT NULL,
  muted INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (category, selected, unread, starred, muted)
) STRICT, WITHOUT ROWID;
-- The same of rows of rule_match whose items are not hidden.
CREATE TABLE saved_counter (
  slot INTEGER NOT NULL,
  bits INTEGER NOT NULL,
  unread INTEGER NOT NULL,
  starred INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (slot, bits, unread, starred)
) STRICT, WITHOUT ROWID;

-- The rules of user.db, as far as they are applied to this mirror. kind is 'mute' or 'saved'. Items with keys below
-- below are not matched yet; null: all are. gone: the rule was removed or changed, and its matches are being deleted.
CREATE TABLE rule (
  slot INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  query TEXT NOT NULL,
  below INTEGER,
  gone INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Which items match a rule. bits: which alternatives of its query do, apart from their terms about the reader's marks.
-- since: the sequence number of the write with which the item came to match, 0 if it was there before the rule.
CREATE TABLE rule_match (
  slot INTEGER NOT NULL,
  key INTEGER NOT NULL REFERENCES item_index ON UPDATE CASCADE ON DELETE CASCADE,
  bits INTEGER NOT NULL,
  since INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (slot, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_match_key ON rule_match (key, slot);

-- Keys that left item_index (items/gone.ts), with the number of the write. id is set for withdrawn items: only the fact of
-- the withdrawal is kept. added is that of its row in item_index: an item that returns is not new. muted: whether it was
-- hidden.
CREATE TABLE gone (
  sequence INTEGER NOT NULL,
  key INTEGER NOT NULL,
  id TEXT,
  at INTEGER NOT NULL,
  added INTEGER NOT NULL,
  muted INTEGER NOT NULL
) STRICT;
CREATE INDEX gone_sequence ON gone (sequence);
CREATE INDEX gone_nameless ON gone (sequence) WHERE id IS NULL;
CREATE INDEX gone_id ON gone (id, sequence) WHERE id IS NOT NULL;

-- Items that left the selected set, and may still be public. added is that of its row in item_index before it left.
-- confirmed: whether GET /items was seen to list it since; until then it is looked for. Times are ms since 1970.
CREATE TABLE departure (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  added INTEGER NOT NULL,
  confirmed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX departure_open ON departure (at) WHERE confirmed = 0;

-- Items that a snapshot or a list lacked although the service didn't say that they were removed: see
-- items/write.ts.
CREATE TABLE parked_item (
  id TEXT PRIMARY KEY,
  parking TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the service has by name: kind is 'daily', 'weekly', 'monthly' (id: a label), 'story', 'hotTopics' (the ranking, id
-- '') or 'page'. A row without a body was named by the service: nothing else is ever requested. head is JSON of what a line
-- of a list shows, because bodies are large; body is JSON of all of it, of a page its
-- text. changed numbers the writes. Times are ms since 1970.
CREATE TABLE document (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  changed INTEGER NOT NULL,
  fetched_at INTEGER,
  gone_at INTEGER,
  head TEXT,
  body TEXT,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX document_changed ON document (changed);
CREATE INDEX document_saved ON document (kind, id) WHERE body IS NOT NULL;

-- For the chart, one small row per topic of each earlier ranking that differed. topic is 'story:' and the story id if there
-- is one, else 'item:' and the item id.
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

-- The id of a merged story, and of the story that it was merged into.
CREATE TABLE story_alias (
  public_id TEXT PRIMARY KEY,
  survivor TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- Which saved item each report of a saved story is: key is that of item_index. Derived from both.
CREATE TABLE coverage (
  story TEXT NOT NULL,
  id TEXT NOT NULL,
  address TEXT,
  key INTEGER REFERENCES item_index ON UPDATE CASCADE ON DELETE SET NULL,
  PRIMARY KEY (story, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX coverage_id ON coverage (id);
CREATE INDEX coverage_address ON coverage (address) WHERE address IS NOT NULL;
CREATE INDEX coverage_key ON coverage (key) WHERE key IS NOT NULL;
-- The items of stories with two saved items or more, each under one story. bits: in which lists a newer item of the
-- story stands for it. Derived from coverage and item_index.
CREATE TABLE fold (
  key INTEGER PRIMARY KEY REFERENCES item_index ON UPDATE CASCADE ON DELETE CASCADE,
  story TEXT NOT NULL,
  bits INTEGER NOT NULL
) STRICT;
CREATE INDEX fold_story ON fold (story, key);
-- field, before and after are set only for edited texts. Of a withdrawn citation, only the fact of its withdrawal is
-- kept; its texts are also removed from earlier corrections. citation is its canonical original address; null for the
-- report itself.
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

-- Finds the items of an address: 48 bits of a hash of the canonical address, because whole addresses take four times
-- the space. Derived from item.link_original.
CREATE TABLE item_address (
  arrival INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
  hash INTEGER NOT NULL
) STRICT;
CREATE INDEX item_address_hash ON item_address (hash);

-- The earlier texts of a revised item: JSON of the fields that changed.
CREATE TABLE revision (
  sequence INTEGER NOT NULL,
  key INTEGER NOT NULL REFERENCES item_index ON UPDATE CASCADE ON DELETE CASCADE,
  at INTEGER NOT NULL,
  before TEXT NOT NULL
) STRICT;
CREATE INDEX revision_key ON revision (key, sequence);
CREATE INDEX revision_sequence ON revision (sequence);

-- Models that an item seems to name, by the gateway's id. Derived from items, models of the gateway
-- that property mentions_owner names, and the reader's aliases.
CREATE TABLE mention (
  key INTEGER NOT NULL REFERENCES item_index ON UPDATE CASCADE ON DELETE CASCADE,
  model TEXT NOT NULL,
  PRIMARY KEY (key, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_model ON mention (model, key);

-- When each list and document was requested, and when it may be again: 'items', 'dailies whole',
-- 'daily/2026-11-20', 'story/ID', 'page/agent'. Times are ms since 1970,
-- durations are in ms. etag is kept only while the body that it came with, from address, is saved. failures: in a row.
CREATE TABLE fetch (
  name TEXT PRIMARY KEY,
  address TEXT NOT NULL,
  etag TEXT,
  asked INTEGER NOT NULL,
  answered INTEGER,
  lifetime INTEGER NOT NULL,
  due INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  failure TEXT,
  doubt TEXT
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
`;
