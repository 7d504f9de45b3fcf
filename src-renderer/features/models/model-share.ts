import { m } from '../../../src-main/common/i18n/messages.ts';
import { allPriceNames, priceOf, tiersOf } from '../../../src-main/common/price.ts';
import { nameInTier, orderedPrices, priceFieldName, priceWithUnit } from '../../../src-main/common/price-text.ts';
import { oneLine, plainText } from '../../../src-main/common/text.ts';
import type { StoredModel } from '../../../src-main/contract/model/model.ts';
import { MODEL_FIELDS } from '../../../src-main/render/model-fields.ts';
import { toMarkdownHeading, toMarkdownTable } from '../../../src-main/render/outputs/markdown.ts';
import { language } from '../../ui/language.svelte.ts';
import type { Shared } from '../share/index.ts';
import { fieldText, valueText, type Locales } from './model-facts.ts';

/** In UTF-16 units. */
const LONGEST_NAME = 500;
const LONGEST_TEXT = 20_000;

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
    [priceFieldName(name), priceWithUnit(name, priceOf(pricing, name), locale)],
    ...tiersOf(pricing, name).map((tier): [string, string] => [
      nameInTier(priceFieldName(name), tier.given, locale),
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
