import type Big from 'big.js';
import { messageFor, priceNames, priceUnits } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Json } from '../../../src-main/contract/model/json.ts';
import { aMillion, priceUnit, type PriceUnit } from '../../../src-main/common/price.ts';
import { shownPrice, usdText } from './money.ts';
import { plainText } from '../../ui/text/plain-text.ts';

const LONGEST_GIVEN = 80;
/** What is documented stands first, in this order. */
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

/** A price in words. */
export interface PriceText {
  kind: 'amount' | 'free' | 'absent' | 'negative' | 'unreadable';
  text: string;
  /** What the amount is for; null where there is none. */
  unit: string | null;
  /** What the gateway wrote; null where it wrote nothing. */
  given: string | null;
}

/** Names of prices: the documented ones in the order of the page, then others as they came. */
export function orderedPrices(names: Iterable<string>): string[] {
  const given = new Set(names);
  return [...ORDER.filter((name) => given.has(name)), ...[...given].filter((name) => !ORDER.includes(name))];
}

/** A price's name in words; one that is not known is shown as the gateway wrote it. */
export function priceName(name: string): string {
  return messageFor(priceNames, name) ?? plainText(name, 60);
}

/** The same where it stands among other fields: a discount is no price. */
export function priceFieldName(name: string): string {
  const said = priceName(name);
  return priceUnit(name) === 'share' ? said : m.compare_price({ name: said });
}

/** A member of `pricing` as a text of its own: amounts exact, and what is no amount said in words. */
export function priceText(name: string, value: Json | undefined, locale: string): PriceText {
  const shown = shownPrice(name, value, locale);
  const given =
    value === undefined ? null : plainText(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_GIVEN);
  switch (shown.kind) {
    case 'absent':
      return { kind: 'absent', text: m.price_absent(), unit: null, given: null };
    case 'free':
      return { kind: 'free', text: m.price_free(), unit: null, given };
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

/** A difference of prices, in the unit in which they are shown. */
export function amountText(value: Big, unit: PriceUnit, locale: string): string {
  switch (unit) {
    case 'token':
      return usdText(aMillion(value), locale);
    case 'request':
    case 'image':
    case 'search':
      return usdText(value, locale);
    case 'share':
      return percentText(value, locale);
    case 'unknown':
      return value.toFixed();
  }
}

/** `ratio` is 1 for a hundred per cent. Rounded: to a tenth, or to two digits where that would leave nothing. */
export function percentText(ratio: Big, locale: string, signed = false): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    ...(ratio.abs().lt(0.001) ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 }),
    ...(signed && { signDisplay: 'exceptZero' }),
  });
  return format.format(ratio.toFixed() as Intl.StringNumericLiteral);
}
