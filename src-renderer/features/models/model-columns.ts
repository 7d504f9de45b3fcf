import Big from 'big.js';
import { messageFor } from '../../../src-main/common/i18n/labels.ts';
import { modelsModalities } from '../../../src-main/common/i18n/model-labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { workloadCost } from '../../../src-main/common/model-cost.ts';
import { nameWithoutVendor } from '../../../src-main/common/model-line.ts';
import { basePrices, payable, priceOf, readPrice } from '../../../src-main/common/price.ts';
import { priceName, unitText } from '../../../src-main/common/price-text.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import { instant } from '../../../src-main/common/time.ts';
import type { ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import { MODEL_FIELDS, type ModelField, type ModelFieldId } from '../../../src-main/render/model-fields.ts';

export interface Column {
  /** Saved in `Settings.modelColumns`; for a price, `price.` and its name. */
  id: string;
  /** Missing for a price and for the cost. */
  field?: ModelField;
  /** For a price: the name in `pricing`. */
  price?: string;
  /** In rem. */
  width: number;
}

/** The settings do not accept longer ids, so such columns are left out. */
const LONGEST_ID = 60;

const PRICE_WIDTH = 8;
/** Shown by default, from the left; those that a pane has no room for leave from the right. */
const FIRST: readonly Column[] = [
  ...fieldColumns({ name: 17 }),
  ...priceColumns(['prompt', 'completion']),
  ...fieldColumns({ context: 7, maxOutput: 8, created: 11 }),
  { id: 'cost', width: 9 },
];
const FURTHER: readonly Column[] = [
  ...fieldColumns({ vendor: 9, inputs: 10, outputs: 10, cutoff: 11, expiry: 11, moderated: 7.5 }),
  ...fieldColumns({ parameters: 12, tokenizer: 9, firstSeen: 11 }),
];
/** The most important of the further prices; others follow by name. */
const MAIN_PRICES = ['input_cache_read', 'image', 'request'];

function fieldColumns(widths: Partial<Record<ModelFieldId, number>>): Column[] {
  return Object.entries(widths).map(([id, width]) => ({ id, field: MODEL_FIELDS[id as ModelFieldId], width }));
}

function priceColumns(names: readonly string[]): Column[] {
  return names.map((price) => ({ id: `price.${price}`, price, width: PRICE_WIDTH }));
}

export function columnsOf(lines: readonly ModelLine[]): Column[] {
  const names = new Set(lines.flatMap(({ pricing }) => Object.keys(basePrices(pricing))));
  for (const { price } of FIRST) if (price !== undefined) names.delete(price);
  const further = [...names].filter((name) => !MAIN_PRICES.includes(name)).sort();
  const prices = priceColumns([...MAIN_PRICES, ...further]);
  return [...FIRST, ...prices.filter(({ id }) => id.length <= LONGEST_ID), ...FURTHER];
}

/** Returns the chosen columns under a setting. The name is always visible. */
export function chosenColumns(all: readonly Column[], chosen: readonly string[] | null): Column[] {
  const ids = new Set(chosen ?? FIRST.map(({ id }) => id));
  return all.filter(({ id }) => id === 'name' || ids.has(id));
}

/** Leaves out columns from the right until the others fit into a width in rem: a number that is cut looks complete. */
export function fittingColumns(columns: readonly Column[], width: number): Column[] {
  let taken = 0;
  return columns.filter((column, i) => (taken += column.width) <= width || i === 0);
}

/** Shows or hides a column. Chosen columns that these models lack stay chosen. */
export function withColumn(
  all: readonly Column[],
  chosen: readonly string[] | null,
  id: string,
  visible: boolean,
): string[] {
  const ids = new Set(chosen ?? chosenColumns(all, null).map((column) => column.id));
  if (visible) ids.add(id);
  else ids.delete(id);
  return [...new Set(['name', ...ids])];
}

export function isNumeric({ field }: Column): boolean {
  return field === undefined || ['tokens', 'list', 'seconds', 'day'].includes(field.kind);
}

export function columnName({ field, price }: Column): string {
  // The pane's header says that these are prices.
  if (price === 'prompt' || price === 'completion') return priceName(price);
  if (price !== undefined) return m.models_price_column({ name: priceName(price) });
  return field ? (field.column ?? field.label)() : m.models_columns_cost();
}

/** `$0.15 in`, `Output varies` */
export function namedPrice(name: 'prompt' | 'completion', kind: string, text: string): string {
  if (kind === 'free' || kind === 'varies') {
    return m.models_row_other({ name: priceName(name), value: text.toLowerCase() });
  }
  return (name === 'prompt' ? m.models_row_input : m.models_row_output)({ price: text });
}

/** Returns one word for the prices of a model; null if each has to be named. */
export function wordForPrices(kinds: readonly string[]): string | null {
  if (kinds.every((kind) => kind === 'free')) return m.price_free();
  return kinds.every((kind) => kind === 'varies') ? m.mention_varies() : null;
}

/** Returns the unit of a column; null if it has none. */
export function columnUnit({ field, price }: Column): string | null {
  if (price !== undefined) return unitText(price);
  return field?.kind === 'tokens' ? m.tokens() : null;
}

export function modalityName(name: string): string {
  return messageFor(modelsModalities, name) ?? oneLine(name, 40);
}

export interface ModelSort {
  column: string;
  ascending: boolean;
}

/** The newest models first, as a reader of news expects. */
export const FIRST_SORT: ModelSort = { column: 'created', ascending: false };

/** Null if unknown. */
export type SortValue = string | number | Big | null;

function sortValue(line: ModelLine, { field, price }: Column, workload: Workload | null): SortValue {
  if (price !== undefined) return payable(readPrice(priceOf(line.pricing, price)));
  if (!field) return workload === null ? null : (workloadCost(line.pricing, workload)?.usd ?? null);
  switch (field.kind) {
    case 'text':
    case 'tokens':
    case 'seconds':
      return field.value(line);
    case 'day':
      return instant(field.value(line));
    case 'modalities':
      return field.value(line).join(' ') || null;
    case 'list':
      return field.value(line).length || null;
    case 'flag': {
      const on = field.value(line);
      return on === null ? null : Number(on);
    }
  }
}

/**
 * Ranks models by name without the vendor, as it is shown, then by id. The rank decides between equal values, and is
 * computed once for a list.
 */
export function nameRanks(lines: readonly ModelLine[], locale: string): Map<string, number> {
  const collator = new Intl.Collator(locale, { numeric: true });
  const named = lines.map(({ id, name }) => ({ id, name: nameWithoutVendor(name) }));
  const sorted = named.sort((a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
  return new Map(sorted.map(({ id }, rank) => [id, rank]));
}

/**
 * Sorts models by a column: those in use first, and unknown values last in both directions. Values are computed once for each
 * model, not for each comparison; prices are compared as decimals.
 */
export function sortModels<T extends { line: ModelLine; rank: number }>(
  entries: readonly T[],
  column: Column,
  ascending: boolean,
  workload: Workload | null,
  locale: string,
): T[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const sign = ascending ? 1 : -1;
  const byName = column.id === 'name';
  const keyed = entries.map((entry) => ({
    entry,
    favourite: entry.line.favouriteAt !== null,
    value: byName ? entry.rank : sortValue(entry.line, column, workload),
  }));
  keyed.sort((a, b) => {
    if (a.favourite !== b.favourite) return a.favourite ? -1 : 1;
    if (a.value === null || b.value === null) {
      if (a.value !== b.value) return a.value === null ? 1 : -1;
      return a.entry.rank - b.entry.rank;
    }
    return sign * compare(a.value, b.value, collator) || a.entry.rank - b.entry.rank;
  });
  return keyed.map(({ entry }) => entry);
}

function compare(a: NonNullable<SortValue>, b: NonNullable<SortValue>, collator: Intl.Collator): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof Big && b instanceof Big) return a.cmp(b);
  return collator.compare(String(a), String(b));
}
