import type { Json, ModelChange, ModelRefresh, Pricing } from '../contract/model/model.ts';
import { priceOf, readPrice } from './price.ts';

/** Everything that a model cost before and after the gateway changed its prices. */
export interface PriceChange {
  /** RFC 3339: when the change was first seen. */
  at: string;
  before: Pricing;
  after: Pricing;
}

/**
 * Goes back from the present prices through the log (newest first), and returns the change next to a time, at most `within`
 * ms before or after it. Null if there is none, or if the log doesn't lead back to both prices for certain: it has a gap,
 * another key may be the cause, or a price depends on conditions.
 */
export function priceChangeNear(
  pricing: Pricing,
  log: readonly ModelRefresh[],
  time: number,
  within: number,
): PriceChange | null {
  const distance = ({ at }: PriceChange): number => Math.abs(Date.parse(at) - time);
  const near = priceChanges(pricing, log).filter((change) => distance(change) <= within);
  return near.reduce<PriceChange | null>((one, other) => (one && distance(one) <= distance(other) ? one : other), null);
}

function priceChanges(pricing: Pricing, log: readonly ModelRefresh[]): PriceChange[] {
  const found: PriceChange[] = [];
  let after = pricing;
  for (const { at, otherKey, changes } of log) {
    if (changes.some(({ field }) => field === 'added' || field === 'removed')) break;
    const prices = changes.filter(({ field }) => field === 'price');
    if (prices.length === 0) continue;
    const before = otherKey ? null : takeBack(after, prices);
    if (before === null) break;
    found.push({ at, before, after });
    after = before;
  }
  return found;
}

function takeBack(after: Pricing, changes: readonly ModelChange[]): Pricing | null {
  const before = { ...after };
  for (const change of changes) {
    const { price, tier } = change;
    if (price === undefined || tier !== undefined || !isSame(priceOf(after, price), change.after)) return null;
    if (change.before === undefined) Reflect.deleteProperty(before, price);
    else before[price] = change.before;
  }
  return before;
}

/** The same price may be written in several ways: 0.00000015 and 1.5e-7. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  const [a, b] = [readPrice(one), readPrice(other)];
  if (a.kind !== b.kind) return false;
  return 'value' in a && 'value' in b ? a.value.eq(b.value) : a.kind === 'absent';
}

const PRICE_WORDS =
  /\bpric(?:e|es|ed|ing)\b|\bcheaper\b|\bcosts?\b|\$\s?\d[\d.,]*\s*(?:per|a|\/)|价格|降价|涨价|调价|定价|收费|费用|便宜|每百万/i;

/** News that only names a model says nothing about what it costs. */
export function isAboutPrices(texts: readonly (string | null)[]): boolean {
  return texts.some((text) => text !== null && PRICE_WORDS.test(text));
}
