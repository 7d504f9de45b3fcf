import Big from 'big.js';
import type { Json } from '../contract/model/json.ts';
import type { Pricing } from '../contract/model/model.ts';

/**
 * An exact price, never converted to a binary float. `amount` is above zero; zero, missing, negative and unreadable prices
 * have their own kinds. `varies` is -1, the price of routers (observed-9-varying-price).
 */
export type Price =
  | { kind: 'amount' | 'free' | 'varies' | 'negative'; value: Big }
  | { kind: 'absent' }
  | { kind: 'unreadable'; given: string };

/** `unstated` is US dollars for a unit that no document gives; `unknown` is for names that no document defines. */
export type PriceUnit = 'token' | 'request' | 'search' | 'share' | 'unstated' | 'unknown';

const UNITS: Readonly<Record<string, PriceUnit>> = {
  prompt: 'token',
  completion: 'token',
  audio: 'token',
  input_cache_read: 'token',
  input_cache_write: 'token',
  internal_reasoning: 'token',
  request: 'request',
  image: 'unstated',
  web_search: 'search',
  discount: 'share',
};

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** Limits that no real price reaches; 1e-999 counts as unreadable. */
const MAX_DIGITS = 60;
const MAX_EXPONENT = 40;
const MILLION = new Big(1_000_000);
const VARIES = new Big(-1);

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
  if (value.eq(VARIES)) return { kind: 'varies', value };
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

/** The value for sorting and filtering; null for unknown, varying and negative prices. */
export function payable(price: Price): Big | null {
  return price.kind === 'amount' || price.kind === 'free' ? price.value : null;
}

function decimal(text: string): Big | null {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return null;
  const value = new Big(text.replace(/^\+/, ''));
  return Math.abs(value.e) > MAX_EXPONENT ? null : value;
}
