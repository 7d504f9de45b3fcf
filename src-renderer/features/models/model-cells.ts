import { messageFor } from '../../../src-main/common/i18n/labels.ts';
import { modelsModalities, modelsUnits } from '../../../src-main/common/i18n/model-labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import { costVaries, workloadCost } from '../../../src-main/common/model-cost.ts';
import { givenText, priceOf, priceUnit, tiersOf } from '../../../src-main/common/price.ts';
import { formatCount } from '../../../src-main/common/numbers.ts';
import { isModelField, MODEL_FIELDS, type ModelField } from '../../../src-main/render/model-fields.ts';
import type { Locales } from './locales.ts';
import type { Column } from './model-columns.ts';
import { dayOf } from './table/model-sort.ts';
import { costText } from './model-facts.ts';
import { shownPrice, priceName, priceWithUnit, tierText } from '../../../src-main/common/price-text.ts';
import { oneLine } from '../../../src-main/common/text.ts';

const LONGEST = 200;

/** The content of a cell. An `odd` value is one that cannot be read: it is shown unchanged. */
export interface Cell {
  kind: 'value' | 'absent' | 'free' | 'varies' | 'odd';
  text: string;
  /** Shown as a tooltip. */
  hint?: string;
  /** Signs after the value that point to the hint: † for other prices under conditions, an asterisk for an assumption. */
  mark?: string;
}

export const ABSENT: Cell = { kind: 'absent', text: '' };

export function cellOf(line: ModelLine, column: Column, workload: Workload | null, locales: Locales): Cell {
  if (column.price !== undefined) return withTiers(priceCell(line, column.price, locales), line, column.price, locales);
  if (column.id === 'cost') return costCell(line, workload, locales);
  return isModelField(column.id) ? fieldCell(line, MODEL_FIELDS[column.id], locales) : ABSENT;
}

function fieldCell(line: ModelLine, field: ModelField, locales: Locales): Cell {
  switch (field.kind) {
    case 'text':
      return textCell(field.value(line));
    case 'tokens':
      return countCell(field.value(line), locales.locale);
    case 'modalities':
      return textCell(
        field
          .value(line)
          .map((name) => modalityName(name))
          .join(', '),
      );
    case 'list': {
      const entries = field.value(line);
      return entries.length === 0 ? ABSENT : { ...countCell(entries.length, locales.locale), hint: listed(entries) };
    }
    case 'flag': {
      const on = field.value(line);
      return on === null ? ABSENT : { kind: 'value', text: on ? m.model_fields_yes() : m.model_fields_no() };
    }
    case 'seconds': {
      const seconds = field.value(line);
      return seconds === null ? ABSENT : { kind: 'value', text: dayText(seconds * 1000, locales, false) };
    }
    case 'day':
      return dayCell(field.value(line), locales);
  }
}

export function columnName({ id, price }: Column): string {
  if (price !== undefined) return m.models_price_column({ name: priceName(price) });
  if (id === 'cost') return m.models_columns_cost();
  if (!isModelField(id)) return id;
  const { label, column = label } = MODEL_FIELDS[id];
  return column();
}

/** Returns the unit of a column; null if it has none. */
export function columnUnit({ kind, price }: Column): string | null {
  if (price !== undefined) return modelsUnits[priceUnit(price)]();
  return kind === 'tokens' ? m.models_tokens() : null;
}

/** Returns the name of a modality; unknown ones as the gateway writes them. */
export function modalityName(name: string): string {
  return messageFor(modelsModalities, name) ?? oneLine(name, 40);
}

function priceCell({ pricing }: ModelLine, name: string, { locale }: Locales): Cell {
  const given = priceOf(pricing, name);
  const shown = shownPrice(name, given, locale);
  switch (shown.kind) {
    case 'absent':
      return ABSENT;
    case 'free':
      return { kind: 'free', text: m.models_free(), hint: m.price_as_given({ given: givenText(given) }) };
    case 'varies':
      return { kind: 'varies', text: m.price_varies(), hint: m.price_as_given({ given: givenText(given) }) };
    case 'negative':
      return { kind: 'odd', text: shown.given, hint: m.price_negative({ given: oneLine(shown.given, LONGEST) }) };
    case 'unreadable': {
      const text = oneLine(shown.given, LONGEST);
      if (text === '') return { kind: 'odd', text: m.models_empty_text(), hint: m.price_nothing() };
      return { kind: 'odd', text: `“${text}”`, hint: m.price_unreadable({ given: text }) };
    }
    case 'amount':
    case 'share':
    case 'asGiven':
      return { kind: 'value', text: oneLine(shown.text, LONGEST), hint: m.price_as_given({ given: givenText(given) }) };
  }
}

/** Marks a price that tiers replace, and lists them in the hint. */
function withTiers(cell: Cell, { pricing }: ModelLine, name: string, { locale }: Locales): Cell {
  const tiers = tiersOf(pricing, name);
  if (tiers.length === 0) return cell;
  const lines = tiers.map(({ given, prices }) =>
    m.price_tier_line({ tier: tierText(given, locale), price: priceWithUnit(name, prices[name], locale) }),
  );
  const hint = [...(cell.hint === undefined ? [] : [cell.hint]), ...lines].join('\n');
  return cell.kind === 'absent'
    ? { kind: 'odd', text: m.models_absent(), hint, mark: '†' }
    : { ...cell, hint, mark: '†' };
}

function costCell(line: ModelLine, workload: Workload | null, { locale }: Locales): Cell {
  if (workload === null) return ABSENT;
  const cost = workloadCost(line.pricing, workload);
  if (cost === null && costVaries(line.pricing)) {
    return { kind: 'varies', text: m.price_varies(), hint: m.models_cost_varies() };
  }
  if (cost === null) return { kind: 'absent', text: '', hint: m.models_cost_unknown() };
  const { text, cacheAssumed, tiers, conditional } = costText(line, workload, { locale });
  const hint = [...tiers, ...(cacheAssumed ? [m.models_cache_assumed()] : []), ...conditional].join('\n');
  const mark = `${cacheAssumed ? '*' : ''}${conditional.length > 0 ? '†' : ''}`;
  const shown = cost.usd.eq(0)
    ? ({ kind: 'free', text: m.models_free() } as const)
    : ({ kind: 'value', text: text ?? '' } as const);
  return { ...shown, ...(hint !== '' && { hint }), ...(mark !== '' && { mark }) };
}

function textCell(text: string | null): Cell {
  const shown = oneLine(text, LONGEST);
  return shown === '' ? ABSENT : { kind: 'value', text: shown, hint: shown };
}

function countCell(count: number | null, locale: string): Cell {
  return count === null ? ABSENT : { kind: 'value', text: formatCount(locale, count) };
}

function dayCell(text: string | null, locales: Locales): Cell {
  if (text === null) return ABSENT;
  const ms = dayOf(text);
  const given = oneLine(text, LONGEST);
  // A date without a time is the same day everywhere; with a time, it is a local day. Anything else stays unchanged.
  if (ms === null || !/^\d{4}-\d{2}-\d{2}/.test(text)) return { kind: 'value', text: given, hint: given };
  return { kind: 'value', text: dayText(ms, locales, given.length === 10), hint: given };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dayText(ms: number, { dateLocale }: Locales, utc: boolean): string {
  const key = `${dateLocale} ${utc}`;
  const known = formats.get(key);
  const format = known ?? new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', ...(utc && { timeZone: 'UTC' }) });
  formats.set(key, format);
  return format.format(ms);
}

function listed(values: readonly string[]): string {
  return oneLine(values.join(', '), 2_000);
}
