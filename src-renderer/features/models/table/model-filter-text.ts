import type { Catalogue } from '../../../i18n/en.ts';
import { formatCount } from '../../../i18n/plural.ts';
import { modalityName } from '../model-cells.ts';
import { decimal, type FilterPart, type ModelFilter } from './model-filter.ts';
import { usdText } from '../money.ts';
import { oneLine } from '../../../ui/text/plain-text.ts';

interface RangeWords {
  both: (from: string, to: string) => string;
  from: (from: string) => string;
  to: (to: string) => string;
}

/** What one part of a filter asks, in words. */
export function partName(words: Catalogue, filter: ModelFilter, part: FilterPart, locale: string): string {
  const { parts } = words.modelFilter;
  switch (part.of) {
    case 'text':
      return parts.text(oneLine(filter.text, 40));
    case 'vendors':
      return oneLine(part.value, 60);
    case 'inputs':
    case 'outputs':
      return parts[part.of](modalityName(words, part.value));
    case 'parameters':
      return parts.parameters(oneLine(part.value, 60));
    case 'context': {
      const tokens = (count: number | null): string | null => (count === null ? null : formatCount(locale, count));
      const by = { both: parts.context, from: parts.contextFrom, to: parts.contextTo };
      return range(tokens(filter.contextFrom), tokens(filter.contextTo), by);
    }
    case 'price': {
      const by = { both: parts.price, from: parts.priceFrom, to: parts.priceTo };
      return range(dollars(filter.priceFrom, locale), dollars(filter.priceTo, locale), by);
    }
    case 'moderated':
      return parts.moderated[filter.moderated === 'no' ? 'no' : 'yes'];
    case 'expiring':
      return parts.expiring[filter.expiring === 'soon' ? 'soon' : 'dated'];
    case 'free':
    case 'favourites':
      return parts[part.of];
  }
}

function range(from: string | null, to: string | null, by: RangeWords): string {
  if (from !== null && to !== null) return by.both(from, to);
  return from === null ? by.to(to ?? '') : by.from(from);
}

function dollars(text: string | null, locale: string): string | null {
  const value = decimal(text);
  return value && usdText(value, locale);
}
