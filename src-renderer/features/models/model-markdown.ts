import { m } from '../../../src-main/common/i18n/messages.ts';
import type { StoredModel } from '../../../src-main/contract/model/model.ts';
import type { Locales } from './locales.ts';
import { MODEL_FIELDS } from '../../../src-main/render/model-fields.ts';
import { toMarkdownHeading, toMarkdownTable } from '../../../src-main/render/outputs/markdown.ts';
import { fieldText } from './model-facts.ts';
import { valueText } from './model-record.ts';
import { plainText } from '../../../src-main/common/text.ts';
import { allPriceNames, priceOf, tiersOf } from '../../../src-main/common/price.ts';
import { nameInTier, orderedPrices, priceFieldName, priceWithUnit } from '../../../src-main/common/price-text.ts';

const LONGEST_DESCRIPTION = 20_000;

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
  const description = plainText(model.description, LONGEST_DESCRIPTION).trim();
  return [toMarkdownHeading(model.name), ...(description ? [description] : []), table].join('\n\n').concat('\n');
}
