import type { Json } from '../../../contract/model/json.ts';
import type { ModelRefresh, ModelChange, FieldHistory, ModelLine, StoredModel } from '../../../contract/model/model.ts';
import { aMillion, givenText, priceUnit, readPrice, type PriceUnit } from '../../../common/price.ts';
import { allPriceNames, basePrices, priceTiers, tierConditions, tiersOf } from '../../../common/price-tiers.ts';
import { counted, formatCount } from '../../../common/numbers.ts';
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
  const { created, contextLength, maxCompletionTokens, moderated, favouriteAt } = model;
  return [
    ['List', model.modelList],
    ['Vendor', model.vendor],
    ['Alias for', model.aliasTarget],
    ['Created', created === null ? null : localTime(new Date(created * 1000).toISOString())],
    ['Context', contextLength === null ? null : counted(contextLength, 'token')],
    ['Max output', maxCompletionTokens === null ? null : counted(maxCompletionTokens, 'token')],
    ['Input', listOf(model.inputModalities)],
    ['Output', listOf(model.outputModalities)],
    ['Modality', model.modality],
    ['Tokenizer', model.tokenizer],
    ['Instruct', model.instructType],
    ['Moderated', moderated === null ? null : moderated ? 'yes' : 'no'],
    ['Parameters', listOf(model.supportedParameters)],
    ['Expires', expiryText(model)],
    ['Cutoff', model.knowledgeCutoff],
    ['First seen', localTime(model.firstSeenAt)],
    ['Favourite', favouriteAt && localTime(favouriteAt)],
    ['Aliases', listOf(model.aliases)],
    ['Id', model.id],
  ];
}

/** The gateway's fields that are already shown above. */
const SHOWN_FIELDS: Readonly<Record<string, true | readonly string[]>> = {
  id: true,
  name: true,
  description: true,
  created: true,
  context_length: true,
  pricing: true,
  supported_parameters: true,
  expiration_date: true,
  knowledge_cutoff: true,
  architecture: ['input_modalities', 'output_modalities', 'modality', 'tokenizer', 'instruct_type'],
  top_provider: ['max_completion_tokens', 'is_moderated'],
};

/** The rest of the record, unchanged. */
function otherFields({ record }: StoredModel): [name: string, value: Json][] {
  return Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const shown = Object.hasOwn(SHOWN_FIELDS, name) ? SHOWN_FIELDS[name] : undefined;
    if (shown === true) return [];
    if (shown === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
      return [[name, value]];
    return Object.entries(value)
      .filter(([member]) => !shown.includes(member))
      .map(([member, inner]): [string, Json] => [`${name}.${member}`, inner]);
  });
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

function listOf(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(', ');
}

function section<T>(heading: string, entries: readonly T[], text: (entry: T) => string): Text[] {
  return entries.length === 0 ? [] : ['', bold(heading), ...entries.map((entry) => oneLine(`  ${text(entry)}`))];
}
