import { countOf, formatCount } from '../common/numbers.ts';
import {
  aMillion,
  allPriceNames,
  basePrices,
  givenText,
  priceUnit,
  readPrice,
  tiersOf,
  type PriceUnit,
} from '../common/price.ts';
import { tierText } from '../common/price-text.ts';
import {
  isJsonObject,
  type FieldHistory,
  type Json,
  type ModelChange,
  type ModelRefresh,
  type StoredModel,
} from '../contract/model/model.ts';
import {
  createDocument,
  fact,
  field,
  listSection,
  textBlock,
  timeField,
  type Audience,
  type Document,
  type Fact,
} from './document.ts';
import { isText, MODEL_FIELDS, restOfRecord, type ModelField } from './model-fields.ts';

/** Lists every field, in English, with the gateway's names for prices and unknown fields. */
export function modelDocument(model: StoredModel, by: Audience): Document {
  const rest = Object.entries(restOfRecord(model.record, PLACED));
  return createDocument({
    title: model.name,
    facts: fieldsOf(model, by),
    blocks: [
      ...listSection('Prices', pricesOf(model)),
      ...listSection(
        'Other fields',
        rest.flatMap(([path, value]) => field(path, JSON.stringify(value))),
      ),
      ...listSection(
        'History',
        model.histories.flatMap((history) => historyOf(history, by)),
      ),
      ...textBlock(model.description),
    ],
  });
}

export function changesDocument({ at, modelList, otherKey, changes }: ModelRefresh, by: Audience): Document {
  return createDocument({
    name: `${by.time(at)} ${modelList}`,
    title: `${countOf(changes.length, 'change')}${otherKey ? ', with a different key' : ''}`,
    blocks: [{ is: 'list', facts: changes.flatMap((change) => fact(changeText(change))) }],
  });
}

const PLACED = { id: isText, description: isText, pricing: isJsonObject };

function fieldsOf(model: StoredModel, by: Audience): Fact[] {
  const { name: _, firstSeen, ...fields } = MODEL_FIELDS;
  return [
    ...field('List', model.modelList),
    ...Object.values(fields).flatMap((known) => field(known.terminal, fieldText(known, model, by))),
    ...timeField(firstSeen.terminal, model.firstSeenAt, by),
    ...timeField('In use since', model.favouriteAt, by),
    ...field('Aliases', model.aliases.join(', ')),
    ...field('Id', model.id),
  ];
}

function fieldText(known: ModelField, model: StoredModel, by: Audience): string | null {
  if (known === MODEL_FIELDS.expiry) return expiryText(model);
  switch (known.kind) {
    case 'text':
    case 'day':
      return known.value(model);
    case 'tokens': {
      const count = known.value(model);
      return count === null ? null : countOf(count, 'token');
    }
    case 'modalities':
    case 'list':
      return known.value(model).join(', ');
    case 'flag': {
      const on = known.value(model);
      return on === null ? null : on ? 'yes' : 'no';
    }
    case 'seconds': {
      const seconds = known.value(model);
      return seconds === null ? null : by.time(new Date(seconds * 1000).toISOString());
    }
  }
}

function expiryText({ expirationDate, record }: StoredModel): string | null {
  const given = record['expiration_date'];
  const isPlaceholder = expirationDate === null && typeof given === 'string' && given.trim() !== '';
  return isPlaceholder ? `none (placeholder: ${given})` : expirationDate;
}

function pricesOf({ pricing }: StoredModel): Fact[] {
  const base = basePrices(pricing);
  return allPriceNames(pricing).flatMap((name) => [
    ...(Object.hasOwn(base, name) ? field(name, plainPriceText(name, base[name])) : []),
    ...tiersOf(pricing, name).flatMap(({ given, prices }) =>
      field(nameInTier(name, given), plainPriceText(name, prices[name])),
    ),
  ]);
}

function historyOf({ field: name, tier, steps }: FieldHistory, by: Audience): Fact[] {
  const valueText = (value: Json | undefined): string =>
    name === 'context_length' ? plainText(value) : plainAmountText(name, value);
  const shown = steps.map(({ at, value }) => `${valueText(value)} from ${by.time(at)}`);
  return field(nameInTier(name, tier), shown.join(', '));
}

function changeText({ model, name, field: changed, price, tier, before, after }: ModelChange): string {
  const who = name === model ? model : `${name} [${model}]`;
  if (changed === 'added' || changed === 'removed') return `${changed} ${who}`;
  if (price === undefined) return `${changed} of ${who}: ${plainText(before)} -> ${plainText(after)}`;
  const values = `${plainAmountText(price, before)} -> ${plainPriceText(price, after)}${percentChange(before, after)}`;
  return `${nameInTier(`${price} price`, tier)} of ${who}: ${values}`;
}

const PER: Record<PriceUnit, string> = {
  token: ' per million tokens',
  request: ' per request',
  search: ' per search',
  share: ' (a share)',
  unstated: ' (unit not given)',
  unknown: ' (as given)',
};

/** Exact, without unit or padding, so that scripts can read it. */
export function plainAmountText(name: string, given: Json | undefined): string {
  const price = readPrice(given);
  if (price.kind === 'absent') return 'not given';
  if (price.kind === 'varies') return 'varies';
  if (price.kind === 'unreadable') return `unreadable: ${JSON.stringify(price.given)}`;
  const unit = priceUnit(name);
  if (unit === 'share' || unit === 'unknown') return price.value.toFixed();
  if (price.kind === 'free') return 'free';
  const value = unit === 'token' ? aMillion(price.value) : price.value;
  return price.kind === 'negative' ? `negative: -$${value.abs().toFixed()}` : `$${value.toFixed()}`;
}

function plainPriceText(name: string, given: Json | undefined): string {
  const { kind } = readPrice(given);
  const amount = plainAmountText(name, given);
  return kind === 'amount' || kind === 'negative' ? `${amount}${PER[priceUnit(name)]}` : amount;
}

function percentChange(before: Json | undefined, after: Json | undefined): string {
  const [from, to] = [readPrice(before), readPrice(after)];
  if (from.kind !== 'amount' || (to.kind !== 'amount' && to.kind !== 'free')) return '';
  const percent = to.value.minus(from.value).times(100).div(from.value).round(1);
  return ` (${percent.gt(0) ? '+' : ''}${percent.toFixed()} %)`;
}

function nameInTier(name: string, tier: Json | undefined): string {
  return tier === undefined ? name : `${name} (${tierText(tier, 'en')})`;
}

function plainText(value: Json | undefined): string {
  if (typeof value === 'number') return formatCount('en', value);
  return value === undefined || value === null ? 'not given' : givenText(value);
}
