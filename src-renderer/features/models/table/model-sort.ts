import Big from 'big.js';
import type { ModelLine, Workload } from '../../../../src-main/contract/model/model.ts';
import { workloadCost } from '../../../../src-main/common/model-cost.ts';
import { nameWithoutVendor } from '../../../../src-main/common/model-line.ts';
import { payable, readPrice, priceOf } from '../../../../src-main/common/price.ts';
import { isModelField, MODEL_FIELDS } from '../../../../src-main/render/model-fields.ts';
import type { Column } from '../model-columns.ts';

export interface ModelSort {
  column: string;
  ascending: boolean;
}

/** The newest models first, as a reader of news expects. */
export const FIRST_SORT: ModelSort = { column: 'created', ascending: false };

/** Null if unknown. */
export type SortValue = string | number | Big | null;

/** Parses a date, in ms since 1970; null for anything else. */
export function dayOf(text: string | null): number | null {
  const ms = text === null ? NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** Returns the value of a model in a column, for sorting. */
export function sortValue(line: ModelLine, column: Column, workload: Workload | null): SortValue {
  if (column.price !== undefined) return payable(readPrice(priceOf(line.pricing, column.price)));
  if (column.id === 'cost') return workload === null ? null : (workloadCost(line.pricing, workload)?.usd ?? null);
  if (!isModelField(column.id)) return null;
  const field = MODEL_FIELDS[column.id];
  switch (field.kind) {
    case 'text':
    case 'tokens':
    case 'seconds':
      return field.value(line);
    case 'day':
      return dayOf(field.value(line));
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
 * Sorts models by a column: favourites first, and unknown values last in both directions. Values are computed once for each
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
