import type { Database, Statement } from 'better-sqlite3';
import { isDeepStrictEqual } from 'node:util';
import { RESOURCES } from '../contract/model/resource.ts';
import { mayBeDamage } from './database/errors.ts';
import { THIS_SERVICE } from './database/properties.ts';
import { forget } from './derived/derived.ts';
import { transaction } from './sql.ts';
import { fromRecord, SERVICE_COLUMNS, type ItemRecord } from './items/item-rows.ts';
import { timeOf } from './items/time-key.ts';
import { upsert } from './items/write.ts';
import type { Tx } from './tx.ts';

/** A damaged table may have no end. */
const MAX_ROWS = 1_000_000;
const ROWS_AT_ONCE = 64;
const MAX_FAILURES = 10_000;

/** Everything the service still has is downloaded whole again, at once except while a Retry-After holds. */
const DOCUMENTS: readonly (readonly [into: string, from: string])[] = [
  ['document', 'SELECT * FROM document'],
  ['correction', 'SELECT * FROM correction'],
  ['story_alias', 'SELECT * FROM story_alias'],
  ['ranking', 'SELECT * FROM ranking'],
  ['ranking_entry', 'SELECT * FROM ranking_entry'],
  [
    'fetch',
    `SELECT name, '', NULL, asked, answered, iif(failures > 0, lifetime, 0), 0, failures, failure, NULL FROM fetch
     WHERE name IN (${RESOURCES.map((name) => `'${name}'`).join(', ')})`,
  ],
  ['run', 'SELECT * FROM run'],
  ['property', "SELECT name, value FROM property WHERE name = 'gateway'"],
  // Earlier texts of items come before everything that this mirror has seen.
  ['temp.earlier', 'SELECT id, at, before FROM revision JOIN item USING (key)'],
];

const REVISIONS = `
  INSERT INTO revision (sequence, key, at, before)
    SELECT 0, item.key, earlier.at, earlier.before FROM temp.earlier JOIN item USING (id)
    WHERE NOT EXISTS (SELECT 1 FROM revision AS here WHERE here.key = item.key);
  UPDATE item SET revised_at = (SELECT max(at) FROM revision WHERE revision.key = item.key)
    WHERE revised_at IS NULL AND key IN (SELECT key FROM revision);`;

const ITEMS = `SELECT key, id, ${SERVICE_COLUMNS.join(', ')}, revised_at, 0 AS generation, NULL AS read_at,
  NULL AS starred_at, NULL AS left_at FROM item`;

const KEPT_IDS = `SELECT id FROM user.record WHERE service = ${THIS_SERVICE} AND kind = 'star' AND value IS NOT NULL
  UNION SELECT substr(id, 6) FROM user.record WHERE service = ${THIS_SERVICE} AND kind = 'note' AND id LIKE 'item/%'
    AND value IS NOT NULL
  EXCEPT SELECT id FROM item`;

/** Copies what the service may no longer send: kept items, documents, earlier texts. Skips what can't be read. */
export function takeOver(database: Database, old: Database, tx: Tx): void {
  if (!isOfThisService(database, old)) return;
  for (const row of readItems(old, database.prepare<[], string>(KEPT_IDS).pluck().all())) {
    // From now on the list of all items decides about it.
    const save = () => upsert(tx, fromRecord(row, []), { kind: 'listed', lifetime: 0 }, timeOf(row.key));
    attempt(() => transaction(database, save));
  }
  database.exec('CREATE TEMP TABLE earlier (id TEXT NOT NULL, at INTEGER NOT NULL, before TEXT NOT NULL) STRICT');
  for (const [into, from] of DOCUMENTS) attempt(() => copy(database, into, old.prepare<[], unknown[]>(from)));
  database.exec(`${REVISIONS} DROP TABLE temp.earlier`);
  forget(tx.db, 'coverage');
  forget(tx.db, 'reportTexts', 'search');
}

/** Leaves tables of another version alone. */
function isOfThisService(database: Database, old: Database): boolean {
  const [there, here] = [old, database].map((one) =>
    attempt(() => [
      one.pragma('user_version', { simple: true }),
      one.prepare<[], string>("SELECT value FROM property WHERE name = 'source'").pluck().get(),
    ]),
  );
  return there !== null && isDeepStrictEqual(there, here);
}

/** Reads a few rows at a time, of which each can fail, if the index of ids is damaged. */
function readItems(old: Database, ids: readonly string[]): ItemRecord[] {
  const found = attempt(() => {
    const known = old.prepare<[string], ItemRecord>(`${ITEMS} WHERE id = ?`);
    return ids.map((id) => attempt(() => known.all(id)));
  });
  if (found === null) return [];
  const missed = JSON.stringify(ids.filter((_, at) => found[at] === null));
  return [...found.flatMap((rows) => rows ?? []), ...(missed === '[]' ? [] : scan(old, missed))];
}

function scan(old: Database, ids: string): ItemRecord[] {
  const between = old.prepare<[number, number, string], ItemRecord>(
    `${ITEMS} NOT INDEXED WHERE arrival BETWEEN ? AND ? AND id IN (SELECT value FROM json_each(?))`,
  );
  let failures = 0;
  const found: ItemRecord[] = [];
  const read = (from: number, to: number): boolean => {
    const rows = attempt(() => between.all(from, to, ids));
    if (rows === null) failures += 1;
    found.push(...(rows ?? []));
    return rows !== null;
  };
  const last = attempt(() => old.prepare<[], number | null>('SELECT max(arrival) FROM item').pluck().get());
  const end = Math.min(last ?? MAX_ROWS, MAX_ROWS);
  for (let from = 1; from <= end && failures < MAX_FAILURES; from += ROWS_AT_ONCE) {
    if (read(from, from + ROWS_AT_ONCE - 1)) continue;
    for (let at = from; at < from + ROWS_AT_ONCE; at += 1) read(at, at);
  }
  return found;
}

function copy(database: Database, into: string, from: Statement<[], unknown[]>): void {
  const placeholders = from.columns().map(() => '?');
  const insert = database.prepare(`INSERT OR IGNORE INTO ${into} VALUES (${placeholders.join(', ')})`);
  let count = 0;
  for (const row of from.raw().iterate()) {
    attempt(() => insert.run(...row));
    count += 1;
    if (count === MAX_ROWS) return;
  }
}

/** Returns null for content that can't be read, or can't be saved as it was read. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    // Thrown by broken JSON, and by a number that is no time.
    const isOfContent = [SyntaxError, TypeError, RangeError].some((kind) => error instanceof kind);
    if (isOfContent || mayBeDamage(error)) return null;
    throw error;
  }
}
