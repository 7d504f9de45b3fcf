import { m } from '../../../src-main/common/i18n/messages.ts';
import { costVaries, workloadCost } from '../../../src-main/common/model-cost.ts';
import { formatCount, shortCount } from '../../../src-main/common/numbers.ts';
import { priceOf, tiersOf } from '../../../src-main/common/price.ts';
import { priceText, tierText } from '../../../src-main/common/price-text.ts';
import { NO_VALUE, oneLine } from '../../../src-main/common/text.ts';
import type { ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import type { ModelField } from '../../../src-main/render/model-fields.ts';
import type { Column } from './model-columns.ts';
import { costText, fieldText, type Locales } from './model-facts.ts';

const LONGEST = 200;

/** The content of a cell. An `odd` value is one that cannot be read: it is shown unchanged. */
export interface Cell {
  kind: 'value' | 'absent' | 'free' | 'varies' | 'odd';
  text: string;
  /** Rounded, for rows: `128K`. The exact number is then in the hint. */
  short?: string;
  hint?: string;
  /** Signs after the value that point to the hint: † for other prices under conditions, an asterisk for an assumption. */
  mark?: string;
}

const ABSENT: Cell = { kind: 'absent', text: '' };

export function cellOf(line: ModelLine, column: Column, workload: Workload | null, locales: Locales): Cell {
  if (column.price !== undefined) return withTiers(priceCell(line, column.price, locales), line, column.price, locales);
  return column.field ? fieldCell(line, column.field, locales) : costCell(line, workload, locales);
}

function fieldCell(line: ModelLine, field: ModelField, locales: Locales): Cell {
  switch (field.kind) {
    case 'text':
    case 'modalities':
      return textCell(fieldText(field, line, locales));
    case 'list': {
      const entries = field.value(line);
      if (entries.length === 0) return ABSENT;
      return {
        kind: 'value',
        text: formatCount(locales.locale, entries.length),
        hint: oneLine(entries.join(', '), 2_000),
      };
    }
    case 'tokens': {
      const count = field.value(line);
      if (count === null) return ABSENT;
      const text = formatCount(locales.locale, count);
      return { kind: 'value', text, short: shortCount(count), hint: text };
    }
    case 'flag':
    case 'seconds':
    case 'day': {
      const text = fieldText(field, line, locales);
      if (text === null) return ABSENT;
      return { kind: 'value', text, ...(field.kind === 'day' && { hint: oneLine(field.value(line), LONGEST) }) };
    }
  }
}

function priceCell({ pricing }: ModelLine, name: string, { locale }: Locales): Cell {
  const { kind, text, given } = priceText(name, priceOf(pricing, name), locale);
  switch (kind) {
    case 'absent':
      return ABSENT;
    case 'negative':
      return { kind: 'odd', text: given ?? '', hint: text };
    case 'unreadable':
      return { kind: 'odd', text: given ? `“${given}”` : m.models_invalid_price(), hint: text };
    default:
      return { kind: kind === 'amount' ? 'value' : kind, text, hint: m.price_as_given({ given: given ?? '' }) };
  }
}

/** Marks a price that tiers replace, and lists them in the hint. */
function withTiers(cell: Cell, { pricing }: ModelLine, name: string, { locale }: Locales): Cell {
  const tiers = tiersOf(pricing, name);
  if (tiers.length === 0) return cell;
  const lines = tiers.map(({ given, prices }) =>
    m.price_tier_line({ tier: tierText(given, locale), price: priceText(name, prices[name], locale).text }),
  );
  const hint = [...(cell.hint === undefined ? [] : [cell.hint]), ...lines].join('\n');
  return cell.kind === 'absent' ? { kind: 'odd', text: NO_VALUE, hint, mark: '†' } : { ...cell, hint, mark: '†' };
}

function costCell(line: ModelLine, workload: Workload | null, { locale }: Locales): Cell {
  if (workload === null) return ABSENT;
  const cost = workloadCost(line.pricing, workload);
  if (cost === null && costVaries(line.pricing)) {
    return { kind: 'varies', text: m.price_varies(), hint: m.models_cost_varies() };
  }
  if (cost === null) return { kind: 'absent', text: '', hint: m.models_cost_unknown() };
  const { text, cacheAssumed, tiers, conditional } = costText(line, workload, { locale });
  const hint = [...tiers, ...(cacheAssumed ? [m.cost_cache_assumed()] : []), ...conditional].join('\n');
  const mark = `${cacheAssumed ? '*' : ''}${conditional.length > 0 ? '†' : ''}`;
  const shown = cost.usd.eq(0)
    ? ({ kind: 'free', text: m.price_free() } as const)
    : ({ kind: 'value', text: text ?? '' } as const);
  return { ...shown, ...(hint !== '' && { hint }), ...(mark !== '' && { mark }) };
}

function textCell(text: string | null): Cell {
  const shown = oneLine(text, LONGEST);
  return shown === '' ? ABSENT : { kind: 'value', text: shown, hint: shown };
}
