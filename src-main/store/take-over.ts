import type { Database } from 'better-sqlite3';
import { mayBeDamage } from './database/errors.ts';
import { THIS_MIRROR } from './database/this-mirror.ts';
import { fromRecord, SERVICE_COLUMNS, type ItemRecord } from './items/item-rows.ts';
import { timeOf } from './items/time-key.ts';
import type { Tables } from './tables.ts';
import type { Transaction } from './transaction.ts';

/**
 * Copies what is kept by an id of the service. Leaves out the validators, so that everything the service still has is
 * downloaded whole again.
 */
const DOCUMENTS = [
  `report (kind, label, generated_at, fetched_at, gone_at, line, body)
   SELECT kind, label, generated_at, fetched_at, gone_at, line, body FROM old.report`,
  'correction SELECT * FROM old.correction',
  `story (public_id, lifetime, requested_at, fetched_at, gone_at, title, status, latest, latest_at, source_count,
     report_count, report_ids, reporters, body)
   SELECT public_id, 0, 0, fetched_at, gone_at, title, status, latest, latest_at, source_count, report_count, report_ids,
     reporters, body FROM old.story`,
  'story_alias SELECT * FROM old.story_alias',
  'story_reference SELECT * FROM old.story_reference',
  'hot_topic SELECT * FROM old.hot_topic',
  'ranking SELECT * FROM old.ranking',
  'ranking_entry SELECT * FROM old.ranking_entry',
  'page (name, text, lifetime, requested_at, fetched_at) SELECT name, text, 0, 0, fetched_at FROM old.page',
  // Which gateway's model lists are shown.
  `property SELECT name, value FROM old.property WHERE name = 'gateway'`,
];

/** The earlier texts of items, before everything that this mirror has seen. */
const REVISIONS = [
  `INSERT INTO revision (sequence, key, at, before) SELECT 0, item.key, earlier.at, earlier.before
   FROM old.revision AS earlier JOIN old.item AS known ON known.key = earlier.key JOIN main.item ON item.id = known.id
   WHERE NOT EXISTS (SELECT 1 FROM main.revision AS here WHERE here.key = item.key)`,
  `UPDATE item SET revised_at = (SELECT max(at) FROM revision WHERE revision.key = item.key)
   WHERE revised_at IS NULL AND key IN (SELECT key FROM revision)`,
];

const KEPT_IDS = `SELECT item_id FROM user.item_status WHERE mirror = ${THIS_MIRROR} AND starred_at IS NOT NULL
  UNION SELECT id FROM user.note WHERE mirror = ${THIS_MIRROR} AND kind = 'item'
  EXCEPT SELECT id FROM item`;

/**
 * Within a transaction: takes over from the attached `old`, an earlier mirror of the same service, what the service may not
 * send any more: starred items and those with a note, documents, and the earlier texts of items. What is here already
 * stays. Of a damaged mirror, what can be read.
 */
export function takeOver(database: Database, { coverage }: Pick<Tables, 'coverage'>, { items }: Transaction): void {
  if (!isOfThisService(database)) return;
  const known = database.prepare<[string], ItemRecord>(
    `SELECT key, id, ${SERVICE_COLUMNS.join(', ')}, revised_at, 0 AS generation, NULL AS read_at, NULL AS starred_at,
       NULL AS left_at FROM old.item WHERE id = ?`,
  );
  for (const id of database.prepare<[], string>(KEPT_IDS).pluck().all()) {
    salvage(database, () => {
      const row = known.get(id);
      // The list of all items decides about it from now on, as about everything that it had.
      if (row) items.upsert(fromRecord(row, []), { kind: 'listed', lifetime: 0 }, timeOf(row.key));
    });
  }
  for (const document of DOCUMENTS) salvage(database, () => database.exec(`INSERT OR IGNORE INTO main.${document}`));
  for (const sql of REVISIONS) salvage(database, () => database.exec(sql));
  coverage.rebuild();
}

/** Tables of another version are left alone. */
function isOfThisService(database: Database): boolean {
  const source = `SELECT (SELECT value FROM old.property WHERE name = 'source') IS ${THIS_MIRROR}`;
  const isSame = salvage(database, () => {
    const [here, there] = ['main', 'old'].map((schema) => database.pragma(`${schema}.user_version`, { simple: true }));
    return here === there && database.prepare<[], number>(source).pluck().get() === 1;
  });
  return isSame === true;
}

/** Undoes and leaves out what can't be read. */
function salvage<T>(database: Database, work: () => T): T | null {
  try {
    return database.transaction(work)();
  } catch (error) {
    // Broken JSON throws these.
    if (mayBeDamage(error) || error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
