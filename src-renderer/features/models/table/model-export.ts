import { stringify } from 'csv-stringify/browser/esm/sync';
import type { CastReturnObject } from 'csv-stringify/browser/esm';
import { markdownTable } from 'markdown-table';
import type { Json } from '../../../../src-main/contract/model/json.ts';
import type { ModelLine, Workload } from '../../../../src-main/contract/model/model.ts';
import {
  aMillion,
  payable,
  priceUnit,
  readPrice,
  workloadCost,
  givenText,
  priceOf,
} from '../../../../src-main/common/price.ts';
import { cellOf, columnName, columnUnit, type CellWords } from '../model-cells.ts';
import { isNumeric, type Column } from '../model-columns.ts';
import { oneLine } from '../../../../src-main/common/text.ts';

export type ExportFormat = 'csv' | 'json' | 'md';

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  md: 'text/markdown;charset=utf-8',
};

/** What the table shows: its rows in their order, and its columns in theirs. */
export interface ShownModels {
  lines: readonly ModelLine[];
  columns: readonly Column[];
  workload: Workload | null;
}

export interface ExportedModels {
  mediaType: string;
  text: string;
}

export function exportModels(format: ExportFormat, shown: ShownModels, by: CellWords): ExportedModels {
  const texts = { csv: () => csvOf(shown), json: () => jsonOf(shown), md: () => markdownOf(shown, by) };
  return { mediaType: MEDIA_TYPES[format], text: texts[format]() };
}

/**
 * Shown columns under the gateway's own names of the fields (document 2 section 2), the id always first. A price is there as
 * it was given; one of tokens also for a million of them, exact. Begins with a byte order mark: spreadsheets take the file for
 * UTF-8 by it. What they would run as a formula is escaped.
 */
export function csvOf({ lines, columns, workload }: ShownModels): string {
  const fields = [ID, ...columns.flatMap((column) => csvFields(column, workload))];
  const rows = lines.map((line) => fields.map(({ value }) => value(line)));
  return stringify([fields.map(({ name }) => name), ...rows], {
    bom: true,
    escape_formulas: true,
    cast: { string: (value) => (/^-?[\d.]+(e[+-]?\d+)?$/i.test(value) ? plainNumber(value) : value) },
  });
}

/** A negative number is no formula: it stays as it was given. The library takes this option here; its types forget it. */
function plainNumber(value: string): CastReturnObject {
  return { value, escape_formulas: false } as CastReturnObject;
}

interface CsvField {
  name: string;
  value: (line: ModelLine) => string;
}

const ID: CsvField = { name: 'id', value: ({ id }) => id };

function csvFields({ id, price }: Column, workload: Workload | null): CsvField[] {
  if (price !== undefined) return priceFields(price);
  const field = (name: string, value: (line: ModelLine) => Json): CsvField[] => [
    { name, value: (line) => givenText(value(line)) },
  ];
  switch (id) {
    case 'context':
      return field('context_length', (line) => line.contextLength);
    case 'maxOutput':
      return field('max_completion_tokens', (line) => line.maxCompletionTokens);
    case 'cost':
      return [
        ...field('cost_usd_a_month', (line) => costOf(line, workload)?.usd ?? null),
        ...field('cost_cache_assumed', (line) => costOf(line, workload)?.cacheAssumed ?? null),
      ];
    case 'inputs':
      return field('input_modalities', (line) => line.inputModalities.join(' '));
    case 'outputs':
      return field('output_modalities', (line) => line.outputModalities.join(' '));
    case 'created':
      return field('created', (line) => (line.created === null ? null : new Date(line.created * 1000).toISOString()));
    case 'expiry':
      return field('expiration_date', (line) => line.expirationDate);
    case 'cutoff':
      return field('knowledge_cutoff', (line) => line.knowledgeCutoff);
    case 'moderated':
      return field('is_moderated', (line) => line.moderated);
    case 'parameters':
      return field('supported_parameters', (line) => line.supportedParameters.join(' '));
    case 'firstSeen':
      return field('first_seen_at', (line) => line.firstSeenAt);
    case 'name':
    case 'vendor':
    case 'tokenizer':
      return field(id, (line) => line[id]);
    default:
      return [];
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
 * Every field of each model's line, whatever columns are shown, with `pricing` as the gateway gave it, and the cost of the
 * workload where there is one. Not the gateway's own record: fields that no document names are on the model's page.
 */
export function jsonOf({ lines, workload }: ShownModels): string {
  const models = lines.map((line) => (workload === null ? line : { ...line, cost: costOf(line, workload) }));
  return `${JSON.stringify(workload === null ? { models } : { workload, models }, null, 2)}\n`;
}

interface ExportedCost {
  /** A month, exact. */
  usd: string;
  cacheAssumed: boolean;
}

function costOf({ pricing }: ModelLine, workload: Workload | null): ExportedCost | null {
  const cost = workload && workloadCost(pricing, workload);
  return cost && { usd: cost.usd.toFixed(), cacheAssumed: cost.cacheAssumed };
}

/** Shown columns as they read on the page, the id beside the name. What Markdown would take for its own is escaped. */
export function markdownOf({ lines, columns, workload }: ShownModels, by: CellWords): string {
  const [name, ...others] = columns;
  if (!name) return '';
  const heads = others.map((column) => {
    const unit = columnUnit(column);
    return unit === null ? columnName(column) : `${columnName(column)} (${unit})`;
  });
  const rows = lines.map((line) => {
    const cells = [name, ...others].map((column) => {
      const { kind, text, marked } = cellOf(line, column, workload, by);
      return kind === 'absent' ? '—' : `${escaped(text)}${marked ? '\\*' : ''}`;
    });
    return [cells[0] ?? '', escaped(line.id), ...cells.slice(1)];
  });
  const table = [[columnName(name), 'Id', ...heads].map(escaped), ...rows];
  const align = ['l', 'l', ...others.map((column) => (isNumeric(column) ? 'r' : 'l'))];
  return `${markdownTable(table, { align, stringLength: () => 3 })}\n`;
}

/** A text on one line in which Markdown and HTML find nothing of theirs. */
function escaped(text: string): string {
  return oneLine(text, 2_000).replace(/[\\`*_{}[\]<>|~#&!]/g, '\\$&');
}
