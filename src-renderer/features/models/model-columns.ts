import { basePrices } from '../../../src-main/common/price.ts';
import type { ModelLine } from '../../../src-main/contract/model/model.ts';

/** The kind of a column decides how its cells are formatted and aligned. */
export type ColumnKind = 'name' | 'text' | 'tokens' | 'price' | 'cost' | 'modalities' | 'day' | 'flag' | 'number';

export interface Column {
  /** Saved in `Settings.modelColumns`; for a price, `price.` and its name. */
  id: string;
  kind: ColumnKind;
  /** For a price: the name in `pricing`. */
  price?: string;
  /** In rem. */
  width: number;
}

/** The settings do not accept longer ids, so such columns are left out. */
const LONGEST_ID = 60;

const BEFORE_PRICES: readonly Column[] = [
  { id: 'name', kind: 'name', width: 24 },
  // Beside the name: the newest models are first.
  { id: 'created', kind: 'day', width: 8.25 },
  { id: 'vendor', kind: 'text', width: 8.5 },
  { id: 'context', kind: 'tokens', width: 6.5 },
  { id: 'maxOutput', kind: 'tokens', width: 8.25 },
];
const AFTER_PRICES: readonly Column[] = [
  { id: 'cost', kind: 'cost', width: 8.5 },
  { id: 'inputs', kind: 'modalities', width: 9.5 },
  { id: 'outputs', kind: 'modalities', width: 10 },
  { id: 'expiry', kind: 'day', width: 8.25 },
  { id: 'cutoff', kind: 'day', width: 9 },
  { id: 'moderated', kind: 'flag', width: 6.5 },
  { id: 'parameters', kind: 'number', width: 7.5 },
  { id: 'tokenizer', kind: 'text', width: 8 },
  { id: 'firstSeen', kind: 'day', width: 8.25 },
];
/** The most important prices; others follow by name. */
const MAIN_PRICES = ['prompt', 'completion', 'input_cache_read', 'image', 'request'] as const;
const PRICE_WIDTH = 9;

const DEFAULT_COLUMNS = new Set([
  ...['name', 'context', 'maxOutput', 'price.prompt', 'price.completion', 'price.input_cache_read'],
  ...['cost', 'inputs', 'created'],
]);

/** Returns all columns for these models, in the order of the table. */
export function columnsOf(lines: readonly ModelLine[]): Column[] {
  const names = new Set(lines.flatMap(({ pricing }) => Object.keys(basePrices(pricing))));
  const further = [...names].filter((name) => !(MAIN_PRICES as readonly string[]).includes(name)).sort();
  const prices = [...MAIN_PRICES, ...further].map((price): Column => ({
    id: `price.${price}`,
    kind: 'price',
    price,
    width: PRICE_WIDTH,
  }));
  return [...BEFORE_PRICES, ...prices.filter(({ id }) => id.length <= LONGEST_ID), ...AFTER_PRICES];
}

/** Returns the visible columns under a setting. The name is always visible. */
export function visibleColumns(all: readonly Column[], chosen: readonly string[] | null): Column[] {
  const ids = chosen === null ? DEFAULT_COLUMNS : new Set(chosen);
  return all.filter(({ id }) => id === 'name' || ids.has(id));
}

/** Shows or hides a column. Chosen columns that these models lack stay chosen. */
export function withColumn(
  all: readonly Column[],
  chosen: readonly string[] | null,
  id: string,
  visible: boolean,
): string[] {
  const ids = new Set(chosen ?? visibleColumns(all, null).map((column) => column.id));
  if (visible) ids.add(id);
  else ids.delete(id);
  return [...new Set(['name', ...ids])];
}

/** True for right-aligned columns. */
export function isNumeric({ kind }: Column): boolean {
  return kind === 'tokens' || kind === 'price' || kind === 'cost' || kind === 'number';
}
