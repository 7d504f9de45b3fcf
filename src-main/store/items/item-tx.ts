import type { Item } from '../../contract/model/item.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import type { SourcesTable } from '../sources/sources-table.ts';
import type { WritableDb } from '../sql.ts';
import type { CoverageTable } from '../stories/coverage-table.ts';
import type { AddressesTable } from './addresses-table.ts';
import type { Counters } from './counters.ts';
import type { ReadingStart } from './reading-start.ts';
import type { StatusesTable } from './statuses-table.ts';
import type { SlotAllocator } from './time-key.ts';

/** The changes of one transaction to items. */
export interface WriteSummary {
  added: number;
  /** How many of the added items have a time more than 72 hours ago. */
  older: number;
  revised: number;
  withdrawn: number;
  /** Ids of items that were revised or completed, left the selected set or were withdrawn. */
  ids: string[];
}

/** Returns true if a transaction changed any item. */
export function changesItems({ added, ids }: WriteSummary): boolean {
  return added > 0 || ids.length > 0;
}

/** Where an item came from: the selected set with its generation number, or GET /items. */
/** `lifetime`: for how many ms a cache may have kept the list (default 60 s). */
export type Origin = { kind: 'selected'; generation: number } | { kind: 'listed'; lifetime?: number };

/** `completed`: it entered a list, a missing field was filled in, or an address changed; no visible text changed. */
export type Outcome = 'added' | 'revised' | 'completed' | 'unchanged' | 'refused';

/** What a connection keeps between the transactions that write items. */
export interface ItemParts {
  readonly counters: Counters;
  readonly rules: AppliedRules;
  readonly sources: SourcesTable;
  readonly addresses: AddressesTable;
  readonly coverage: CoverageTable;
  readonly start: ReadingStart;
  readonly statuses: StatusesTable;
  /** Which keys are taken. Without it, a load of items with one time searches for a free key from the start. */
  readonly slots: SlotAllocator;
}

/** One transaction that writes items. */
export interface ItemTx extends ItemParts {
  readonly db: WritableDb;
  /** In ms since 1970. */
  readonly now: number;
  /** The number of the write. A large transaction has several, for followers that work in steps. */
  sequence: number;
  /** The changes with this number so far. */
  changes: number;
  readonly summary: WriteSummary;
  /** True if there may be parked items: usually there are none. */
  anyParked: boolean;
  /** See `knownPast` in `save.ts`; null if it must be looked up. */
  past: Past | null;
}

/** What is looked up once for all new items of a write. */
export interface Past {
  /** True if a new item may have a status, or may have been withdrawn. */
  statuses: boolean;
  withdrawals: boolean;
  /** See {@link ReadingStart.key}. */
  startKey: number;
}

/** The times that decide where an item is listed. */
export type ItemTimes = Pick<Item, 'discoveredAt' | 'publishedAt'>;
