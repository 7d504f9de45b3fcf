/** A visit holds for one build of the mirror: a rebuilt mirror numbers its writes from the start. */
import { randomUUID } from 'node:crypto';
import { asTime } from '../../common/time.ts';
import type { ItemRow, ItemsQuery } from '../../contract/model/item.ts';
import type { SinceLastVisit, VisitList, Withdrawal } from '../../contract/model/today.ts';
import { mirrorProperties as mirror, THIS_SERVICE } from '../database/properties.ts';
import { set } from '../records.ts';
import { row, rows, run, sql, value, type Db, type WritableDb } from '../sql.ts';
import { STATUS_JOIN } from '../statuses/status-sql.ts';
import type { Tx } from '../tx.ts';
import { ITEM_COLUMNS, toItemRows, type ItemRecord } from './item-rows.ts';
import { keyAt, MAX_DELAY } from './time-key.ts';

export interface Visit {
  sequence: number;
  at: number;
}

const MAX_ROWS = 1_000;

const NOTHING = { added: 0, older: 0, revised: 0 };

const BUILD = `(SELECT value FROM main.property WHERE name = 'build')`;
const SEQUENCE = `ifnull((SELECT CAST(value AS INTEGER) FROM main.property WHERE name = 'sequence'), 0)`;

// An older copy of the mirror may have been restored.
const LAST = sql`SELECT value ->> '$.sequence' AS sequence, value ->> '$.at' AS at FROM user.record
  WHERE service = ${THIS_SERVICE} AND kind = 'visit' AND id = 'last'
    AND value ->> '$.build' = ${BUILD} AND value ->> '$.sequence' <= ${SEQUENCE}`;

// From the newest down: those before the first that was there are new. One dated ahead would hide what is new below it.
const NEWEST = sql`SELECT key FROM item_index WHERE key < ? AND +added <= ? ORDER BY key DESC LIMIT 1`;

// Two indexes have these: one for everything, one for the selected set.
const ADDED = 'SELECT count(*) FROM item_index WHERE added > ? AND muted = 0';
const ADDED_SELECTED = sql`${ADDED} AND generation > 0`;
const OLDER = sql`${ADDED} AND key < ?`;
const OLDER_SELECTED = sql`${ADDED_SELECTED} AND key < ?`;
const REVISED = sql`SELECT count(DISTINCT revision.key) AS everything,
    count(DISTINCT CASE WHEN generation > 0 THEN revision.key END) AS selected
  FROM revision JOIN item_index USING (key)
  WHERE revision.sequence > ? AND item_index.added <= ? AND muted = 0`;
const WITHDRAWN = `FROM gone WHERE sequence > ? AND id IS NOT NULL AND muted = 0
  AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = gone.id)`;
const WITHDRAWN_COUNT = sql`SELECT count(DISTINCT id) ${WITHDRAWN}`;
const WITHDRAWN_LIST = sql`SELECT id, max(at) AS at ${WITHDRAWN} GROUP BY id ORDER BY max(sequence) DESC, id LIMIT ?`;

const FROM = `SELECT ${ITEM_COLUMNS} FROM item_index CROSS JOIN item ON item.arrival = item_index.arrival ${STATUS_JOIN}`;
/** Bind -1 for everything, 0 for the selected set: its members have a generation. */
const IN_SCOPE = 'AND item_index.muted = 0 AND item_index.generation > ? ORDER BY item_index.key DESC LIMIT ?';
const LISTS = {
  added: sql`${FROM} WHERE item_index.added > ? AND item_index.key >= ? ${IN_SCOPE}`,
  older: sql`${FROM} WHERE item_index.added > ? AND item_index.key < ? ${IN_SCOPE}`,
  revised: sql`${FROM} WHERE item_index.key IN (SELECT key FROM revision WHERE sequence > ?)
    AND item_index.added <= ? ${IN_SCOPE}`,
};

export function nameBuild(db: WritableDb): void {
  run(db, "INSERT INTO main.property (name, value) VALUES ('build', ?) ON CONFLICT DO NOTHING", randomUUID());
}

export function last(db: Db): Visit | null {
  return row<Visit>(db, LAST) ?? null;
}

export function end(tx: Tx, now: number): void {
  const [build, sequence] = [mirror.get(tx.db, 'build') ?? '', mirror.number(tx.db, 'sequence')];
  set(tx, 'visit', 'last', { build, sequence, at: now });
}

/** Counts each item once: one added since the visit is new, even if it was also revised. */
export function sinceLast(db: Db): SinceLastVisit {
  const visit = last(db);
  if (!visit) return { since: null, newestKey: null, ...NOTHING, withdrawn: 0, selected: NOTHING };
  const { sequence, at } = visit;
  const older = value<number>(db, OLDER, sequence, oldKey(visit)) ?? 0;
  const olderSelected = value<number>(db, OLDER_SELECTED, sequence, oldKey(visit)) ?? 0;
  const revised = row<{ everything: number; selected: number }>(db, REVISED, sequence, sequence);
  return {
    since: asTime(at),
    newestKey: value<number>(db, NEWEST, keyAt(at + 1_000), sequence) ?? null,
    added: (value<number>(db, ADDED, sequence) ?? 0) - older,
    older,
    revised: revised?.everything ?? 0,
    withdrawn: value<number>(db, WITHDRAWN_COUNT, sequence) ?? 0,
    selected: {
      added: (value<number>(db, ADDED_SELECTED, sequence) ?? 0) - olderSelected,
      older: olderSelected,
      revised: revised?.selected ?? 0,
    },
  };
}

export function list(
  db: Db,
  which: VisitList,
  scope: ItemsQuery['scope'] = 'all',
  limit = MAX_ROWS,
): { rows: ItemRow[]; withdrawals: Withdrawal[] } {
  const visit = last(db);
  if (!visit) return { rows: [], withdrawals: [] };
  const { sequence } = visit;
  if (which === 'withdrawn') {
    const facts = rows<{ id: string; at: number }>(db, WITHDRAWN_LIST, sequence, limit);
    return { rows: [], withdrawals: facts.map(({ id, at }) => ({ id, at: asTime(at) ?? '' })) };
  }
  const bound = which === 'revised' ? sequence : oldKey(visit);
  const records = rows<ItemRecord>(db, LISTS[which], sequence, bound, scope === 'selected' ? 0 : -1, limit);
  return { rows: toItemRows(db, records), withdrawals: [] };
}

/** Items added since the visit with a lower key are older ones, and no news. */
function oldKey({ at }: Visit): number {
  return keyAt(at - MAX_DELAY);
}
