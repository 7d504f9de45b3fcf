import { stringify } from 'csv-stringify/browser/esm/sync';
import type { CastReturnObject } from 'csv-stringify/browser/esm';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Json, ModelLine, StoredModel, Workload } from '../../../src-main/contract/model/model.ts';
import {
  allPriceNames,
  aMillion,
  givenText,
  payable,
  priceOf,
  priceTiers,
  priceUnit,
  readPrice,
  tiersOf,
} from '../../../src-main/common/price.ts';
import { nameInTier, orderedPrices, priceName, priceWithUnit } from '../../../src-main/common/price-text.ts';
import { NO_VALUE, oneLine, plainText } from '../../../src-main/common/text.ts';
import { workloadCost } from '../../../src-main/common/model-cost.ts';
import { MODEL_FIELDS, type ModelField } from '../../../src-main/render/model-fields.ts';
import { cellOf } from './model-cells.ts';
import { columnName, columnUnit, isNumeric, type Column } from './model-columns.ts';
import { fieldText, valueText, type Locales } from './model-facts.ts';
import { language } from '../../ui/language.svelte.ts';
import type { Shared } from '../share/index.ts';
import { toMarkdownHeading, toMarkdownTable } from '../../../src-main/render/outputs/markdown.ts';

/** In UTF-16 units. */
const LONGEST_NAME = 500;
const LONGEST_TEXT = 20_000;

export const EXPORT_FORMATS = ['csv', 'json', 'md'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  md: 'text/markdown;charset=utf-8',
};

/** The rows and columns of the table, in their order. */
export interface TableContent {
  lines: readonly ModelLine[];
  columns: readonly Column[];
  workload: Workload | null;
}

export interface ExportedModels {
  mediaType: string;
  text: string;
}

export function exportModels(format: ExportFormat, content: TableContent, locales: Locales): ExportedModels {
  const texts = { csv: () => csvOf(content), json: () => jsonOf(content), md: () => markdownOf(content, locales) };
  return { mediaType: MEDIA_TYPES[format], text: texts[format]() };
}

/**
 * Formats the visible columns under the gateway's field names (document 2 section 2), with the id first, and price
 * tiers as JSON at the end. Prices are unchanged; a price of tokens is also given for a million of them, exact. A byte
 * order mark makes spreadsheets read the file as UTF-8, and texts that they would run as formulas are escaped.
 */
export function csvOf({ lines, columns, workload }: TableContent): string {
  const fields = [ID, ...columns.flatMap((column) => csvFields(column, workload))];
  const hasPrices = columns.some(({ price }) => price !== undefined);
  if (hasPrices && lines.some(({ pricing }) => priceTiers(pricing).length > 0)) fields.push(TIERS);
  const rows = lines.map((line) => fields.map(({ value }) => value(line)));
  return stringify([fields.map(({ name }) => name), ...rows], {
    bom: true,
    escape_formulas: true,
    cast: { string: (value) => (/^-?[\d.]+(e[+-]?\d+)?$/i.test(value) ? plainNumber(value) : value) },
  });
}

/** Leaves negative numbers unescaped: they are no formulas. The library accepts this option here; its types omit it. */
function plainNumber(value: string): CastReturnObject {
  return { value, escape_formulas: false } as CastReturnObject;
}

interface CsvField {
  name: string;
  value: (line: ModelLine) => string;
}

const ID: CsvField = { name: 'id', value: ({ id }) => id };
const TIERS: CsvField = {
  name: 'pricing.overrides',
  value: ({ pricing }) => (priceTiers(pricing).length > 0 ? givenText(priceOf(pricing, 'overrides')) : ''),
};

function csvFields({ field, price }: Column, workload: Workload | null): CsvField[] {
  if (price !== undefined) return priceFields(price);
  if (field) return [{ name: field.name, value: (line) => fieldAsGiven(field, line) }];
  return [
    { name: 'cost_usd_a_month', value: (line) => costOf(line, workload)?.usd ?? '' },
    { name: 'cost_cache_assumed', value: (line) => givenText(costOf(line, workload)?.cacheAssumed) },
  ];
}

function fieldAsGiven(field: ModelField, line: ModelLine): string {
  switch (field.kind) {
    case 'text':
    case 'day':
    case 'tokens':
    case 'flag':
      return givenText(field.value(line));
    case 'seconds': {
      const seconds = field.value(line);
      return seconds === null ? '' : new Date(seconds * 1000).toISOString();
    }
    case 'modalities':
    case 'list':
      return field.value(line).join(' ');
  }
}

function priceFields(price: string): CsvField[] {
  const asGiven: CsvField = { name: `pricing.${price}`, value: ({ pricing }) => givenText(priceOf(pricing, price)) };
  if (priceUnit(price) !== 'token') return [asGiven];
  const million = (line: ModelLine): string => {
    const value = payable(readPrice(priceOf(line.pricing, price)));
    return value === null ? '' : aMillion(value).toFixed();
  };
  return [asGiven, { name: `pricing.${price}.usd_per_million`, value: million }];
}

/**
 * Formats every field of each row, whatever columns are visible, with `pricing` unchanged, and the cost if there is a
 * workload. The gateway's full record, with undocumented fields, is on the model's page.
 */
export function jsonOf({ lines, workload }: TableContent): string {
  const models = lines.map((line) => (workload === null ? line : { ...line, cost: costOf(line, workload) }));
  return `${JSON.stringify(workload === null ? { models } : { workload, models }, null, 2)}\n`;
}

interface ExportedCost {
  /** For a month, exact. */
  usd: string;
  cacheAssumed: boolean;
  /** The conditions of the tiers whose prices it uses, as received. */
  tiers: Json[];
  /** Costs under conditions that are not known to hold. */
  otherwise: { tier: Json; usd: string | null }[];
}

function costOf({ pricing }: ModelLine, workload: Workload | null): ExportedCost | null {
  const cost = workload && workloadCost(pricing, workload);
  if (!cost) return null;
  const { usd, cacheAssumed, tiers, otherwise } = cost;
  return {
    usd: usd.toFixed(),
    cacheAssumed,
    tiers: tiers.map(({ given }) => given),
    otherwise: otherwise.map((other) => ({ tier: other.tier.given, usd: other.usd?.toFixed() ?? null })),
  };
}

/** Formats the visible columns as on the page, with the id beside the name. Escapes Markdown syntax in texts. */
export function markdownOf({ lines, columns, workload }: TableContent, locales: Locales): string {
  const [name, ...others] = columns;
  if (!name) return '';
  const heads = others.map((column) => {
    const unit = columnUnit(column);
    return unit === null ? columnName(column) : `${columnName(column)} (${unit})`;
  });
  const rows = lines.map((line) => {
    const cells = [name, ...others].map((column) => {
      const { kind, text, mark } = cellOf(line, column, workload, locales);
      return kind === 'absent' ? NO_VALUE : `${text}${mark ?? ''}`;
    });
    return [cells[0] ?? '', line.id, ...cells.slice(1)];
  });
  const table = [[columnName(name), 'Id', ...heads], ...rows];
  const align = others.map((column) => (isNumeric(column) ? ('r' as const) : ('l' as const)));
  return `${toMarkdownTable(table, ['l', 'l', ...align])}\n`;
}

/** Prepares a model for sharing: its id stands where others have a link. */
export function sharedModel(model: StoredModel): Shared {
  return {
    title: oneLine(model.name, LONGEST_NAME),
    link: null,
    source: fieldText(MODEL_FIELDS.vendor, model, language) ?? '',
    date: '',
    text: [model.id, plainText(model.description, LONGEST_TEXT).trim()].filter((text) => text !== '').join('\n\n'),
    markdown: () => modelMarkdown(model, language),
    others: [{ label: m.model_page_copy_json(), text: () => JSON.stringify(model.record, null, 2) }],
  };
}

/** Formats a model as a Markdown page: name, description, and a table of its fields. */
export function modelMarkdown(model: StoredModel, locales: Locales): string {
  const { locale } = locales;
  const { name: _, firstSeen: __, ...fields } = MODEL_FIELDS;
  const { pricing } = model;
  const prices = orderedPrices(allPriceNames(pricing)).flatMap((name): [string, string][] => [
    [priceName(name), priceWithUnit(name, priceOf(pricing, name), locale)],
    ...tiersOf(pricing, name).map((tier): [string, string] => [
      nameInTier(priceName(name), tier.given, locale),
      priceWithUnit(name, tier.prices[name], locale),
    ]),
  ]);
  const slug = model.record['canonical_slug'];
  const rows: [string, string | null][] = [
    [m.model_fields_id(), model.id],
    [m.model_fields_slug(), typeof slug === 'string' ? valueText(slug, 300) : null],
    ...Object.values(fields).map((field): [string, string | null] => [field.label(), fieldText(field, model, locales)]),
    ...prices,
  ];
  const table = toMarkdownTable([
    [m.compare_field(), m.price_history_value()],
    ...rows.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  ]);
  const description = plainText(model.description, LONGEST_TEXT).trim();
  return [toMarkdownHeading(model.name), ...(description ? [description] : []), table].join('\n\n').concat('\n');
}
