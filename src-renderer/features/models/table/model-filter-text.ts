import { modelFilterSwitches, modelFilterValues } from '../../../../src-main/common/i18n/model-labels.ts';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import { formatCount } from '../../../../src-main/common/numbers.ts';
import { modalityName } from '../model-cells.ts';
import { decimal, type FilterPart, type ModelFilter } from './model-filter.ts';
import { usdText } from '../../../../src-main/common/price-text.ts';
import { oneLine } from '../../../../src-main/common/text.ts';

interface RangeTexts {
  both: (from: string, to: string) => string;
  from: (from: string) => string;
  to: (to: string) => string;
}

export function partName(filter: ModelFilter, part: FilterPart, locale: string): string {
  switch (part.of) {
    case 'text':
      return m.model_filter_parts_text({ value: oneLine(filter.text, 40) });
    case 'vendors':
      return oneLine(part.value, 60);
    case 'inputs':
    case 'outputs':
      return modelFilterValues[part.of]({ value: modalityName(part.value) });
    case 'parameters':
      return m.model_filter_parts_parameters({ value: oneLine(part.value, 60) });
    case 'context': {
      const tokens = (count: number | null): string | null => (count === null ? null : formatCount(locale, count));
      const texts = {
        both: (from: string, to: string) => m.model_filter_parts_context({ from, to }),
        from: (from: string) => m.model_filter_parts_context_from({ from }),
        to: (to: string) => m.model_filter_parts_context_to({ to }),
      };
      return range(tokens(filter.contextFrom), tokens(filter.contextTo), texts);
    }
    case 'price': {
      const texts = {
        both: (from: string, to: string) => m.model_filter_parts_price({ from, to }),
        from: (from: string) => m.model_filter_parts_price_from({ from }),
        to: (to: string) => m.model_filter_parts_price_to({ to }),
      };
      return range(dollars(filter.priceFrom, locale), dollars(filter.priceTo, locale), texts);
    }
    case 'moderated':
      return (filter.moderated === 'no' ? m.model_filter_parts_moderated_no : m.model_filter_parts_moderated_yes)();
    case 'expiring':
      return (filter.expiring === 'soon' ? m.model_filter_parts_expiring_soon : m.model_filter_parts_expiring_dated)();
    case 'free':
    case 'favourites':
      return modelFilterSwitches[part.of]();
  }
}

function range(from: string | null, to: string | null, texts: RangeTexts): string {
  if (from !== null && to !== null) return texts.both(from, to);
  return from === null ? texts.to(to ?? '') : texts.from(from);
}

function dollars(text: string | null, locale: string): string | null {
  const value = decimal(text);
  return value && usdText(value, locale);
}
