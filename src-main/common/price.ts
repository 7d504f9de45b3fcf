import Big from 'big.js';
import { isJsonObject, type Json, type Pricing } from '../contract/model/model.ts';

/** Exact, never converted to a binary float. `varies` is -1, the price of routers (observed-9-varying-price). */
export type Price =
  | { kind: 'amount' | 'free' | 'varies' | 'negative'; value: Big }
  | { kind: 'absent' }
  | { kind: 'unreadable'; given: string };

/** `unstated` is USD for a unit that no document gives; `unknown` is for undocumented names. */
export type PriceUnit = 'token' | 'request' | 'search' | 'share' | 'unstated' | 'unknown';

const UNITS: Readonly<Record<string, PriceUnit>> = {
  prompt: 'token',
  completion: 'token',
  input_cache_read: 'token',
  input_cache_write: 'token',
  internal_reasoning: 'token',
  audio: 'token',
  image: 'unstated',
  request: 'request',
  web_search: 'search',
  discount: 'share',
};
/** The documented ones, in display order. */
export const PRICE_NAMES: readonly string[] = Object.keys(UNITS);

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** Limits that no real price reaches; 1e-999 counts as unreadable. */
const MAX_DIGITS = 60;
const MAX_EXPONENT = 40;
const MILLION = new Big(1_000_000);
const VARIES = new Big(-1);

export function priceUnit(name: string): PriceUnit {
  return Object.hasOwn(UNITS, name) ? (UNITS[name] ?? 'unknown') : 'unknown';
}

/** Null counts as absent, an empty string as unreadable. */
export function readPrice(given: Json | undefined): Price {
  if (given === undefined || given === null) return { kind: 'absent' };
  const text = typeof given === 'number' ? String(given) : given;
  const value = typeof text === 'string' ? decimal(text) : null;
  if (value === null) return { kind: 'unreadable', given: givenText(given) };
  if (value.eq(0)) return { kind: 'free', value };
  if (value.eq(VARIES)) return { kind: 'varies', value };
  return { kind: value.lt(0) ? 'negative' : 'amount', value };
}

export function priceOf(pricing: Pricing, name: string): Json | undefined {
  return Object.hasOwn(pricing, name) ? pricing[name] : undefined;
}

export function givenText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function aMillion(value: Big): Big {
  return value.times(MILLION);
}

export function payable(price: Price): Big | null {
  return price.kind === 'amount' || price.kind === 'free' ? price.value : null;
}

function decimal(text: string): Big | null {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return null;
  const value = new Big(text.replace(/^\+/, ''));
  return Math.abs(value.e) > MAX_EXPONENT ? null : value;
}

/** `hours` are HH:MM in UTC, without the end; they may span midnight. `other` is undocumented, as received. */
export type TierCondition =
  | { kind: 'tokens'; above: number }
  | { kind: 'hours'; from: string; to: string }
  | { kind: 'other'; name: string; given: Json };

/** All conditions must hold (observed-9-tiers). As received, they identify the tier. */
export interface PriceTier {
  conditions: TierCondition[];
  given: Json;
  prices: Pricing;
}

const TIERS = 'overrides';

export function basePrices(pricing: Pricing): Pricing {
  if (!hasTierList(pricing)) return pricing;
  const { [TIERS]: _, ...base } = pricing;
  return base;
}

export function priceTiers(pricing: Pricing): PriceTier[] {
  const tiers = priceOf(pricing, TIERS);
  return Array.isArray(tiers) ? tiers.map((entry) => toTier(entry, pricing)) : [];
}

export function allPriceNames(pricing: Pricing): string[] {
  const tiers = priceTiers(pricing).flatMap(({ prices }) => Object.keys(prices));
  return [...new Set([...Object.keys(basePrices(pricing)), ...tiers])];
}

export function tiersOf(pricing: Pricing, name: string): PriceTier[] {
  return priceTiers(pricing).filter(({ prices }) => Object.hasOwn(prices, name));
}

export function tiersByKey(pricing: Pricing): Map<string, PriceTier> {
  const tiers = new Map<string, PriceTier>();
  for (const tier of priceTiers(pricing)) {
    const key = tierKey(tier.given);
    let free = key;
    for (let n = 2; tiers.has(free); n++) free = `${key} ${String(n)}`;
    tiers.set(free, tier);
  }
  return tiers;
}

export function tierKey(given: Json): string {
  return isJsonObject(given)
    ? JSON.stringify(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(given);
}

export function tierConditions(given: Json): TierCondition[] {
  if (!isJsonObject(given)) return [{ kind: 'other', name: '', given }];
  const { utc_start: start, utc_end: end, ...others } = given;
  const [from, to] = [clockTime(start), clockTime(end)];
  const hours = from !== null && to !== null;
  const rest = hours ? others : given;
  return [
    ...Object.entries(rest).map(([name, value]) => condition(name, value)),
    ...(hours ? [{ kind: 'hours', from, to } as const] : []),
  ];
}

export function fitsTokens({ conditions }: PriceTier, tokensIn: number): boolean {
  return conditions.every((one) => one.kind !== 'tokens' || tokensIn > one.above);
}

export function isDecidedByTokens({ conditions }: PriceTier): boolean {
  return conditions.every(({ kind }) => kind === 'tokens');
}

/** Sorts tiers by tokens. Tiers without such a number keep their index. */
export function inOrderOfTokens(tiers: readonly PriceTier[]): PriceTier[] {
  const sorted = tiers
    .filter((tier) => tokensOf(tier) !== null)
    .sort((a, b) => (tokensOf(a) ?? 0) - (tokensOf(b) ?? 0));
  return tiers.map((tier) => (tokensOf(tier) === null ? tier : (sorted.shift() ?? tier)));
}

function tokensOf({ conditions }: PriceTier): number | null {
  const counts = conditions.flatMap((one) => (one.kind === 'tokens' ? [one.above] : []));
  return counts.length === 0 ? null : Math.max(...counts);
}

function hasTierList(pricing: Pricing): boolean {
  if (!Object.hasOwn(pricing, TIERS)) return false;
  return pricing[TIERS] === null || Array.isArray(pricing[TIERS]);
}

/** Takes unknown members without a base price for conditions: the tier must not pass for one that always applies. */
function toTier(entry: Json, pricing: Pricing): PriceTier {
  if (!isJsonObject(entry)) return { conditions: tierConditions(entry), given: entry, prices: {} };
  const isPrice = (name: string): boolean =>
    name !== TIERS && (priceUnit(name) !== 'unknown' || Object.hasOwn(pricing, name));
  const members = Object.entries(entry);
  const given = Object.fromEntries(members.filter(([name]) => !isPrice(name)));
  const prices = Object.fromEntries(members.filter(([name]) => isPrice(name)));
  return { conditions: tierConditions(given), given, prices };
}

function condition(name: string, given: Json): TierCondition {
  const isCount = name === 'min_prompt_tokens' && typeof given === 'number' && given >= 0;
  return isCount ? { kind: 'tokens', above: given } : { kind: 'other', name, given };
}

/** Also reads the number 1630, which some gateways send. */
function clockTime(given: Json | undefined): string | null {
  const text =
    typeof given === 'number'
      ? String(given)
          .padStart(4, '0')
          .replace(/(?=\d\d$)/, ':')
      : given;
  return typeof text === 'string' && /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text) ? text : null;
}
