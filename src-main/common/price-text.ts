import type Big from 'big.js';
import type { Json, Pricing } from '../contract/model/model.ts';
import { messageFor } from './i18n/labels.ts';
import { priceNames, priceUnits } from './i18n/model-labels.ts';
import { m } from './i18n/messages.ts';
import { cachedFormat, formatCount } from './numbers.ts';
import {
  aMillion,
  givenText,
  PRICE_NAMES,
  priceOf,
  priceUnit,
  type PriceUnit,
  readPrice,
  type TierCondition,
  tierConditions,
  tiersOf,
} from './price.ts';
import { NO_VALUE, oneLine, plainText } from './text.ts';

const ALL_PLACES = 100;
const LONGEST_GIVEN = 80;

export type ShownPrice =
  | { kind: 'amount' | 'asGiven' | 'share'; text: string; unit: PriceUnit }
  | { kind: 'free' | 'absent' | 'varies' }
  | { kind: 'negative' | 'unreadable'; given: string };

/** Always with cents: `$0.15`, `$0.000001`. */
export function usdText(usd: Big, locale: string): string {
  const options: Intl.NumberFormatOptions = {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: ALL_PLACES,
  };
  return exactly(cachedFormat('usd', locale, options), usd);
}

/** Converts to the unit that people compare by: per million tokens, else per piece. */
export function shownPrice(name: string, given: Json | undefined, locale: string): ShownPrice {
  const unit = priceUnit(name);
  const price = readPrice(given);
  switch (price.kind) {
    case 'absent':
    case 'varies':
      return { kind: price.kind };
    case 'unreadable':
    case 'negative':
      return { kind: price.kind, given: givenText(given) };
    case 'free':
    case 'amount':
      if (unit === 'unknown') return { kind: 'asGiven', text: givenText(given), unit };
      if (unit === 'share') return { kind: 'share', text: exactPercent(price.value, locale), unit };
      return price.kind === 'free'
        ? { kind: 'free' }
        : { kind: 'amount', text: amountText(price.value, unit, locale), unit };
  }
}

function exactPercent(value: Big, locale: string): string {
  return exactly(cachedFormat('percent', locale, { style: 'percent', maximumFractionDigits: ALL_PLACES }), value);
}

export interface PriceText {
  kind: 'amount' | 'free' | 'absent' | 'varies' | 'negative' | 'unreadable';
  text: string;
  given: string | null;
}

export function orderedPrices(names: Iterable<string>): string[] {
  const given = new Set(names);
  return [
    ...PRICE_NAMES.filter((name) => given.has(name)),
    ...[...given].filter((name) => !PRICE_NAMES.includes(name)),
  ];
}

export function priceName(name: string): string {
  return messageFor(priceNames, name) ?? plainText(name, 60);
}

/** Null for a share, which has none. */
export function unitText(name: string): string | null {
  return messageFor(priceUnits, priceUnit(name));
}

/** False if its unit is not known, or if it is a discount of nothing, which says nothing. */
export function isComparable(name: string, pricing: Pricing): boolean {
  const unit = priceUnit(name);
  if (unit !== 'share') return unit !== 'unstated' && unit !== 'unknown';
  return !['free', 'absent'].includes(readPrice(priceOf(pricing, name)).kind) || tiersOf(pricing, name).length > 0;
}

/** `Input`, `Web search (USD per search)`: tables say the unit of most prices once. */
export function priceLabel(name: string): string {
  const unit = priceUnit(name) === 'token' ? null : unitText(name);
  return unit === null ? priceName(name) : m.price_with_unit({ what: priceName(name), unit });
}

export function priceText(name: string, value: Json | undefined, locale: string): PriceText {
  const shown = shownPrice(name, value, locale);
  const given = plainText(givenText(value), LONGEST_GIVEN);
  switch (shown.kind) {
    case 'absent':
      return { kind: 'absent', text: NO_VALUE, given: null };
    case 'free':
      return { kind: 'free', text: m.price_free(), given };
    case 'varies':
      return { kind: 'varies', text: m.price_varies(), given };
    case 'negative':
      return { kind: 'negative', text: m.price_negative({ given }), given };
    case 'unreadable': {
      const text = given === '' ? m.price_nothing() : m.price_unreadable({ given });
      return { kind: 'unreadable', text, given };
    }
    case 'amount':
    case 'share':
    case 'asGiven':
      return { kind: 'amount', text: plainText(shown.text, 200), given };
  }
}

/** For an export or a tool, which have no place that says the unit of all prices. */
export function priceWithUnit(name: string, value: Json | undefined, locale: string): string {
  const { kind, text } = priceText(name, value, locale);
  const unit = kind === 'amount' ? unitText(name) : null;
  return unit === null ? text : m.price_with_unit({ what: text, unit });
}

export function tierText(given: Json, locale: string): string {
  const texts = tierConditions(given).map((condition) => conditionText(condition, locale));
  return texts.length === 0 ? m.price_tier_always() : texts.join(', ');
}

/** `Input, above 32,000 input tokens` */
export function nameInTier(name: string, tier: Json | undefined, locale: string): string {
  return tier === undefined ? name : m.price_tier_of({ name, tier: tierText(tier, locale) });
}

function conditionText(condition: TierCondition, locale: string): string {
  switch (condition.kind) {
    case 'tokens':
      return m.price_tier_tokens({ count: formatCount(locale, condition.above) });
    case 'hours':
      return m.price_tier_hours({ from: condition.from, to: condition.to });
    case 'other': {
      const given = oneLine(givenText(condition.given), LONGEST_GIVEN);
      return condition.name === '' ? given : `${oneLine(condition.name, LONGEST_GIVEN)}: ${given}`;
    }
  }
}

export function amountText(value: Big, unit: PriceUnit, locale: string): string {
  switch (unit) {
    case 'token':
      return usdText(aMillion(value), locale);
    case 'request':
    case 'unstated':
    case 'search':
      return usdText(value, locale);
    case 'share':
      return percentText(value, locale);
    case 'unknown':
      return value.toFixed();
  }
}

/** `ratio` is 1 for 100 %. Rounds to a tenth of a percent, small ratios to two digits. */
export function percentText(ratio: Big, locale: string, signed = false): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    ...(ratio.abs().lt(0.001) ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 }),
    ...(signed && { signDisplay: 'exceptZero' }),
  });
  return exactly(format, ratio);
}

/** Formats the decimal text digit by digit: a number would be rounded to a binary float. */
function exactly(format: Intl.NumberFormat, value: Big): string {
  return format.format(value.toFixed() as Intl.StringNumericLiteral);
}
