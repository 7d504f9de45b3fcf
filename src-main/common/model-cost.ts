import Big from 'big.js';
import type { Pricing, Workload } from '../contract/model/model.ts';
import { payable, priceOf, priceUnit, readPrice, type Price } from './price.ts';
import {
  basePrices,
  fitsTokens,
  inOrderOfTokens,
  isDecidedByTokens,
  priceTiers,
  type PriceTier,
} from './price-tiers.ts';

/** The prices that an estimate uses. */
const USED = ['prompt', 'completion', 'input_cache_read', 'request'] as const;

/** Checks that the prompt price is zero and no other price is above zero, in any tier. */
export function isFree(pricing: Pricing): boolean {
  if (readPrice(priceOf(pricing, 'prompt')).kind !== 'free') return false;
  return [basePrices(pricing), ...priceTiers(pricing).map(({ prices }) => prices)].every(costNothing);
}

export interface WorkloadCost {
  /** USD a month. */
  usd: Big;
  /** True if cached tokens are counted at the full price because the model has no price for them. */
  cacheAssumed: boolean;
  /** The tiers with prices that it uses: those for this many input tokens. */
  tiers: PriceTier[];
  /** Tiers that depend on more than tokens, if they change the cost; `usd` is null if a price is then unknown. */
  otherwise: { tier: PriceTier; usd: Big | null }[];
}

/**
 * The monthly cost of a workload with a model, at the prices for its number of input tokens; null if a price that it needs is
 * unknown or varies. Of several tiers that apply, the one for the most tokens that has a price decides it.
 */
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

/** Checks for a price that varies among those that an estimate needs: then none is possible. */
export function costVaries(pricing: Pricing): boolean {
  return USED.some((name) => readPrice(priceOf(pricing, name)).kind === 'varies');
}

/** The prices with those of tiers over them, the last tier on top. A price of null replaces none. */
function overlaid(pricing: Pricing, tiers: readonly PriceTier[]): Pricing {
  const replacing = tiers.flatMap(({ prices }) => Object.entries(prices).filter(([, given]) => given !== null));
  return replacing.length === 0 ? pricing : { ...pricing, ...Object.fromEntries(replacing) };
}

/** The tiers that the used prices come from, in their order. */
function deciding(tiers: readonly PriceTier[]): PriceTier[] {
  const last = new Set(USED.map((name) => tiers.findLast(({ prices }) => Object.hasOwn(prices, name))));
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

/** Zero units cost nothing, even if the price is unknown. */
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
