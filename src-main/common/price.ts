import Big from 'big.js';
import type { Json } from '../contract/model/json.ts';
import type { Pricing, Workload } from '../contract/model/model.ts';

/**
 * An exact price, never converted to a binary float. `amount` is above zero; zero, missing, negative and unreadable prices
 * have their own kinds.
 */
export type Price =
  { kind: 'amount' | 'free' | 'negative'; value: Big } | { kind: 'absent' } | { kind: 'unreadable'; given: string };

/** `unknown` for names that no document defines. */
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
/** Limits that no real price reaches; 1e-999 counts as unreadable. */
const MAX_DIGITS = 60;
const MAX_EXPONENT = 40;
const MILLION = new Big(1_000_000);

export function priceUnit(name: string): PriceUnit {
  return Object.hasOwn(UNITS, name) ? (UNITS[name] ?? 'unknown') : 'unknown';
}

/** Reads a member of `pricing`. Null counts as absent; an empty string is unreadable. */
export function readPrice(given: Json | undefined): Price {
  if (given === undefined || given === null) return { kind: 'absent' };
  const text = typeof given === 'number' ? String(given) : given;
  const value = typeof text === 'string' ? decimal(text) : null;
  if (value === null) return { kind: 'unreadable', given: typeof given === 'string' ? given : JSON.stringify(given) };
  if (value.eq(0)) return { kind: 'free', value };
  return { kind: value.lt(0) ? 'negative' : 'amount', value };
}

/** A member of `pricing`, or undefined; inherited properties do not count. */
export function priceOf(pricing: Pricing, name: string): Json | undefined {
  return Object.hasOwn(pricing, name) ? pricing[name] : undefined;
}

/** A value as the gateway gave it: text as it is, anything else as JSON, nothing as an empty text. */
export function givenText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The exact price of a million units. */
export function aMillion(value: Big): Big {
  return value.times(MILLION);
}

/** The value for sorting and filtering; null for unknown and negative prices. */
export function payable(price: Price): Big | null {
  return price.kind === 'amount' || price.kind === 'free' ? price.value : null;
}

/** Whether the model is free: the prompt price is zero and no other price is above zero. */
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
  /** True if cached tokens are counted at the full price because the model has no price for them. */
  cacheAssumed: boolean;
}

/** The monthly cost of a workload with a model; null if a price that it needs is unknown. */
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
    // Most models have no price per request and omit the field.
    request.kind === 'absent' ? new Big(0) : share(1, request),
  ];
  let sum = new Big(0);
  for (const part of parts) {
    if (part === null) return null;
    sum = sum.plus(part);
  }
  return { usd: sum.times(requestsAMonth), cacheAssumed };
}

/** Zero units cost nothing, even if the price is unknown. */
function share(units: number, price: Price): Big | null {
  if (units === 0) return new Big(0);
  return payable(price)?.times(units) ?? null;
}

function decimal(text: string): Big | null {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return null;
  const value = new Big(text.replace(/^\+/, ''));
  return Math.abs(value.e) > MAX_EXPONENT ? null : value;
}
