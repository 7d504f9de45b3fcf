import type Big from 'big.js';
import type { Json } from '../contract/model/model.ts';
import { messageFor } from './i18n/labels.ts';
import { priceNames, priceUnits } from './i18n/model-labels.ts';
import { m } from './i18n/messages.ts';
import { cachedFormat, formatCount } from './numbers.ts';
import {
  aMillion,
  givenText,
  priceUnit,
  type PriceUnit,
  readPrice,
  type TierCondition,
  tierConditions,
} from './price.ts';
import { oneLine, plainText } from './text.ts';

/** More than any price has, so that formatting never rounds. */
const ALL_PLACES = 100;
const LONGEST_GIVEN = 80;
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

export interface PriceText {
  kind: 'amount' | 'free' | 'absent' | 'varies' | 'negative' | 'unreadable';
  text: string;
  unit: string | null;
  given: string | null;
}

/** Puts documented names first, then others in the given order. */
export function orderedPrices(names: Iterable<string>): string[] {
  const given = new Set(names);
  return [...ORDER.filter((name) => given.has(name)), ...[...given].filter((name) => !ORDER.includes(name))];
}

/** Keeps an unknown name as the gateway wrote it. */
export function priceName(name: string): string {
  return messageFor(priceNames, name) ?? plainText(name, 60);
}

/** A discount is not called a price. */
export function priceFieldName(name: string): string {
  const said = priceName(name);
  return priceUnit(name) === 'share' ? said : m.compare_price({ name: said });
}

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

export function priceWithUnit(name: string, value: Json | undefined, locale: string): string {
  const { text, unit } = priceText(name, value, locale);
  return unit === null ? text : `${text} ${unit}`;
}

/** `above 32,000 input tokens`; `given` is the conditions as received. */
export function tierText(given: Json, locale: string): string {
  const texts = tierConditions(given).map((condition) => conditionText(condition, locale));
  return texts.length === 0 ? m.price_tier_always() : texts.join(', ');
}

/** `Input, above 32,000 input tokens`. */
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
