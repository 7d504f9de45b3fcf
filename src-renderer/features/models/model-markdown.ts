import { markdownTable } from 'markdown-table';
import type { StoredModel } from '../../../src-main/contract/model/model.ts';
import { lineFacts, type LineFactKey, type Writing } from './model-facts.ts';
import { valueText } from './model-record.ts';
import { oneLine, plainText } from '../../ui/text/plain-text.ts';
import { orderedPrices, priceFieldName, priceText } from './price-text.ts';

const LONGEST_DESCRIPTION = 20_000;

/** A model as a Markdown page: its name, its description, and a table of what it says of itself. */
export function modelMarkdown(model: StoredModel, writing: Writing): string {
  const { words, locale } = writing;
  const facts = Object.entries(lineFacts(model, writing)) as [LineFactKey, string | null][];
  const prices = orderedPrices(Object.keys(model.pricing)).map((name): [string, string] => {
    const { text, unit } = priceText(words.price, name, model.pricing[name], locale);
    return [priceFieldName(words, name), unit === null ? text : `${text} ${unit}`];
  });
  const slug = model.record['canonical_slug'];
  const rows: [string, string | null][] = [
    [words.modelFields.id, model.id],
    [words.modelFields.slug, typeof slug === 'string' ? valueText(slug, 300) : null],
    ...facts.map(([key, value]): [string, string | null] => [words.modelFields[key], value]),
    ...prices,
  ];
  const table = markdownTable([
    [words.comparison.field, words.modelCourse.value],
    ...rows.flatMap(([name, value]) => (value === null ? [] : [[cell(name), cell(value)]])),
  ]);
  const description = plainText(model.description, LONGEST_DESCRIPTION).trim();
  return [`# ${cell(model.name)}`, ...(description ? [description] : []), table].join('\n\n').concat('\n');
}

/** A text that stays inside its cell, and marks nothing up. */
function cell(text: string): string {
  return oneLine(text, 4000).replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
