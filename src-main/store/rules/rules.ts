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
} from '../../contract/model/search.ts';
import { readCounts } from '../items/counters.ts';
import { row, rows, run, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { applyRules, pendingRules } from './applied-rules.ts';
import { compileRule, type RuleKind } from './rule-query.ts';

export interface SavedSearchRow {
  id: string;
  name: string;
  query: string;
  notify: number;
  position: number;
  created_at: number;
}

export interface MuteRuleRow {
  id: string;
  query: string;
  created_at: number;
}

type Change = { name?: string; query?: string; notify?: boolean };

const PUT_SAVED = `INSERT OR REPLACE INTO user.saved_search (id, name, folded, query, notify, position, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const REMOVE_SAVED = 'DELETE FROM user.saved_search WHERE id = ?';
const PUT_MUTE = 'INSERT OR REPLACE INTO user.mute_rule (id, query, created_at) VALUES (?, ?, ?)';
const REMOVE_MUTE = 'DELETE FROM user.mute_rule WHERE id = ?';

export function savedSearchRows(db: Db): SavedSearchRow[] {
  return rows<SavedSearchRow>(
    db,
    'SELECT id, name, query, notify, position, created_at FROM user.saved_search ORDER BY position, created_at, id',
  );
}

export function muteRuleRows(db: Db): MuteRuleRow[] {
  return rows<MuteRuleRow>(db, 'SELECT id, query, created_at FROM user.mute_rule ORDER BY created_at, id');
}

/** Counts with `now` in ms: see {@link readCounts}. */
export function savedSearches(db: Db, now?: number): SavedSearch[] {
  const counts = new Map(readCounts(db, now).saved.map(({ id, ...count }) => [id, count]));
  return savedSearchRows(db).map(({ id, name, query, notify, position }) => ({
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
  return muteRuleRows(db)
    .map(({ id, query, created_at }) => ({
      ...{ id, query },
      createdAt: asTime(created_at) ?? '',
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
  { name, query, notify }: Required<Change>,
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
  save(tx, { id, name, query, notify: Number(notify), position, created_at: now });
  return id;
}

export function changeSaved(tx: Tx, id: string, change: Change): void {
  const here = savedSearchRows(tx.db).find((one) => one.id === id);
  if (!here) throw removedSearch();
  const { notify, ...texts } = change;
  save(tx, { ...here, ...texts, ...(notify !== undefined && { notify: Number(notify) }) });
}

export function moveSaved({ db }: Tx, id: string, to: number): void {
  const all = savedSearchRows(db);
  const moved = all.find((one) => one.id === id);
  if (!moved) throw removedSearch();
  const others = all.filter((one) => one !== moved);
  for (const [position, one] of others.toSpliced(to, 0, moved).entries()) {
    if (one.position !== position) run(db, 'UPDATE user.saved_search SET position = ? WHERE id = ?', position, one.id);
  }
}

export function removeSaved(tx: Tx, id: string): SavedSearchRow | null {
  const here = savedSearchRows(tx.db).find((one) => one.id === id);
  run(tx.db, REMOVE_SAVED, id);
  followRules(tx);
  return here ?? null;
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
  run(tx.db, PUT_MUTE, id, query, now);
  followRules(tx);
  return { id, added: true };
}

export function removeMute(tx: Tx, id: string): MuteRuleRow | null {
  const here = muteRuleRows(tx.db).find((one) => one.id === id);
  run(tx.db, REMOVE_MUTE, id);
  followRules(tx);
  return here ?? null;
}

/** Lets the other copy win, by id or name. Returns null for too many. Call {@link followRules} at the end. */
export function mergeSaved(db: WritableDb, row: SavedSearchRow): boolean | null {
  const all = savedSearchRows(db);
  const folded = nameKey(row.name);
  const namesake = all.find((one) => nameKey(one.name) === folded);
  const here = namesake ?? all.find((one) => one.id === row.id);
  if (!here && all.length >= MOST_SAVED_SEARCHES) return null;
  const merged = { ...row, id: here?.id ?? row.id, created_at: here?.created_at ?? row.created_at };
  if (here && JSON.stringify(inOrder(here)) === JSON.stringify(inOrder(merged))) return false;
  putSaved(db, merged);
  return true;
}

export function mergeMute(db: WritableDb, { id, query, created_at }: MuteRuleRow): boolean | null {
  const all = muteRuleRows(db);
  const here = all.find((one) => one.id === id || one.query === query);
  if (here?.query === query) return false;
  if (!here && all.length >= MOST_MUTE_RULES) return null;
  run(db, PUT_MUTE, id, query, created_at);
  return true;
}

/** Renames, of two with one name, that with the greater id: each machine does the same. Returns false for too many. */
export function carrySaved(db: WritableDb, id: string, row: SavedSearchRow | null): boolean {
  if (row === null) {
    run(db, REMOVE_SAVED, id);
    return true;
  }
  const others = savedSearchRows(db).filter((one) => one.id !== id);
  if (others.length >= MOST_SAVED_SEARCHES) return false;
  const names = new Set([...others, row].map(({ name }) => nameKey(name)));
  const namesake = others.find((one) => nameKey(one.name) === nameKey(row.name));
  if (namesake && namesake.id > id) putSaved(db, { ...namesake, name: freeName(namesake.name, names) });
  const name = namesake && namesake.id < id ? freeName(row.name, names) : row.name;
  putSaved(db, { ...row, name });
  return true;
}

export function carryMute(db: WritableDb, query: string, row: MuteRuleRow | null): boolean {
  const all = muteRuleRows(db);
  const here = all.find((one) => one.query === query);
  if (row === null) {
    if (here) run(db, REMOVE_MUTE, here.id);
    return true;
  }
  if (!here && all.length >= MOST_MUTE_RULES) return false;
  const isTaken = all.some((one) => one.id === row.id && one.query !== query);
  if (here && here.id !== row.id) run(db, REMOVE_MUTE, here.id);
  run(db, PUT_MUTE, isTaken ? newId() : row.id, row.query, row.created_at);
  return true;
}

export function followRules(tx: Tx): void {
  applyRules(tx, [
    ...muteRuleRows(tx.db).map(({ id, query }) => ({ kind: 'mute' as const, id, query })),
    ...savedSearchRows(tx.db).map(({ id, query }) => ({ kind: 'saved' as const, id, query })),
  ]);
}

function save(tx: Tx, row: SavedSearchRow): void {
  const name = row.name.trim();
  const query = row.query.trim();
  const folded = nameKey(name);
  refuseUnusable('saved', query);
  const namesake = savedSearchRows(tx.db).find((one) => one.id !== row.id && nameKey(one.name) === folded);
  if (namesake)
    throw invalid('rule_name_taken', `A saved search named “${namesake.name}” already exists. Choose another name.`);
  putSaved(tx.db, { ...row, name, query });
  followRules(tx);
}

function putSaved(db: WritableDb, { id, name, query, notify, position, created_at }: SavedSearchRow): void {
  run(db, PUT_SAVED, id, name, nameKey(name), query, notify, position, created_at);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const names = Array.from({ length: taken.size + 1 }, (_none, at) => {
    const end = ` (${String(at + 2)})`;
    return name.slice(0, LONGEST_RULE_NAME - end.length).toWellFormed() + end;
  });
  return names.find((one) => !taken.has(nameKey(one))) ?? name;
}

function removedSearch(): BroadsheetError {
  return new BroadsheetError('not_found', 'This saved search was removed.');
}

function inOrder({ id, name, query, notify, position, created_at }: SavedSearchRow): unknown[] {
  return [id, name, query, notify, position, created_at];
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
