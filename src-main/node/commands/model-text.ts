import type { Json } from '../../contract/model/item.ts';
import type { ModelRefresh, ModelChange, FieldHistory, ModelLine, StoredModel } from '../../contract/model/model.ts';
import { aMillion, givenText, priceUnit, readPrice, type PriceUnit } from '../../common/price.ts';
import { formatCount } from '../../common/numbers.ts';
import { counted, localTime, oneLine, severalLines } from '../terminal.ts';
import { factLines } from './reading.ts';

/** What a price is told for. Prices for tokens are told by the million. */
const PER: Record<PriceUnit, string> = {
  token: ' per million tokens',
  request: ' per request',
  image: ' per image',
  search: ' per search',
  share: ' (a share)',
  unknown: ' (as given)',
};

/** An exact price in words, without its unit: zero, missing, negative and unreadable ones are told apart. */
function amountInWords(name: string, given: Json | undefined): string {
  const price = readPrice(given);
  if (price.kind === 'absent') return 'not given';
  if (price.kind === 'unreadable') return `unreadable: ${JSON.stringify(price.given)}`;
  const unit = priceUnit(name);
  if (unit === 'share' || unit === 'unknown') return price.value.toFixed();
  if (price.kind === 'free') return 'free';
  const value = unit === 'token' ? aMillion(price.value) : price.value;
  return price.kind === 'negative' ? `negative: -$${value.abs().toFixed()}` : `$${value.toFixed()}`;
}

/** The same with its unit, where there is an amount. */
function priceInWords(name: string, given: Json | undefined): string {
  const { kind } = readPrice(given);
  const amount = amountInWords(name, given);
  return kind === 'amount' || kind === 'negative' ? `${amount}${PER[priceUnit(name)]}` : amount;
}

/** One line of a list: marks, name, what a million tokens cost, context and id. */
export function modelLineInWords(line: ModelLine): string {
  const price = (name: string): string => amountInWords(name, line.pricing[name]);
  const facts = [
    `in ${price('prompt')}`,
    `out ${price('completion')} (per million tokens)`,
    line.contextLength === null ? 'context unknown' : `context ${formatCount('en', line.contextLength)}`,
  ];
  return oneLine(`${line.favouriteAt === null ? ' ' : '*'} ${line.name} - ${facts.join(', ')} [${line.id}]`);
}

/** A model with every field that the gateway gives of it, and what was seen of it here. */
export function modelInWords(model: StoredModel): string {
  return [
    oneLine(model.name),
    ...factLines(factsOf(model)),
    ...section('Prices', Object.keys(model.pricing), (name) => `${name}: ${priceInWords(name, model.pricing[name])}`),
    ...section('Other fields', otherFields(model), ([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...section('Was', model.histories, historyInWords),
    ...(model.description === null ? [] : ['', severalLines(model.description)]),
  ].join('\n');
}

/** Everything that one refresh found, under one heading. */
export function refreshInWords({ at, modelList, otherKey, changes }: ModelRefresh): string {
  const key = otherKey ? ', with another key than before' : '';
  return [
    oneLine(`${localTime(at)} ${modelList}: ${counted(changes.length, 'change')}${key}`),
    ...changes.map((change) => oneLine(`  ${changeInWords(change)}`)),
  ].join('\n');
}

function factsOf(model: StoredModel): [name: string, value: string | null][] {
  const { created, contextLength, maxCompletionTokens, moderated, favouriteAt } = model;
  return [
    ['ModelListName', model.modelList],
    ['Vendor', model.vendor],
    ['Created', created === null ? null : localTime(new Date(created * 1000).toISOString())],
    ['Context', contextLength === null ? null : counted(contextLength, 'token')],
    ['Longest out', maxCompletionTokens === null ? null : counted(maxCompletionTokens, 'token')],
    ['Input', listOf(model.inputModalities)],
    ['Output', listOf(model.outputModalities)],
    ['Modality', model.modality],
    ['Tokenizer', model.tokenizer],
    ['Instruct', model.instructType],
    ['Moderated', moderated === null ? null : moderated ? 'yes' : 'no'],
    ['Parameters', listOf(model.supportedParameters)],
    ['Expires', model.expirationDate],
    ['Knows until', model.knowledgeCutoff],
    ['First seen', localTime(model.firstSeenAt)],
    ['Favourite', favouriteAt && localTime(favouriteAt)],
    ['Aliases', listOf(model.aliases)],
    ['Id', model.id],
  ];
}

/** What of the record is told by its words above, under the names of the gateway. */
const TOLD: Readonly<Record<string, true | readonly string[]>> = {
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

/** The rest of the record, as it came. */
function otherFields({ record }: StoredModel): [name: string, value: Json][] {
  return Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const told = Object.hasOwn(TOLD, name) ? TOLD[name] : undefined;
    if (told === true) return [];
    if (told === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
      return [[name, value]];
    return Object.entries(value)
      .filter(([member]) => !told.includes(member))
      .map(([member, inner]): [string, Json] => [`${name}.${member}`, inner]);
  });
}

function historyInWords({ field, steps }: FieldHistory): string {
  const told = steps.map(({ at, value }) => `${valueInWords(field, value)} from ${localTime(at)}`);
  return `${field}: ${told.join(', ')}`;
}

function changeInWords({ model, name, field, price, before, after }: ModelChange): string {
  const who = name === model ? model : `${name} [${model}]`;
  if (field === 'added' || field === 'removed') return `${field} ${who}`;
  if (price === undefined) return `${field} of ${who}: ${plain(before)} -> ${plain(after)}`;
  return `${price} price of ${who}: ${amountInWords(price, before)} -> ${priceInWords(price, after)}${byHowMuch(before, after)}`;
}

/** By which share of the price before it a price moved; only between two amounts is there one. */
function byHowMuch(before: Json | undefined, after: Json | undefined): string {
  const [from, to] = [readPrice(before), readPrice(after)];
  if (from.kind !== 'amount' || (to.kind !== 'amount' && to.kind !== 'free')) return '';
  const percent = to.value.minus(from.value).times(100).div(from.value).round(1);
  return ` (${percent.gt(0) ? '+' : ''}${percent.toFixed()} %)`;
}

function valueInWords(field: string, value: Json | undefined): string {
  return field === 'context_length' ? plain(value) : amountInWords(field, value);
}

function plain(value: Json | undefined): string {
  if (typeof value === 'number') return formatCount('en', value);
  return value === undefined || value === null ? 'not given' : givenText(value);
}

function listOf(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(', ');
}

function section<T>(heading: string, entries: readonly T[], words: (entry: T) => string): string[] {
  return entries.length === 0 ? [] : ['', heading, ...entries.map((entry) => oneLine(`  ${words(entry)}`))];
}
