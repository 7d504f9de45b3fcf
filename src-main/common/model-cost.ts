import Big from 'big.js';
import type { Pricing, Workload } from '../contract/model/model.ts';
import {
  basePrices,
  fitsTokens,
  inOrderOfTokens,
  isDecidedByTokens,
  payable,
  type Price,
  priceOf,
  type PriceTier,
  priceTiers,
  priceUnit,
  readPrice,
} from './price.ts';

const USED = ['prompt', 'completion', 'input_cache_read', 'request'] as const;

export function isFree(pricing: Pricing): boolean {
  if (readPrice(priceOf(pricing, 'prompt')).kind !== 'free') return false;
  return [basePrices(pricing), ...priceTiers(pricing).map(({ prices }) => prices)].every(costNothing);
}

export interface WorkloadCost {
  usd: Big;
  /** The model has no price for cached tokens, so they cost the full price. */
  cacheAssumed: boolean;
  tiers: PriceTier[];
  /** Tiers that depend on more than tokens, if they change the cost; `usd` is null if a price is then unknown. */
  otherwise: { tier: PriceTier; usd: Big | null }[];
}

/** Returns the monthly cost, with the prices of the highest tiers that apply; null if one is unknown or varies. */
export function workloadCost(pricing: Pricing, workload: Workload): WorkloadCost | null {
  const fitting = inOrderOfTokens(priceTiers(pricing).filter((tier) => fitsTokens(tier, workload.tokensIn)));
  const applied = fitting.filter(isDecidedByTokens);
  const costWith = (tiers: readonly PriceTier[]) => costAt(overlaid(pricing, tiers), workload);
  const cost = costWith(applied);
  if (cost === null) return null;
  const otherwise = fitting
    .filter((tier) => !isDecidedByTokens(tier))
    .flatMap((tier) => {
      const usd = costWith(fitting.filter((one) => one === tier || applied.includes(one)))?.usd ?? null;
      return usd?.eq(cost.usd) ? [] : [{ tier, usd }];
    });
  return { ...cost, tiers: deciding(applied), otherwise };
}

export function costVaries(pricing: Pricing): boolean {
  return USED.some((name) => readPrice(priceOf(pricing, name)).kind === 'varies');
}

/** Null prices of tiers replace none. */
function overlaid(pricing: Pricing, tiers: readonly PriceTier[]): Pricing {
  const replacing = tiers.flatMap(({ prices }) => Object.entries(prices).filter(([, given]) => given !== null));
  return replacing.length === 0 ? pricing : { ...pricing, ...Object.fromEntries(replacing) };
}

function deciding(tiers: readonly PriceTier[]): PriceTier[] {
  const last = new Set(USED.map((name) => tiers.findLast(({ prices }) => (prices[name] ?? null) !== null)));
  return tiers.filter((tier) => last.has(tier));
}

function costAt(pricing: Pricing, workload: Workload): { usd: Big; cacheAssumed: boolean } | null {
  const { tokensIn, tokensOut, tokensCached, requestsAMonth } = workload;
  const cached = Math.min(tokensCached, tokensIn);
  const prompt = readPrice(priceOf(pricing, 'prompt'));
  const cachePrice = readPrice(priceOf(pricing, 'input_cache_read'));
  const cacheAssumed = cached > 0 && cachePrice.kind === 'absent';
  const request = readPrice(priceOf(pricing, 'request'));
  const parts = [
    share(tokensIn - cached, prompt),
    share(cached, cacheAssumed ? prompt : cachePrice),
    share(tokensOut, readPrice(priceOf(pricing, 'completion'))),
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

function share(units: number, price: Price): Big | null {
  if (units === 0) return new Big(0);
  return payable(price)?.times(units) ?? null;
}

function costNothing(prices: Pricing): boolean {
  return Object.entries(prices).every(([name, given]) => {
    const { kind } = readPrice(given);
    return priceUnit(name) === 'share' || kind === 'free' || kind === 'absent';
  });
}
