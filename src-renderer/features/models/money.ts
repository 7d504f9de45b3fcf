import type Big from 'big.js';
import type { Json } from '../../../src-main/contract/model/json.ts';
import type { Pricing } from '../../../src-main/contract/model/model.ts';
import { aMillion, priceUnit, readPrice, type PriceUnit } from '../../../src-main/common/price.ts';

/** More places than any price has: formatting cuts nothing off. */
const ALL_PLACES = 100;

/** A price as it is shown: what it says beside its unit, kept apart from what is no price. */
export type ShownPrice =
  | { kind: 'amount' | 'asGiven' | 'share'; text: string; unit: PriceUnit }
  | { kind: 'free' | 'absent' }
  | { kind: 'negative' | 'unreadable'; given: string };

const formats = new Map<string, Intl.NumberFormat>();

function cached(key: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  const known = formats.get(key);
  if (known) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

/** US dollars with every digit that they have, and cents always: `$0.15`, `$0.000001`. */
export function usdText(usd: Big, locale: string): string {
  const options: Intl.NumberFormatOptions = {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: ALL_PLACES,
  };
  return exactly(
    cached(`${locale} usd`, () => new Intl.NumberFormat(locale, options)),
    usd,
  );
}

/** A member of `pricing`, or undefined; what every object inherits is no price. */
export function priceOf(pricing: Pricing, name: string): Json | undefined {
  return Object.hasOwn(pricing, name) ? pricing[name] : undefined;
}

/** A value as the gateway gave it: texts as they are, anything else as JSON; empty where nothing was given. */
export function givenText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A price in the unit that people compare by: tokens by the million; the others each, as they are given. */
export function shownPrice(name: string, given: Json | undefined, locale: string): ShownPrice {
  const unit = priceUnit(name);
  const price = readPrice(given);
  switch (price.kind) {
    case 'absent':
      return { kind: 'absent' };
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
    case 'image':
    case 'request':
    case 'search':
      return { kind: 'amount', text: usdText(value, locale), unit };
    case 'share':
      return { kind: 'share', text: percentText(value, locale), unit };
    case 'unknown':
      return { kind: 'asGiven', text: givenText(given), unit };
  }
}

function percentText(value: Big, locale: string): string {
  const options: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: ALL_PLACES };
  return exactly(
    cached(`${locale} percent`, () => new Intl.NumberFormat(locale, options)),
    value,
  );
}

/** A decimal text is formatted digit by digit; a number would have gone through a binary float. */
function exactly(format: Intl.NumberFormat, value: Big): string {
  return format.format(value.toFixed() as Intl.StringNumericLiteral);
}
