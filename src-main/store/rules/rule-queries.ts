import { asTime } from '../../common/time.ts';
import type { MuteRule, RuleProgress, SavedSearch } from '../../contract/model/search.ts';
import { readCounts } from '../items/counters.ts';
import { row, rows, type Db } from '../sql.ts';
import { pendingRules } from './applied-rules.ts';
import { compileRule } from './rule-query.ts';
import { mutes as muteRows, savedSearches as savedRows } from './rules.ts';

export function savedSearches(db: Db): SavedSearch[] {
  const counts = new Map(readCounts(db).saved.map(({ id, ...count }) => [id, count]));
  return savedRows(db).map(({ id, name, query, notify, position }) => ({
    ...{ id, name, query, position },
    notify: notify === 1,
    count: counts.get(id) ?? { total: 0, unread: 0 },
    problem: compileRule('saved', query).problem,
  }));
}

export function mutes(db: Db): MuteRule[] {
  const hides = new Map(
    rows<{ id: string; hides: number }>(
      db,
      `SELECT id, (SELECT count(*) FROM rule_match WHERE rule_match.slot = rule.slot) AS hides FROM rule
       WHERE kind = 'mute' AND gone = 0`,
    ).map((row) => [row.id, row.hides]),
  );
  return muteRows(db)
    .map(({ id, query, created_at }) => ({
      ...{ id, query },
      createdAt: asTime(created_at) ?? '',
      hides: hides.get(id) ?? 0,
      problem: compileRule('mute', query).problem,
    }))
    .reverse();
}

/** Returns null if all saved items are matched. */
export function progress(db: Db): RuleProgress | null {
  const pending = pendingRules(db);
  if (pending.length === 0) return null;
  const { first, last } = row<{ first: number; last: number }>(
    db,
    'SELECT (SELECT min(key) FROM item_index) AS first, (SELECT max(key) FROM item_index) AS last',
  ) ?? { first: 0, last: 0 };
  const left = pending.map(({ below }) => (below === null ? 0 : (below - first) / Math.max(1, last - first)));
  const done = 1 - Math.min(1, Math.max(0, left.reduce((sum, part) => sum + part, 0) / pending.length));
  return { done };
}
