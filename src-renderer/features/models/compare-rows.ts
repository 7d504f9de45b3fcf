import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Json, ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import { allPriceNames, payable, priceOf, readPrice, tierKey, tiersOf } from '../../../src-main/common/price.ts';
import { MODEL_FIELDS, type ModelFieldId } from '../../../src-main/render/model-fields.ts';
import { modalityName } from './model-columns.ts';
import { costText, fieldText, type Locales } from './model-facts.ts';
import { isComparable, orderedPrices, priceLabel, priceText } from '../../../src-main/common/price-text.ts';
import { NO_VALUE, oneLine } from '../../../src-main/common/text.ts';

export interface CompareRow {
  key: string;
  name: string;
  /** Null if a model has no value. For prices and lists, the cell shows more than this text. */
  cells: (string | null)[];
  /** For a price: the name in `pricing`. */
  price?: string;
  /** For a list: the entries, and if all models share them. */
  lists?: { text: string; shared: boolean }[][];
  differs: boolean;
  notes?: string[];
}

const AFTER_PRICES: readonly ModelFieldId[] = [
  'context',
  'maxOutput',
  'inputs',
  'outputs',
  'parameters',
  'moderated',
  'tokenizer',
  'instructType',
  'created',
  'cutoff',
  'expiry',
];

export function compareRows(lines: readonly ModelLine[], workload: Workload | null, locales: Locales): CompareRow[] {
  const factRow = (key: ModelFieldId): CompareRow => {
    const field = MODEL_FIELDS[key];
    const row = { key, name: field.label(), cells: lines.map((line) => fieldText(field, line, locales)) };
    return field.kind === 'list' || field.kind === 'modalities'
      ? { ...row, ...compareLists(lines.map(field.value), field.kind === 'list' ? String : modalityName) }
      : { ...row, differs: differ(row.cells) };
  };
  const rows = [
    ...(lines.some(({ aliasTarget }) => aliasTarget !== null) ? [factRow('aliasTarget')] : []),
    ...priceRows(lines, locales),
    ...(workload ? [costRow(lines, workload, locales)] : []),
    ...AFTER_PRICES.map(factRow),
  ];
  return rows.filter(({ price, cells }) => price !== undefined || cells.some((cell) => cell !== null));
}

function priceRows(lines: readonly ModelLine[], { locale }: Locales): CompareRow[] {
  const names = orderedPrices(['prompt', 'completion', ...lines.flatMap(({ pricing }) => allPriceNames(pricing))]);
  const isRow = (price: string): boolean => lines.some(({ pricing }) => isComparable(price, pricing));
  return names.filter(isRow).map((price) => {
    const given = lines.map(({ pricing }) => priceOf(pricing, price));
    const cells = given.map((value) => priceText(price, value, locale).text);
    // Equal numbers are the same price, however they are written.
    const exact = lines.map(({ pricing }, i) =>
      JSON.stringify([
        payable(readPrice(given[i]))?.toFixed() ?? cells[i],
        ...tiersOf(pricing, price).map((tier) => [tierKey(tier.given), exactPrice(tier.prices[price])]),
      ]),
    );
    return {
      key: `price.${price}`,
      name: priceLabel(price),
      cells,
      price,
      differs: differ(exact),
    };
  });
}

/** Returns an amount in one notation; anything else as received. */
function exactPrice(given: Json | undefined): Json | undefined {
  return payable(readPrice(given))?.toFixed() ?? given;
}

function costRow(lines: readonly ModelLine[], workload: Workload, locales: Locales): CompareRow {
  const costs = lines.map((line) => costText(line, workload, locales));
  return {
    key: 'cost',
    name: m.compare_cost({ name: workload.name }),
    cells: costs.map(
      ({ text, cacheAssumed, conditional }) =>
        `${text ?? NO_VALUE}${cacheAssumed ? '*' : ''}${conditional.length > 0 ? '†' : ''}`,
    ),
    differs: differ(costs.map(({ text }) => text)),
    notes: [
      ...(costs.some(({ cacheAssumed }) => cacheAssumed) ? [`* ${m.cost_cache_assumed()}`] : []),
      ...costs.flatMap(({ conditional }, i) =>
        conditional.map((note) => `† ${m.price_tier_line({ tier: oneLine(lines[i]?.name, 80), price: note })}`),
      ),
    ],
  };
}

/** Two lists are equal if they have the same entries, in any order. */
function compareLists(
  given: readonly (readonly string[])[],
  nameOf: (entry: string) => string,
): Required<Pick<CompareRow, 'lists' | 'differs'>> {
  const unique = given.map((list) => [...new Set(list.map(nameOf))].sort());
  const isShared = (text: string): boolean => unique.every((list) => list.includes(text));
  const lists = unique.map((list) => list.map((text) => ({ text, shared: isShared(text) })));
  return { lists, differs: lists.some((list) => list.some(({ shared }) => !shared)) };
}

function differ(cells: readonly (string | null)[]): boolean {
  return new Set(cells).size > 1;
}
