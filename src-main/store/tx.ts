import { thisMirror } from './database/properties.ts';
import { SlotAllocator } from './items/time-key.ts';
import type { LiveRules } from './rules/rule-query.ts';
import { value, type Db, type WritableDb } from './sql.ts';

/** Records of the reader that changed in a transaction, whoever changed them. */
export interface Changed {
  kind: string;
  service: string;
  ids: string[];
}

export interface WriteSummary {
  added: number;
  /** Added with a time more than 72 hours ago. */
  older: number;
  revised: number;
  withdrawn: number;
  /** Ids of items that were revised or completed, left the selected set or were withdrawn. */
  ids: string[];
}

export type Changes = Pick<WriteSummary, 'added' | 'revised' | 'withdrawn'>;

export function changesItems({ added, ids }: WriteSummary): boolean {
  return added > 0 || ids.length > 0;
}

/** True if a new item may have one. A change sets `tx.past` to null. */
export interface Past {
  statuses: boolean;
  withdrawals: boolean;
  coverage: boolean;
  readAddresses: boolean;
  /** Items without a status and with a lower key count as read. */
  startKey: number;
}

/** Cached between transactions: no other connection writes it. */
export interface Kept {
  readonly service: string;
  rules: LiveRules | null;
  readonly sources: Map<string, number>;
  /** A hint that may be wrong after a rollback. Saves loads of items with one time the search for a free key. */
  readonly slots: SlotAllocator;
}

/** State that the functions of one transaction share. A rollback discards it. */
export interface Tx {
  readonly db: WritableDb;
  /** In ms since 1970. */
  readonly now: number;
  /** The service's time if it is known, because the clock of this computer may be wrong. */
  readonly stampTime: number;
  /** Numbers the writes. A large transaction has several, for followers that work in steps. */
  sequence: number;
  changes: number;
  /** True if followers have work. */
  wrote: boolean;
  readonly summary: WriteSummary;
  /** False if no row was touched (items/touched.ts). */
  touched: boolean;
  /** Keys that had no row. */
  readonly newKeys: Set<number>;
  /** Stories that are folded again at the end. */
  readonly refold: Set<string>;
  readonly changed: Changed[];
  rules: LiveRules | null;
  readonly newSources: Map<string, number>;
  /** Null if that must be looked up. */
  anyParked: boolean | null;
  past: Past | null;
  readonly kept: Kept;
}

export function createKept(db: Db): Kept {
  return { service: thisMirror(db), rules: null, sources: new Map(), slots: new SlotAllocator() };
}

export function beginTx(db: WritableDb, kept: Kept, times: Pick<Tx, 'now' | 'stampTime'>, sequence: number): Tx {
  return {
    ...{ db, kept, ...times, sequence },
    changes: 0,
    wrote: false,
    summary: { added: 0, older: 0, revised: 0, withdrawn: 0, ids: [] },
    touched: false,
    newKeys: new Set(),
    refold: new Set(),
    changed: [],
    rules: kept.rules,
    newSources: new Map(),
    anyParked: null,
    past: null,
  };
}

const END_OF_STEP = `SELECT min(ifnull(changed, left), ifnull(left, changed)) FROM (SELECT
  (SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?) AS changed,
  (SELECT sequence FROM gone WHERE sequence > ? ORDER BY sequence LIMIT 1 OFFSET ?) AS left)`;

/** Returns the write with which a step of `most` items after write `from` ends; undefined if fewer changed or left. */
export function endOfStep(db: Db, from: number, most: number): number | undefined {
  return value<number | null>(db, END_OF_STEP, from, most - 1, from, most - 1) ?? undefined;
}

const MAX_KEPT_SOURCES = 20_000;

/** Call it after the commit. */
export function keep({ kept, rules, newSources }: Tx): void {
  kept.rules = rules;
  if (kept.sources.size + newSources.size > MAX_KEPT_SOURCES) kept.sources.clear();
  for (const [name, id] of newSources) kept.sources.set(name, id);
}
