import { basePrices, readPrice } from '../../common/price.ts';
import { numberIn } from '../../common/numbers.ts';
import type { Json } from '../../contract/model/json.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import type { LostKind } from '../../contract/model/sync-status.ts';

/** The share of the saved values that a list may lack and still be believed. A gateway changes a few of them a day. */
const MAX_LOST = 1 / 5;
/** In a short list a few are a large share. */
const FEW = 3;

export interface ModelLoss {
  of: LostKind;
  saved: number;
  kept: number;
}

/** Returns the first implausible loss of a list; null if it is plausible (docs/decisions/148). */
export function lossOf(saved: readonly ModelRecord[], received: readonly ModelRecord[]): ModelLoss | null {
  const present = new Map(received.map((record) => [record.id.toWellFormed(), record]));
  const pairs = saved.flatMap((before) => {
    const after = present.get(before.id.toWellFormed());
    return after ? [{ before, after }] : [];
  });
  const models = { of: 'models', saved: saved.length, kept: pairs.length } as const;
  if (models.kept < models.saved / 2 || isLarge(models)) return models;
  const losses: ModelLoss[] = [
    { of: 'prices', ...count(pairs, pricedNames) },
    { of: 'contextLengths', ...count(pairs, contextLengths) },
  ];
  return losses.find(isLarge) ?? null;
}

function isLarge({ saved, kept }: ModelLoss): boolean {
  const lost = saved - kept;
  return lost > FEW && lost > saved * MAX_LOST;
}

function count(
  pairs: readonly { before: ModelRecord; after: ModelRecord }[],
  valuesOf: (record: ModelRecord) => string[],
): { saved: number; kept: number } {
  let [saved, kept] = [0, 0];
  for (const { before, after } of pairs) {
    const left = new Set(valuesOf(after));
    for (const value of valuesOf(before)) {
      saved += 1;
      if (left.has(value)) kept += 1;
    }
  }
  return { saved, kept };
}

function pricedNames({ pricing }: ModelRecord): string[] {
  if (typeof pricing !== 'object' || pricing === null || Array.isArray(pricing)) return [];
  return Object.entries(basePrices(pricing)).flatMap(([name, price]) => (isPaid(price) ? [name] : []));
}

function isPaid(price: Json): boolean {
  const { kind } = readPrice(price);
  return kind === 'amount' || kind === 'varies';
}

function contextLengths({ context_length: length }: ModelRecord): string[] {
  return (numberIn(length) ?? 0) > 0 ? ['context_length'] : [];
}
