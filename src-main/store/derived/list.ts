/** All data that follows from other data, in the order in which it is brought up to date. */
import { addresses } from '../items/addresses.ts';
import { counters } from '../items/touched.ts';
import { listIndexes } from '../lists/list-indexes.ts';
import { mentions } from '../models/mentions.ts';
import { rules } from '../rules/rule-matcher.ts';
import { reportTexts } from '../search/report-index.ts';
import { prepareSearch } from '../search/search-index.ts';
import { itemTexts } from '../search/search-indexer.ts';
import { statuses } from '../statuses/item-statuses.ts';
import { coverage } from '../stories/coverage.ts';
import type { Tx } from '../tx.ts';
import { renew, type Derived } from './derived.ts';

export const DERIVED = {
  listIndexes,
  statuses,
  counters,
  rules,
  addresses,
  coverage,
  mentions,
  itemTexts,
  reportTexts,
} satisfies Record<string, Derived>;

export type DerivedName = keyof typeof DERIVED;

export const DERIVED_NAMES = Object.keys(DERIVED) as DerivedName[];

const RENEWED = ['counters', 'rules', 'addresses', 'coverage', 'itemTexts', 'reportTexts'] as const;

/** Call it once after opening, before a transaction or a read relies on them. */
export function renewAll(tx: Tx): void {
  prepareSearch(tx.db);
  for (const name of RENEWED) renew<Tx>(tx, name, DERIVED[name]);
}
