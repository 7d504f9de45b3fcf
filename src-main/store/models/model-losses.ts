/** Model lists that lack too much to be believed at once (docs/decisions/015). */
import { numberIn } from '../../common/numbers.ts';
import { basePrices, readPrice } from '../../common/price.ts';
import { isJsonObject, type Json, type ModelRecord } from '../../contract/model/model.ts';
import type { LostKind } from '../../contract/model/sync-status.ts';

/** A list may lack up to this share of the saved values: a gateway changes a few a day. */
const MAX_LOST_SHARE = 1 / 5;
/** In a short list a few are a large share. */
const MAX_FEW_LOST = 3;

export interface ModelLoss {
  of: LostKind;
  saved: number;
  received: number;
}

export function lossOf(saved: readonly ModelRecord[], received: readonly ModelRecord[]): ModelLoss | null {
  const present = new Map(received.map((record) => [record.id.toWellFormed(), record]));
  const pairs = saved.flatMap((before) => {
    const after = present.get(before.id.toWellFormed());
    return after ? [{ before, after }] : [];
  });
  const models = { of: 'models', saved: saved.length, received: pairs.length } as const;
  if (models.received < models.saved / 2 || isLarge(models)) return models;
  const losses: ModelLoss[] = [
    { of: 'prices', ...count(pairs, pricedNames) },
    { of: 'contextLengths', ...count(pairs, contextLengths) },
  ];
  return losses.find(isLarge) ?? null;
}

function isLarge({ saved, received }: ModelLoss): boolean {
  const lost = saved - received;
  return lost > MAX_FEW_LOST && lost > saved * MAX_LOST_SHARE;
}

function count(
  pairs: readonly { before: ModelRecord; after: ModelRecord }[],
  valuesOf: (record: ModelRecord) => string[],
): { saved: number; received: number } {
  let [saved, received] = [0, 0];
  for (const { before, after } of pairs) {
    const left = new Set(valuesOf(after));
    for (const value of valuesOf(before)) {
      saved += 1;
      if (left.has(value)) received += 1;
    }
  }
  return { saved, received };
}

function pricedNames({ pricing }: ModelRecord): string[] {
  if (!isJsonObject(pricing)) return [];
  return Object.entries(basePrices(pricing)).flatMap(([name, price]) => (isPaid(price) ? [name] : []));
}

function isPaid(price: Json): boolean {
  const { kind } = readPrice(price);
  return kind === 'amount' || kind === 'varies';
}

function contextLengths({ context_length: length }: ModelRecord): string[] {
  return (numberIn(length) ?? 0) > 0 ? ['context_length'] : [];
}
