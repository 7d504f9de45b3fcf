import { asTime } from '../../common/time.ts';
import type { MuteRule, RuleProgress, SavedSearch } from '../../contract/model/search.ts';
import { readCounts } from '../items/counters.ts';
import { rows, type Db } from '../sql.ts';
import { matchingProgress } from './rule-matcher.ts';
import { compileRule } from './rule-query.ts';
import { mutes as muteRows, saved as savedRows } from './rules.ts';

export function saved(db: Db): SavedSearch[] {
  const counts = new Map(readCounts(db).saved.map(({ id, ...count }) => [id, count]));
  return savedRows(db).map(({ id, name, query, notify, position }) => ({
    ...{ id, name, query, position },
    notify: notify === 1,
    count: counts.get(id) ?? { total: 0, unread: 0 },
    problem: compileRule('saved', query).problem,
  }));
}

/** Returns the newest first. */
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

export function progress(db: Db): RuleProgress | null {
  const done = matchingProgress(db);
  return done === null ? null : { done };
}
