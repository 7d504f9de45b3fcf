/** The reader's saved searches and mute rules (user.db). The mirror follows them: see {@link followRules}. */
import { randomUUID } from 'node:crypto';
import { nameKey } from '../../common/text.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError, type FailureReason } from '../../contract/errors.ts';
import {
  LONGEST_RULE_NAME,
  MOST_MUTE_RULES,
  MOST_SAVED_SEARCHES,
  type MuteRule,
  type RuleProgress,
  type SavedSearch,
  type SearchMark,
} from '../../contract/model/search.ts';
import type { ValueOf } from '../../contract/records.ts';
import { readCounts } from '../items/counters.ts';
import * as records from '../records.ts';
import { row, rows, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { applyRules, pendingRules } from './applied-rules.ts';
import { compileRule, type RuleKind } from './rule-query.ts';

interface Rule {
  id: string;
  query: string;
  createdAt: number;
}

type SavedSearchRow = Rule & ValueOf<'saved'>;

type Change = { name?: string; query?: string; notify?: boolean; marks?: SearchMark | null };

/** In the reader's order. Of more than there may be, which other devices can bring, the oldest. */
export function savedSearchRows(db: Db): SavedSearchRow[] {
  const live = records
    .list(db, 'saved')
    .map(([id, search]) => ({ id, ...search }))
    .sort(byAge)
    .slice(0, MOST_SAVED_SEARCHES);
  return withOwnNames(live).sort((one, other) => one.position - other.position || byAge(one, other));
}

function muteRuleRows(db: Db): Rule[] {
  const live = records
    .list(db, 'mute')
    .map(([query, rule]) => ({ query, ...rule }))
    .sort((one, other) => byAge(one, other) || (one.query < other.query ? -1 : 1))
    .slice(0, MOST_MUTE_RULES);
  const ids = new Set<string>();
  return live.map((rule) => {
    const id = free(rule.id, ids, (at) => `${rule.id.slice(0, 30)}-${String(at)}`);
    ids.add(id);
    return { ...rule, id };
  });
}

function byAge(one: Rule, other: Rule): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** Two devices can choose one name: the search with the greater id is shown with another, on each device the same. */
function withOwnNames(searches: readonly SavedSearchRow[]): SavedSearchRow[] {
  const names = new Set<string>();
  return searches
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((search) => {
      const name = free(search.name, names, (at) => numbered(search.name, at), nameKey);
      names.add(nameKey(name));
      return { ...search, name };
    });
}

function free(
  wanted: string,
  taken: ReadonlySet<string>,
  other: (at: number) => string,
  keyOf = (text: string): string => text,
): string {
  let name = wanted;
  for (let at = 2; taken.has(keyOf(name)); at += 1) name = other(at);
  return name;
}

function numbered(name: string, at: number): string {
  const end = ` (${String(at)})`;
  return name.slice(0, LONGEST_RULE_NAME - end.length).toWellFormed() + end;
}

/** Counts with `now` in ms: see {@link readCounts}. */
export function savedSearches(db: Db, now?: number): SavedSearch[] {
  const counts = new Map(readCounts(db, now).saved.map(({ id, ...count }) => [id, count]));
  return savedSearchRows(db).map(({ id, name, query, notify, marks, position }) => ({
    ...{ id, name, query, position },
    notify: notify === 1,
    marks: marks ?? null,
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
  return muteRuleRows(db)
    .map(({ id, query, createdAt }) => ({
      ...{ id, query },
      createdAt: asTime(createdAt) ?? '',
      hides: hides.get(id) ?? 0,
      problem: compileRule('mute', query).problem,
    }))
    .reverse();
}

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

/** Adds a search at the end, or a removed one (`was`) where it stood. Errors: `invalid_argument`. */
export function addSaved(
  tx: Tx,
  { name, query, notify, marks }: Required<Omit<Change, 'marks'>> & Pick<Change, 'marks'>,
  now: number,
  was?: { id: string; position: number },
): string {
  const all = savedSearchRows(tx.db);
  if (all.length >= MOST_SAVED_SEARCHES) {
    throw invalid(
      'rule_too_many',
      `There are already ${String(MOST_SAVED_SEARCHES)} saved searches. Remove one of them first.`,
    );
  }
  const id = was !== undefined && !all.some((one) => one.id === was.id) ? was.id : newId();
  const position = was?.position ?? 1 + Math.max(-1, ...all.map((one) => one.position));
  save(tx, { id, name, query, notify: notify ? 1 : 0, ...(marks && { marks }), position, createdAt: now });
  return id;
}

export function changeSaved(tx: Tx, id: string, change: Change): void {
  const here = savedSearchRows(tx.db).find((one) => one.id === id);
  if (!here) throw removedSearch();
  const { marks: before, ...rest } = here;
  const { notify, marks = before, ...texts } = change;
  const options = { ...(notify !== undefined && ({ notify: notify ? 1 : 0 } as const)), ...(marks && { marks }) };
  save(tx, { ...rest, ...texts, ...options });
}

export function moveSaved(tx: Tx, id: string, to: number): void {
  const all = savedSearchRows(tx.db);
  const moved = all.find((one) => one.id === id);
  if (!moved) throw removedSearch();
  const others = all.filter((one) => one !== moved);
  for (const [position, one] of others.toSpliced(to, 0, moved).entries()) {
    const search = one.position === position ? null : records.get(tx.db, 'saved', one.id);
    if (search) records.set(tx, 'saved', one.id, { ...search, position });
  }
}

export function removeSaved(tx: Tx, id: string): void {
  records.set(tx, 'saved', id, null);
}

export function addMute(tx: Tx, text: string, now: number, was?: string): { id: string; added: boolean } {
  const query = text.trim();
  const all = muteRuleRows(tx.db);
  const same = all.find((one) => one.query === query);
  if (same) return { id: same.id, added: false };
  if (all.length >= MOST_MUTE_RULES) {
    throw invalid(
      'rule_too_many',
      `There are already ${String(MOST_MUTE_RULES)} mute rules. Remove one of them first.`,
    );
  }
  refuseUnusable('mute', query);
  const id = was !== undefined && !all.some((one) => one.id === was) ? was : newId();
  records.set(tx, 'mute', query, { id, createdAt: now });
  return { id, added: true };
}

export function removeMute(tx: Tx, id: string): void {
  const here = muteRuleRows(tx.db).find((one) => one.id === id);
  if (here) records.set(tx, 'mute', here.query, null);
}

export function followRules(tx: Tx): void {
  applyRules(tx, [
    ...muteRuleRows(tx.db).map(({ id, query }) => ({ kind: 'mute' as const, id, query })),
    ...savedSearchRows(tx.db).map(({ id, query }) => ({ kind: 'saved' as const, id, query })),
  ]);
}

function save(tx: Tx, { id, ...search }: SavedSearchRow): void {
  const [name, query] = [search.name.trim(), search.query.trim()];
  refuseUnusable('saved', query);
  const namesake = savedSearchRows(tx.db).find((one) => one.id !== id && nameKey(one.name) === nameKey(name));
  if (namesake)
    throw invalid('rule_name_taken', `A saved search named “${namesake.name}” already exists. Choose another name.`);
  records.set(tx, 'saved', id, { ...search, name, query });
}

function removedSearch(): BroadsheetError {
  return new BroadsheetError('not_found', 'This saved search was removed.');
}

function refuseUnusable(kind: RuleKind, query: string): void {
  const { problem } = compileRule(kind, query);
  if (problem !== null) throw invalid(problem.reason, problem.message);
}

function invalid(reason: FailureReason, message: string): BroadsheetError {
  return new BroadsheetError('invalid_argument', message, { reason });
}

/** Short enough to type in a terminal. */
function newId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 8);
}
