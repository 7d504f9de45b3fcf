import Big from 'big.js';
import type { Json } from '../contract/model/json.ts';
import type { Pricing, Workload } from '../contract/model/model.ts';

/**
 * A price as the gateway gave it, read exactly: never through a binary float. `amount` is above zero; zero, absent, negative
 * and unreadable prices are things of their own.
 */
export type Price =
  { kind: 'amount' | 'free' | 'negative'; value: Big } | { kind: 'absent' } | { kind: 'unreadable'; given: string };

/** What a price is for. Of names that no document has, nothing is claimed. */
export type PriceUnit = 'token' | 'request' | 'image' | 'search' | 'share' | 'unknown';

const UNITS: Readonly<Record<string, PriceUnit>> = {
  prompt: 'token',
  completion: 'token',
  audio: 'token',
  input_cache_read: 'token',
  input_cache_write: 'token',
  internal_reasoning: 'token',
  request: 'request',
  image: 'image',
  web_search: 'search',
  discount: 'share',
};

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** No price has more digits; a text of a stranger that says 1e-999 is none. */
const MOST_DIGITS = 60;
const FURTHEST_EXPONENT = 40;
const MILLION = new Big(1_000_000);

export function priceUnit(name: string): PriceUnit {
  return Object.hasOwn(UNITS, name) ? (UNITS[name] ?? 'unknown') : 'unknown';
}

/** Reads a member of `pricing`. Null counts as absent; an empty text is unreadable. */
export function readPrice(given: Json | undefined): Price {
  if (given === undefined || given === null) return { kind: 'absent' };
  const text = typeof given === 'number' ? String(given) : given;
  const value = typeof text === 'string' ? decimal(text) : null;
  if (value === null) return { kind: 'unreadable', given: typeof given === 'string' ? given : JSON.stringify(given) };
  if (value.eq(0)) return { kind: 'free', value };
  return { kind: value.lt(0) ? 'negative' : 'amount', value };
}

/** The price of a million units, exact. */
export function aMillion(value: Big): Big {
  return value.times(MILLION);
}

/** A price to be sorted and filtered by; null for one that is not known. A negative one is no price that could be paid. */
export function payable(price: Price): Big | null {
  return price.kind === 'amount' || price.kind === 'free' ? price.value : null;
}

/** Whether using the model costs nothing: a prompt price of zero, and no price above it. */
export function isFree(pricing: Pricing): boolean {
  if (readPrice(pricing['prompt']).kind !== 'free') return false;
  return Object.entries(pricing).every(([name, given]) => {
    const { kind } = readPrice(given);
    return priceUnit(name) === 'share' || kind === 'free' || kind === 'absent';
  });
}

export interface WorkloadCost {
  /** USD a month. */
  usd: Big;
  /** True where cached tokens are counted at the full price, for the model gives none for them. */
  cacheAssumed: boolean;
}

/** What a month of a workload costs with a model; null where a price that it takes is not known. */
export function workloadCost(pricing: Pricing, workload: Workload): WorkloadCost | null {
  const { tokensIn, tokensOut, tokensCached, requestsAMonth } = workload;
  const cached = Math.min(tokensCached, tokensIn);
  const cachePrice = readPrice(pricing['input_cache_read']);
  const cacheAssumed = cached > 0 && cachePrice.kind === 'absent';
  const request = readPrice(pricing['request']);
  const parts = [
    share(tokensIn - cached, readPrice(pricing['prompt'])),
    share(cached, cacheAssumed ? readPrice(pricing['prompt']) : cachePrice),
    share(tokensOut, readPrice(pricing['completion'])),
    // Most models have no price for a request as such, and do not say so.
    request.kind === 'absent' ? new Big(0) : share(1, request),
  ];
  let sum = new Big(0);
  for (const part of parts) {
    if (part === null) return null;
    sum = sum.plus(part);
  }
  return { usd: sum.times(requestsAMonth), cacheAssumed };
}

/** What is not used costs nothing, whatever its price is. */
function share(units: number, price: Price): Big | null {
  if (units === 0) return new Big(0);
  return payable(price)?.times(units) ?? null;
}

function decimal(text: string): Big | null {
  if (text.length > MOST_DIGITS || !DECIMAL.test(text)) return null;
  const value = new Big(text.replace(/^\+/, ''));
  return Math.abs(value.e) > FURTHEST_EXPONENT ? null : value;
}
