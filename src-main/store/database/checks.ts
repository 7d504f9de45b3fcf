import type { Database } from 'better-sqlite3';
import { CHANGED_FIELDS } from '../../contract/model/model.ts';
import { REPORT_KINDS, type Report, type ReportKind } from '../../contract/model/report.ts';
import { putHead } from '../documents.ts';
import { headOf, headText } from '../reports/reports.ts';
import { LOST_ATTRIBUTION } from '../items/revisions.ts';
import { LOST_BODY } from '../models/model-lists.ts';
import { forget } from '../derived/derived.ts';
import { COUNTED, COUNTED_SAVED } from '../items/touched.ts';
import { IS_MUTED } from '../rules/applied-rules.ts';
import { OUTDATED } from '../statuses/item-statuses.ts';
import { mirrorProperties } from './properties.ts';
import { countUnreadable } from '../records.ts';
import { rows, run, script, sql, type Db, type WritableDb } from '../sql.ts';

/** Messages name tables and numbers but no contents. For lost data, the mirror must be downloaded again. */
interface Disagreements {
  lost: string[];
  repairable: string[];
  search: string[];
  /** Only told: a backup or another device may have it. */
  reader: string[];
}

type Check = readonly [what: string, countWrong: string | ((db: Db) => number), file?: string];

const LOST: readonly Check[] = [
  [
    'items that their index does not match',
    `SELECT count(*) FROM item LEFT JOIN item_index USING (key)
     WHERE item_index.arrival IS NOT item.arrival OR item_index.category IS NOT item.category`,
  ],
  ['index rows without an item', 'SELECT max(0, (SELECT count(*) FROM item_index) - (SELECT count(*) FROM item))'],
  [
    'index rows with impossible values',
    `SELECT count(*) FROM item_index
     WHERE source <> 0 AND source NOT IN (SELECT id FROM source) OR listed NOT IN (0, 1) OR unread NOT IN (0, 1) OR starred NOT IN (0, 1) OR generation NOT BETWEEN 0 AND
       (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM property WHERE name = 'set_last_generation')
       OR added NOT BETWEEN 0 AND (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM property WHERE name = 'sequence')`,
  ],
  [
    'items with impossible values',
    `SELECT count(*) FROM item WHERE id = '' OR key < 0
       OR changed NOT BETWEEN 0 AND (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM property WHERE name = 'sequence')`,
  ],
];

/** json_type throws for invalid JSON. */
const isNot = (type: 'array' | 'object', column: string): string =>
  `CASE WHEN json_valid(${column}) THEN json_type(${column}) <> '${type}' ELSE 1 END`;
const withoutLists = (lists: readonly string[]): string =>
  `body IS NOT NULL AND CASE WHEN json_valid(body)
     THEN ${lists.map((name) => `json_type(body, '$.${name}') IS NOT 'array'`).join(' OR ')} ELSE 1 END`;
const IS_REPORT = `kind IN (${REPORT_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
const BAD_HEAD = `head IS NOT NULL AND ${isNot('object', 'head')}`;
const BAD_STORY = `kind = 'story' AND (${withoutLists(['reports', 'storyline', 'related'])} OR ${BAD_HEAD})`;
const BAD_BODY = `${IS_REPORT} AND ${withoutLists(['sections', 'flashes'])}`;
const BAD_LINE = `${IS_REPORT} AND ${BAD_HEAD}`;
const BAD_TOPICS = `kind = 'hotTopics' AND ${isNot('array', 'body')}`;
const BAD_MODEL = `body <> '${LOST_BODY}' AND ${isNot('object', 'body')}`;
const HAS_LOST_MODELS = `(owner, model_list) IN (SELECT owner, model_list FROM user.model WHERE body = '${LOST_BODY}')`;
const BAD_CHANGE = [
  `field NOT IN (${CHANGED_FIELDS.map((field) => `'${field}'`).join(', ')})`,
  ...['tier', 'before', 'after'].map((column) => `NOT json_valid(coalesce(${column}, 'null'))`),
].join(' OR ');
const BAD_HELD_LIST = "NOT json_valid(coalesce(held, 'null'))";
const BAD_NOTIFICATION = `${isNot('object', 'target')} OR ${isNot('array', 'items')}`;

const UNREADABLE: readonly Check[] = [
  [
    'unreadable items',
    `SELECT count(*) FROM item WHERE NOT json_valid(coalesce(attribution, '{}')) OR NOT json_valid(coalesce(unknown, '{}'))`,
  ],
  ['unreadable stories', `SELECT count(*) FROM document WHERE ${BAD_STORY}`],
  ['unreadable reports', `SELECT count(*) FROM document WHERE ${BAD_LINE} OR ${BAD_BODY}`],
  ['unreadable hot topics', `SELECT count(*) FROM document WHERE ${BAD_TOPICS}`],
  ['unreadable models', `SELECT count(*) FROM user.model WHERE ${BAD_MODEL}`, 'user.db'],
  ['unreadable changes of models', `SELECT count(*) FROM user.change WHERE ${BAD_CHANGE}`, 'user.db'],
  ['unreadable lists of models', `SELECT count(*) FROM user.model_list WHERE ${BAD_HELD_LIST}`, 'user.db'],
  ['unreadable notifications', `SELECT count(*) FROM user.notification WHERE ${BAD_NOTIFICATION}`, 'user.db'],
];

/** Counts rows of a table that differ from what they are derived from. */
const differing = (table: string, counted: string): string => `SELECT count(*) FROM (
  SELECT * FROM (${counted}) EXCEPT SELECT * FROM ${table}
  UNION ALL SELECT * FROM (SELECT * FROM ${table} WHERE n <> 0 EXCEPT SELECT * FROM (${counted})))`;

/** A mirror that has not yet applied the latest records is behind, not wrong. */
const STATUSES_APPLIED = `
  (SELECT at FROM main.derived WHERE name = 'statuses') = (SELECT ifnull(max(seq), 0) FROM user.record)`;

const REPAIRABLE: readonly Check[] = [
  ['counters that do not match', differing('counter', COUNTED)],
  ['counters of saved searches that do not match', differing('saved_counter', COUNTED_SAVED)],
  ['statuses that do not match', `SELECT count(*) FROM ${OUTDATED} AND ${STATUSES_APPLIED}`],
  [
    'hidden items that no rule hides, or the other way round',
    `SELECT count(*) FROM item_index WHERE muted IS NOT ${IS_MUTED}`,
  ],
  ['rows without their item', "SELECT count(*) FROM pragma_foreign_key_check(NULL, 'main')"],
  [
    'stories that their coverage does not match',
    `SELECT count(*) FROM (SELECT id FROM document
         WHERE kind = 'story' AND CASE WHEN json_valid(head) THEN json_array_length(head, '$.reportIds') > 0 END
       EXCEPT SELECT story FROM coverage UNION ALL SELECT story FROM coverage
         WHERE story NOT IN (SELECT id FROM document WHERE kind = 'story' AND body IS NOT NULL))`,
  ],
  [
    'folded items without a story',
    'SELECT count(*) FROM fold WHERE NOT EXISTS (SELECT 1 FROM coverage WHERE coverage.key = fold.key AND coverage.story = fold.story)',
  ],
  ...UNREADABLE,
];

const ITEMS_INDEXED = "(SELECT at FROM search.derived WHERE name = 'itemTexts')";

const SEARCH: readonly Check[] = [
  [
    'items missing from the search index',
    `SELECT count(*) FROM item WHERE changed <= ${ITEMS_INDEXED}
       AND key NOT IN (SELECT id FROM search.item_text_docsize)`,
  ],
  [
    'entries of the search index without an item',
    `SELECT count(*) FROM search.item_text_docsize WHERE id NOT IN (SELECT key FROM item_index)
       AND id NOT IN (SELECT key FROM gone WHERE sequence > ${ITEMS_INDEXED})`,
  ],
  [
    'unreadable entries of the search index',
    'SELECT count(*) FROM search.report_entry WHERE NOT (json_valid(names) AND json_valid(sources))',
  ],
];

const READER: readonly Check[] = [['unreadable records of what you did', countUnreadable, 'user.db']];

const HEADLESS = sql`SELECT kind, id, body FROM document WHERE ${BAD_LINE}`;

export const DISAGREEMENTS: readonly string[] = [...LOST, ...REPAIRABLE, ...SEARCH, ...READER].map(([what]) => what);

/** `what` is one of {@link DISAGREEMENTS}: all take some 0.5 s for 100,000 items. */
export function findDisagreements(database: Database, what: string): Disagreements {
  const isIndexed = database.prepare("SELECT 1 FROM search.sqlite_schema WHERE name = 'derived'").get();
  return {
    lost: findViolations(database, LOST, what),
    repairable: findViolations(database, REPAIRABLE, what),
    search: isIndexed ? findViolations(database, SEARCH, what) : [],
    reader: findViolations(database, READER, what),
  };
}

function findViolations(database: Database, checks: readonly Check[], wanted: string): string[] {
  return checks.flatMap(([what, countWrong, file = 'mirror.db']) => {
    if (what !== wanted) return [];
    const count =
      typeof countWrong === 'string'
        ? (database.prepare<[], number>(countWrong).pluck().get() ?? 0)
        : countWrong(database);
    return count === 0 ? [] : [`${file}: ${String(count)} ${what}`];
  });
}

export function repairDerivedData(db: WritableDb): void {
  forget(db);
  // The number of a deleted document may be used again.
  forget(db, 'reportTexts', 'search');
  script(
    db,
    `
    DELETE FROM rule_match WHERE key NOT IN (SELECT key FROM item_index);
    DELETE FROM mention WHERE key NOT IN (SELECT key FROM item_index);
    DELETE FROM revision WHERE key NOT IN (SELECT key FROM item_index);
  `,
  );
  dropUnreadable(db);
  // The lists of the service restore damaged facts of the index: selected, listed.
  mirrorProperties.set(db, 'set_cursor', null);
  script(db, 'UPDATE fetch SET etag = NULL');
}

/** Removes unreadable parts, and when they were fetched, so that they are fetched again. */
function dropUnreadable(db: WritableDb): void {
  script(
    db,
    `
    UPDATE item SET attribution = '${LOST_ATTRIBUTION}' WHERE NOT json_valid(coalesce(attribution, '{}'));
    UPDATE item SET unknown = NULL WHERE NOT json_valid(coalesce(unknown, '{}'));
    DELETE FROM fetch WHERE name LIKE '% whole' OR name IN
      (SELECT kind || '/' || id FROM document WHERE ${BAD_STORY} OR ${BAD_LINE} OR ${BAD_BODY});
    UPDATE document SET head = NULL, body = NULL, fetched_at = NULL, gone_at = NULL WHERE ${BAD_STORY};
    DELETE FROM document WHERE ${BAD_TOPICS};
    UPDATE document SET body = NULL, fetched_at = NULL WHERE ${BAD_BODY};
    UPDATE user.model SET body = '${LOST_BODY}' WHERE ${BAD_MODEL};
    UPDATE user.model_list SET held = NULL WHERE ${BAD_HELD_LIST};
    UPDATE user.model_list SET hash = '', held = NULL WHERE ${HAS_LOST_MODELS};
    DELETE FROM user.change WHERE ${BAD_CHANGE};
    DELETE FROM user.notification WHERE ${BAD_NOTIFICATION};
  `,
  );
  for (const { kind, id, body } of rows<{ kind: ReportKind; id: string; body: string | null }>(db, HEADLESS)) {
    // The index lists it again.
    if (body === null) run(db, 'DELETE FROM document WHERE kind = ? AND id = ?', kind, id);
    else putHead(db, kind, id, headText(headOf(JSON.parse(body) as Report, null)));
  }
}
