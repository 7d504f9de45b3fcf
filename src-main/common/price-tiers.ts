import type { Json } from '../contract/model/json.ts';
import type { Pricing } from '../contract/model/model.ts';
import { priceOf, priceUnit } from './price.ts';

/**
 * When a tier applies; all conditions of a tier must hold. `hours`: a part of each day in UTC, as HH:MM, without its end; it
 * may pass midnight. `other`: a condition that no document defines, as received. Nobody can tell when it holds.
 */
export type TierCondition =
  | { kind: 'tokens'; above: number }
  | { kind: 'hours'; from: string; to: string }
  | { kind: 'other'; name: string; given: Json };

/** An entry of `pricing.overrides` (observed-9-tiers). */
export interface PriceTier {
  conditions: TierCondition[];
  /** The conditions as received. They identify the tier. */
  given: Json;
  /** The prices that replace the base ones, as received. */
  prices: Pricing;
}

type Members = Record<string, Json>;

const TIERS = 'overrides';

/** The prices without their tiers. */
export function basePrices(pricing: Pricing): Pricing {
  if (!hasTierList(pricing)) return pricing;
  const { [TIERS]: _, ...base } = pricing;
  return base;
}

/** The tiers in the order received. */
export function priceTiers(pricing: Pricing): PriceTier[] {
  const tiers = priceOf(pricing, TIERS);
  return Array.isArray(tiers) ? tiers.map((entry) => toTier(entry, pricing)) : [];
}

/** The names of all prices, also of those that only tiers have. */
export function allPriceNames(pricing: Pricing): string[] {
  const tiers = priceTiers(pricing).flatMap(({ prices }) => Object.keys(prices));
  return [...new Set([...Object.keys(basePrices(pricing)), ...tiers])];
}

/** The tiers that have a price of this name. */
export function tiersOf(pricing: Pricing, name: string): PriceTier[] {
  return priceTiers(pricing).filter(({ prices }) => Object.hasOwn(prices, name));
}

/** Tiers by their conditions. Of several with the same conditions, the later ones have a number in their key. */
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

/** Equal for equal conditions, whatever their order. */
export function tierKey(given: Json): string {
  return isMembers(given) ? JSON.stringify(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))) : textOf(given);
}

/** The conditions of a tier, as received. */
export function tierConditions(given: Json): TierCondition[] {
  if (!isMembers(given)) return [{ kind: 'other', name: '', given }];
  const { utc_start: start, utc_end: end, ...others } = given;
  const [from, to] = [clockTime(start), clockTime(end)];
  const hours = from !== null && to !== null;
  const rest = hours ? others : given;
  return [
    ...Object.entries(rest).map(([name, value]) => condition(name, value)),
    ...(hours ? [{ kind: 'hours', from, to } as const] : []),
  ];
}

/** Checks the conditions about tokens only. */
export function fitsTokens({ conditions }: PriceTier, tokensIn: number): boolean {
  return conditions.every((one) => one.kind !== 'tokens' || tokensIn > one.above);
}

export function isDecidedByTokens({ conditions }: PriceTier): boolean {
  return conditions.every(({ kind }) => kind === 'tokens');
}

/** Tiers for more tokens come after those for fewer, whatever the order received. Tiers without such a number keep their place. */
export function inOrderOfTokens(tiers: readonly PriceTier[]): PriceTier[] {
  const sorted = tiers
    .filter((tier) => tokensOf(tier) !== null)
    .sort((a, b) => (tokensOf(a) ?? 0) - (tokensOf(b) ?? 0));
  return tiers.map((tier) => (tokensOf(tier) === null ? tier : (sorted.shift() ?? tier)));
}

/** More input tokens than this are needed; null if the tier doesn't depend on them. */
function tokensOf({ conditions }: PriceTier): number | null {
  const counts = conditions.flatMap((one) => (one.kind === 'tokens' ? [one.above] : []));
  return counts.length === 0 ? null : Math.max(...counts);
}

function hasTierList(pricing: Pricing): boolean {
  if (!Object.hasOwn(pricing, TIERS)) return false;
  return pricing[TIERS] === null || Array.isArray(pricing[TIERS]);
}

/**
 * A member is a price if its name is documented or has a base price, which it replaces. Anything else is a condition: a tier
 * of unknown meaning must not pass for one that always applies.
 */
function toTier(entry: Json, pricing: Pricing): PriceTier {
  if (!isMembers(entry)) return { conditions: tierConditions(entry), given: entry, prices: {} };
  const isPrice = (name: string): boolean =>
    name !== TIERS && (priceUnit(name) !== 'unknown' || Object.hasOwn(pricing, name));
  const members = Object.entries(entry);
  const given = Object.fromEntries(members.filter(([name]) => !isPrice(name)));
  const prices = Object.fromEntries(members.filter(([name]) => isPrice(name)));
  return { conditions: tierConditions(given), given, prices };
}

function condition(name: string, given: Json): TierCondition {
  const isCount = name === 'min_prompt_tokens' && typeof given === 'number' && given >= 0;
  // A gateway of this kind applies the tier to more tokens than this, not to exactly as many.
  return isCount ? { kind: 'tokens', above: given } : { kind: 'other', name, given };
}

/** `16:30`, also from the clock number 1630 that some gateways send; null for anything else. */
function clockTime(given: Json | undefined): string | null {
  const text =
    typeof given === 'number'
      ? String(given)
          .padStart(4, '0')
          .replace(/(?=\d\d$)/, ':')
      : given;
  return typeof text === 'string' && /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text) ? text : null;
}

function textOf(given: Json): string {
  return JSON.stringify(given);
}

function isMembers(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
