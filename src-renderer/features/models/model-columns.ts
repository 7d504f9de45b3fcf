import type { ModelLine } from '../../../src-main/contract/model/model.ts';

/** What a column holds: it decides how a cell is written, and on which side it stands. */
export type ColumnKind = 'name' | 'text' | 'tokens' | 'price' | 'cost' | 'modalities' | 'day' | 'flag' | 'number';

export interface Column {
  /** Kept in `Settings.modelColumns`; a price's is `price.` and its name. */
  id: string;
  kind: ColumnKind;
  /** Of a price: its name in `pricing`. */
  price?: string;
  /** Rem. */
  width: number;
}

/** Longer ids are not kept in the settings: a column of such a name shows nothing that could be chosen. */
const LONGEST_ID = 60;

const BEFORE_PRICES: readonly Column[] = [
  { id: 'name', kind: 'name', width: 21 },
  { id: 'vendor', kind: 'text', width: 8.5 },
  { id: 'context', kind: 'tokens', width: 6.5 },
  { id: 'maxOutput', kind: 'tokens', width: 8.25 },
];
const AFTER_PRICES: readonly Column[] = [
  { id: 'cost', kind: 'cost', width: 8.5 },
  { id: 'inputs', kind: 'modalities', width: 9.5 },
  { id: 'outputs', kind: 'modalities', width: 10 },
  { id: 'created', kind: 'day', width: 7.5 },
  { id: 'expiry', kind: 'day', width: 7.5 },
  { id: 'cutoff', kind: 'day', width: 9 },
  { id: 'moderated', kind: 'flag', width: 6.5 },
  { id: 'parameters', kind: 'number', width: 7.5 },
  { id: 'tokenizer', kind: 'text', width: 8 },
  { id: 'firstSeen', kind: 'day', width: 7.5 },
];
/** Prices that people look for first; further ones follow by name. */
const USUAL_PRICES = ['prompt', 'completion', 'input_cache_read', 'image', 'request'] as const;
const PRICE_WIDTH = 9;

const USUAL = new Set([
  ...['name', 'context', 'maxOutput', 'price.prompt', 'price.completion', 'price.input_cache_read'],
  ...['cost', 'inputs', 'created'],
]);

/** All columns that there are for these models, in the order in which they are shown. */
export function columnsOf(lines: readonly ModelLine[]): Column[] {
  const names = new Set(lines.flatMap(({ pricing }) => Object.keys(pricing)));
  const further = [...names].filter((name) => !(USUAL_PRICES as readonly string[]).includes(name)).sort();
  const prices = [...USUAL_PRICES, ...further].map((price): Column => ({
    id: `price.${price}`,
    kind: 'price',
    price,
    width: PRICE_WIDTH,
  }));
  return [...BEFORE_PRICES, ...prices.filter(({ id }) => id.length <= LONGEST_ID), ...AFTER_PRICES];
}

/** The columns that are shown under a setting. The name always is: it is what a row is of. */
export function shownColumns(all: readonly Column[], chosen: readonly string[] | null): Column[] {
  const ids = chosen === null ? USUAL : new Set(chosen);
  return all.filter(({ id }) => id === 'name' || ids.has(id));
}

/** Shows a column or hides it. Chosen columns that these models do not have stay chosen. */
export function withColumn(
  all: readonly Column[],
  chosen: readonly string[] | null,
  id: string,
  shown: boolean,
): string[] {
  const kept = new Set(chosen ?? shownColumns(all, null).map((column) => column.id));
  if (shown) kept.add(id);
  else kept.delete(id);
  return [...new Set(['name', ...kept])];
}

/** Whether a column's values are read from the right. */
export function isNumeric({ kind }: Column): boolean {
  return kind === 'tokens' || kind === 'price' || kind === 'cost' || kind === 'number';
}
