import type Big from 'big.js';
import type { Json } from '../contract/model/json.ts';
import { messageFor } from './i18n/labels/message.ts';
import { priceNames, priceUnits } from './i18n/labels/prices.ts';
import { m } from './i18n/messages.ts';
import { cachedFormat, formatCount } from './numbers.ts';
import { aMillion, givenText, priceUnit, readPrice, type PriceUnit } from './price.ts';
import { tierConditions, type TierCondition } from './price-tiers.ts';
import { oneLine, plainText } from './text.ts';

/** More decimal places than any price has, so that formatting never rounds. */
const ALL_PLACES = 100;
const LONGEST_GIVEN = 80;
/** The documented prices, in the order in which they are shown. */
const ORDER = [
  'prompt',
  'completion',
  'input_cache_read',
  'input_cache_write',
  'internal_reasoning',
  'audio',
  'image',
  'request',
  'web_search',
  'discount',
];

/** A price as it is shown. */
export type ShownPrice =
  | { kind: 'amount' | 'asGiven' | 'share'; text: string; unit: PriceUnit }
  | { kind: 'free' | 'absent' | 'varies' }
  | { kind: 'negative' | 'unreadable'; given: string };

/** Exact US dollars, always with cents: `$0.15`, `$0.000001`. */
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

/** A price in the unit that people compare by: per million tokens, else per piece. */
export function shownPrice(name: string, given: Json | undefined, locale: string): ShownPrice {
  const unit = priceUnit(name);
  const price = readPrice(given);
  switch (price.kind) {
    case 'absent':
    case 'varies':
      return { kind: price.kind };
    case 'unreadable':
      return { kind: 'unreadable', given: price.given };
    case 'negative':
      return { kind: 'negative', given: givenText(given) };
    case 'free':
      return unit === 'share' || unit === 'unknown' ? byUnit(price.value, unit, given, locale) : { kind: 'free' };
    case 'amount':
      return byUnit(price.value, unit, given, locale);
  }
}

function byUnit(value: Big, unit: PriceUnit, given: Json | undefined, locale: string): ShownPrice {
  switch (unit) {
    case 'token':
      return { kind: 'amount', text: usdText(aMillion(value), locale), unit };
    case 'unstated':
    case 'request':
    case 'search':
      return { kind: 'amount', text: usdText(value, locale), unit };
    case 'share':
      return { kind: 'share', text: exactPercent(value, locale), unit };
    case 'unknown':
      return { kind: 'asGiven', text: givenText(given), unit };
  }
}

function exactPercent(value: Big, locale: string): string {
  return exactly(cachedFormat('percent', locale, { style: 'percent', maximumFractionDigits: ALL_PLACES }), value);
}

/** A price as text. */
export interface PriceText {
  kind: 'amount' | 'free' | 'absent' | 'varies' | 'negative' | 'unreadable';
  text: string;
  /** Null if there is no amount. */
  unit: string | null;
  /** As received; null if absent. */
  given: string | null;
}

/** Names of prices: the documented ones first, then others in the given order. */
export function orderedPrices(names: Iterable<string>): string[] {
  const given = new Set(names);
  return [...ORDER.filter((name) => given.has(name)), ...[...given].filter((name) => !ORDER.includes(name))];
}

/** A price's name; an unknown one is shown as the gateway wrote it. */
export function priceName(name: string): string {
  return messageFor(priceNames, name) ?? plainText(name, 60);
}

/** The name among other fields, where a discount is not called a price. */
export function priceFieldName(name: string): string {
  const said = priceName(name);
  return priceUnit(name) === 'share' ? said : m.compare_price({ name: said });
}

/** A member of `pricing` as text: exact amounts, words for anything else. */
export function priceText(name: string, value: Json | undefined, locale: string): PriceText {
  const shown = shownPrice(name, value, locale);
  const given =
    value === undefined ? null : plainText(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_GIVEN);
  switch (shown.kind) {
    case 'absent':
      return { kind: 'absent', text: m.price_absent(), unit: null, given: null };
    case 'free':
      return { kind: 'free', text: m.price_free(), unit: null, given };
    case 'varies':
      return { kind: 'varies', text: m.price_varies(), unit: null, given };
    case 'negative':
      return {
        kind: 'negative',
        text: m.price_negative({ given: plainText(shown.given, LONGEST_GIVEN) }),
        unit: null,
        given,
      };
    case 'unreadable': {
      const text = plainText(shown.given, LONGEST_GIVEN);
      return {
        kind: 'unreadable',
        text: text === '' ? m.price_nothing() : m.price_unreadable({ given: text }),
        unit: null,
        given,
      };
    }
    case 'amount':
    case 'share':
    case 'asGiven':
      return { kind: 'amount', text: plainText(shown.text, 200), unit: priceUnits[shown.unit](), given };
  }
}

/** A price with its unit: `$0.15 per million tokens`. */
export function priceWithUnit(name: string, value: Json | undefined, locale: string): string {
  const { text, unit } = priceText(name, value, locale);
  return unit === null ? text : `${text} ${unit}`;
}

/** When a tier applies: `above 32,000 input tokens`. `given` is the conditions as received. */
export function tierText(given: Json, locale: string): string {
  const texts = tierConditions(given).map((condition) => conditionText(condition, locale));
  return texts.length === 0 ? m.price_tier_always() : texts.join(', ');
}

/** The name of a price with its tier, if it has one: `Input, above 32,000 input tokens`. */
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

/** A difference of prices, in the unit in which they are shown. */
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

/** `ratio` is 1 for 100 %. Rounded to a tenth of a percent, small ratios to two digits. */
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
