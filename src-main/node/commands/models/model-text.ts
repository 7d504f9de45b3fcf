import type { Json } from '../../../contract/model/json.ts';
import type { ModelRefresh, ModelChange, FieldHistory, ModelLine, StoredModel } from '../../../contract/model/model.ts';
import { aMillion, givenText, priceUnit, readPrice, type PriceUnit } from '../../../common/price.ts';
import { allPriceNames, basePrices, priceTiers, tierConditions, tiersOf } from '../../../common/price-tiers.ts';
import { counted, formatCount } from '../../../common/numbers.ts';
import { MODEL_FIELDS, type ModelField } from '../../../render/model-fields.ts';
import { bold, dim, line, lines, type Text } from '../../styled-text.ts';
import { localTime, oneLine, severalLines } from '../../terminal.ts';
import { factLines } from '../reading.ts';

/** Units after a price. Token prices are per million. */
const PER: Record<PriceUnit, string> = {
  token: ' per million tokens',
  request: ' per request',
  search: ' per search',
  share: ' (a share)',
  unstated: ' (unit not given)',
  unknown: ' (as given)',
};

/** An exact price without its unit. Zero, missing, varying, negative and unreadable prices have distinct texts. */
function amountText(name: string, given: Json | undefined): string {
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

/** The same with its unit, if there is an amount. */
function priceText(name: string, given: Json | undefined): string {
  const { kind } = readPrice(given);
  const amount = amountText(name, given);
  return kind === 'amount' || kind === 'negative' ? `${amount}${PER[priceUnit(name)]}` : amount;
}

/** One line of a list: star, name, prices per million tokens, context and id. */
export function modelLineText(model: ModelLine): Text {
  const price = (name: string): string => amountText(name, model.pricing[name]);
  const facts = [
    `in ${price('prompt')}`,
    `out ${price('completion')} (per million tokens)`,
    ...(priceTiers(model.pricing).length > 0 ? ['other prices under conditions'] : []),
    model.contextLength === null ? 'context unknown' : `context ${formatCount('en', model.contextLength)}`,
    ...(model.aliasTarget === null ? [] : [`alias for ${model.aliasTarget}`]),
  ];
  return line`${model.favouriteAt === null ? ' ' : '*'} ${bold(model.name)} - ${facts.join(', ')} ${dim(`[${model.id}]`)}`;
}

/** A model with all of the gateway's fields and its history. */
export function modelText(model: StoredModel): Text {
  return lines([
    bold(model.name),
    ...factLines(factsOf(model)),
    ...section('Prices', pricesOf(model), ({ name, given }) => `${name}: ${given}`),
    ...section('Other fields', otherFields(model), ([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...section('History', model.histories, historyText),
    ...(model.description === null ? [] : ['', severalLines(model.description)]),
  ]);
}

/** The changes found by one refresh. */
export function refreshText({ at, modelList, otherKey, changes }: ModelRefresh): Text {
  const key = otherKey ? ', with a different key' : '';
  return lines([
    line`${dim(localTime(at))} ${bold(modelList)}: ${counted(changes.length, 'change')}${key}`,
    ...changes.map((change) => oneLine(`  ${changeText(change)}`)),
  ]);
}

function factsOf(model: StoredModel): [name: string, value: string | null][] {
  const { name: _, firstSeen, ...fields } = MODEL_FIELDS;
  const { favouriteAt } = model;
  return [
    ['List', model.modelList],
    ...Object.values(fields).map((field): [string, string | null] => [field.terminal, fieldText(field, model)]),
    [firstSeen.terminal, localTime(model.firstSeenAt)],
    ['Favourite', favouriteAt && localTime(favouriteAt)],
    ['Aliases', model.aliases.join(', ') || null],
    ['Id', model.id],
  ];
}

function fieldText(field: ModelField, model: StoredModel): string | null {
  if (field === MODEL_FIELDS.expiry) return expiryText(model);
  switch (field.kind) {
    case 'text':
    case 'day':
      return field.value(model);
    case 'tokens': {
      const count = field.value(model);
      return count === null ? null : counted(count, 'token');
    }
    case 'modalities':
    case 'list':
      return field.value(model).join(', ') || null;
    case 'flag': {
      const on = field.value(model);
      return on === null ? null : on ? 'yes' : 'no';
    }
    case 'seconds': {
      const seconds = field.value(model);
      return seconds === null ? null : localTime(new Date(seconds * 1000).toISOString());
    }
  }
}

/** The paths in the gateway's record that are already shown above. */
const SHOWN = new Set([
  ...['id', 'description', 'pricing'],
  ...Object.values(MODEL_FIELDS).flatMap(({ name, within }) => {
    if (within === null) return [];
    return within === 'record' ? name : `${within}.${name}`;
  }),
]);
/** The parts of the record whose members are listed one by one. */
const PARTS = new Set([...SHOWN].flatMap((path) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : [])));

/** The rest of the record, unchanged. */
function otherFields({ record }: StoredModel): [path: string, value: Json][] {
  const fields = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const isPart = PARTS.has(name) && typeof value === 'object' && value !== null && !Array.isArray(value);
    return isPart ? Object.entries(value).map(([member, inner]) => [`${name}.${member}`, inner]) : [[name, value]];
  });
  return fields.filter(([path]) => !SHOWN.has(path));
}

/** Each price, followed by the same price in each tier. */
function pricesOf({ pricing }: StoredModel): { name: string; given: string }[] {
  const base = basePrices(pricing);
  return allPriceNames(pricing).flatMap((name) => [
    ...(Object.hasOwn(base, name) ? [{ name, given: priceText(name, base[name]) }] : []),
    ...tiersOf(pricing, name).map(({ given, prices }) => ({
      name: named(name, given),
      given: priceText(name, prices[name]),
    })),
  ]);
}

function expiryText({ expirationDate, record }: StoredModel): string | null {
  const given = record['expiration_date'];
  const isPlaceholder = expirationDate === null && typeof given === 'string' && given.trim() !== '';
  return isPlaceholder ? `none (placeholder: ${given})` : expirationDate;
}

function historyText({ field, tier, steps }: FieldHistory): string {
  const shown = steps.map(({ at, value }) => `${valueText(field, value)} from ${localTime(at)}`);
  return `${named(field, tier)}: ${shown.join(', ')}`;
}

function changeText({ model, name, field, price, tier, before, after }: ModelChange): string {
  const who = name === model ? model : `${name} [${model}]`;
  if (field === 'added' || field === 'removed') return `${field} ${who}`;
  if (price === undefined) return `${field} of ${who}: ${plain(before)} -> ${plain(after)}`;
  return `${named(`${price} price`, tier)} of ${who}: ${amountText(price, before)} -> ${priceText(price, after)}${percentChange(before, after)}`;
}

function named(what: string, tier: Json | undefined): string {
  return tier === undefined ? what : `${what} (${tierText(tier)})`;
}

/** When a tier applies. `given` is its conditions as received. */
function tierText(given: Json): string {
  const texts = tierConditions(given).map((condition) => {
    if (condition.kind === 'tokens') return `above ${counted(condition.above, 'input token')}`;
    if (condition.kind === 'hours') return `${condition.from} to ${condition.to} UTC`;
    return condition.name === '' ? givenText(condition.given) : `${condition.name}: ${givenText(condition.given)}`;
  });
  return texts.length === 0 ? 'always' : texts.join(', ');
}

/** The change in percent; only between two amounts. */
function percentChange(before: Json | undefined, after: Json | undefined): string {
  const [from, to] = [readPrice(before), readPrice(after)];
  if (from.kind !== 'amount' || (to.kind !== 'amount' && to.kind !== 'free')) return '';
  const percent = to.value.minus(from.value).times(100).div(from.value).round(1);
  return ` (${percent.gt(0) ? '+' : ''}${percent.toFixed()} %)`;
}

function valueText(field: string, value: Json | undefined): string {
  return field === 'context_length' ? plain(value) : amountText(field, value);
}

function plain(value: Json | undefined): string {
  if (typeof value === 'number') return formatCount('en', value);
  return value === undefined || value === null ? 'not given' : givenText(value);
}

function section<T>(heading: string, entries: readonly T[], text: (entry: T) => string): Text[] {
  return entries.length === 0 ? [] : ['', bold(heading), ...entries.map((entry) => oneLine(`  ${text(entry)}`))];
}
