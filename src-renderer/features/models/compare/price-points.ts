import type Big from 'big.js';
import type { ModelLine } from '../../../../src-main/contract/model/model.ts';
import { aMillion, readPrice, priceOf } from '../../../../src-main/common/price.ts';
import { GROUPS, type Place } from '../../../charts/scatter-shape.ts';

/** A model that has a place on the chart: a context and a price above zero. */
export interface PricePoint extends Place {
  line: ModelLine;
  context: number;
  /** USD for a million tokens of input, exact. `up` is where it is drawn: at the edge, if it lies far beyond the others. */
  price: Big;
}

export interface PricePoints {
  /** By context, then by price. */
  points: PricePoint[];
  /** Those that are drawn at the edge of the price axis. */
  beyond: ModelLine[];
  /** Nothing is no place on a logarithmic axis. */
  free: ModelLine[];
  /** Without a context, or without a price that could be paid. */
  unknown: ModelLine[];
  /** The vendors with a mark of their own, the one with most models first; `name` is null for all the others together. */
  vendors: { name: string | null; group: number; count: number }[];
}

const OTHERS = GROUPS - 1;
/** So many times dearer or cheaper than nearly all others is far off: two decades of the axis. */
const FAR = 100;
/** Which share of the prices, at either end, may be far off; of only a few prices none is. */
const ODD_SHARE = 0.05;

/** Where models stand by their context and the price of their input. */
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
      const shown = aMillion(price.value);
      placed.push({ line, context, price: shown, across: context, up: shown.toNumber() });
    }
  }
  const vendors = vendorGroups(placed.map(({ line }) => line.vendor));
  const groupOf = new Map(vendors.map(({ name, group }) => [name, group]));
  const [least, most] = edgesOf(placed.map(({ up }) => up));
  const points = placed
    .map((point) => ({
      ...point,
      up: Math.min(Math.max(point.up, least), most),
      group: groupOf.get(point.line.vendor) ?? OTHERS,
    }))
    .sort((a, b) => a.across - b.across || a.price.cmp(b.price));
  const beyond = placed.filter(({ up }) => up < least || up > most).map(({ line }) => line);
  return { points, beyond, free, unknown, vendors };
}

/** Between which prices the axis runs: one odd price shall not squeeze all the others. */
function edgesOf(prices: readonly number[]): [least: number, most: number] {
  const sorted = prices.toSorted((a, b) => a - b);
  const odd = Math.floor(sorted.length * ODD_SHARE);
  const [low, high] = [sorted[odd], sorted[sorted.length - 1 - odd]];
  return low === undefined || high === undefined || odd === 0 ? [0, Infinity] : [low / FAR, high * FAR];
}

/** The vendors with most models, as many as there are marks for; then the others, where there are any. */
function vendorGroups(names: readonly (string | null)[]): PricePoints['vendors'] {
  const counts = new Map<string | null, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = [...counts].filter(([name]) => name !== null).sort((a, b) => b[1] - a[1]);
  const own = named.slice(0, OTHERS).map(([name, count], group) => ({ name, group, count }));
  const others = names.length - own.reduce((sum, { count }) => sum + count, 0);
  return others > 0 ? [...own, { name: null, group: OTHERS, count: others }] : own;
}
