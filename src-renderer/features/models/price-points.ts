import type Big from 'big.js';
import type { ModelLine } from '../../../src-main/contract/model/model.ts';
import { vendorName } from '../../../src-main/common/model-line.ts';
import { aMillion, readPrice, priceOf } from '../../../src-main/common/price.ts';
import { GROUPS, type Place } from '../../charts/shapes.ts';

/** A model on the chart: it has a context and a price above zero. */
export interface PricePoint extends Place {
  line: ModelLine;
  context: number;
  /** USD for a million tokens of input, exact. It is drawn at `up`, which is the edge of the chart for outliers. */
  price: Big;
}

export interface PricePoints {
  /** By context, then by price. */
  points: PricePoint[];
  /** Outliers, drawn at the edge of the price axis. */
  beyond: ModelLine[];
  /** A logarithmic axis has no zero. */
  free: ModelLine[];
  /** Without a context or a valid price. */
  unknown: ModelLine[];
  /** The vendors with their own symbol, the one with most models first; `name` is null for all others together. */
  vendors: { name: string | null; group: number; count: number }[];
}

const OTHERS = GROUPS - 1;
/** An outlier is this many times cheaper or more expensive than nearly all others. */
const OUTLIER_FACTOR = 100;
/** The largest share of the prices that can be outliers, at either end. With few prices there are none. */
const OUTLIER_SHARE = 0.05;

export function pricePoints(lines: readonly ModelLine[]): PricePoints {
  const placed: Omit<PricePoint, 'group'>[] = [];
  const free: ModelLine[] = [];
  const unknown: ModelLine[] = [];
  for (const line of lines) {
    const price = readPrice(priceOf(line.pricing, 'prompt'));
    const context = line.contextLength ?? 0;
    if (price.kind === 'free') free.push(line);
    else if (price.kind !== 'amount' || context <= 0) unknown.push(line);
    else {
      const usd = aMillion(price.value);
      placed.push({ line, context, price: usd, across: context, up: usd.toNumber() });
    }
  }
  const vendors = vendorGroups(placed.map(({ line }) => vendorName(line)));
  const groupOf = new Map(vendors.map(({ name, group }) => [name, group]));
  const [least, most] = edgesOf(placed.map(({ up }) => up));
  const points = placed
    .map((point) => ({
      ...point,
      up: Math.min(Math.max(point.up, least), most),
      group: groupOf.get(vendorName(point.line)) ?? OTHERS,
    }))
    .sort((a, b) => a.across - b.across || a.price.cmp(b.price));
  const beyond = placed.filter(({ up }) => up < least || up > most).map(({ line }) => line);
  return { points, beyond, free, unknown, vendors };
}

/** The ends of the price axis, so that one outlier does not squeeze all others. */
function edgesOf(prices: readonly number[]): [least: number, most: number] {
  const sorted = prices.toSorted((a, b) => a - b);
  const outliers = Math.floor(sorted.length * OUTLIER_SHARE);
  const [low, high] = [sorted[outliers], sorted[sorted.length - 1 - outliers]];
  return low === undefined || high === undefined || outliers === 0
    ? [0, Infinity]
    : [low / OUTLIER_FACTOR, high * OUTLIER_FACTOR];
}

/** The vendors with most models, one for each symbol; then all others, if there are any. */
function vendorGroups(names: readonly (string | null)[]): PricePoints['vendors'] {
  const counts = new Map<string | null, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = [...counts].filter(([name]) => name !== null).sort((a, b) => b[1] - a[1]);
  const own = named.slice(0, OTHERS).map(([name, count], group) => ({ name, group, count }));
  const others = names.length - own.reduce((sum, { count }) => sum + count, 0);
  return others > 0 ? [...own, { name: null, group: OTHERS, count: others }] : own;
}
