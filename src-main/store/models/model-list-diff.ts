import { isDeepStrictEqual } from 'node:util';
import {
  isJsonObject,
  type ChangedField,
  type Json,
  type JsonObject,
  type ModelChange,
  type ModelRecord,
} from '../../contract/model/model.ts';
import { expiryOf, modelLine } from '../../common/model-line.ts';
import { basePrices, type PriceTier, readPrice, tiersByKey } from '../../common/price.ts';

type Given = Json | undefined;

interface Watched {
  field: ChangedField;
  read(record: ModelRecord, now: number): Given;
  isSame(one: Given, other: Given): boolean;
}

const WATCHED_FIELDS = [
  'name',
  'context_length',
  'architecture',
  'pricing',
  'top_provider',
  'supported_parameters',
  'expiration_date',
  'knowledge_cutoff',
] as const;

const WATCHED: readonly Watched[] = [
  { field: 'name', read: (record) => record['name'], isSame: isDeepStrictEqual },
  { field: 'context', read: (record) => record['context_length'], isSame: isDeepStrictEqual },
  {
    field: 'maxCompletion',
    read: (record) => member(record['top_provider'], 'max_completion_tokens'),
    isSame: isDeepStrictEqual,
  },
  { field: 'modality', read: modalityOf, isSame: isSameModality },
  { field: 'parameters', read: (record) => record['supported_parameters'], isSame: isSameSet },
  {
    field: 'moderation',
    read: (record) => member(record['top_provider'], 'is_moderated'),
    isSame: isDeepStrictEqual,
  },
  { field: 'expiry', read: expiryAt, isSame: isDeepStrictEqual },
  { field: 'cutoff', read: (record) => record['knowledge_cutoff'], isSame: isDeepStrictEqual },
];

/** Returns differences in the order of the later list, then removed models. Equal records may be left out. */
export function modelChanges(
  before: readonly ModelRecord[],
  after: readonly ModelRecord[],
  now: number,
): ModelChange[] {
  const old = new Map(before.map((record) => [record.id, record]));
  const present = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((record) => {
      const known = old.get(record.id);
      return known ? compareModels(known, record, now) : [change(record, 'added', { after: watchedFields(record) })];
    }),
    ...before
      .filter(({ id }) => !present.has(id))
      .map((record) => change(record, 'removed', { before: watchedFields(record) })),
  ];
}

function compareModels(before: ModelRecord, after: ModelRecord, now: number): ModelChange[] {
  const [one, other] = [pricingOf(before), pricingOf(after)];
  return [
    ...comparePrices(after, basePrices(one), basePrices(other)),
    ...compareTiers(after, tiersByKey(one), tiersByKey(other)),
    ...WATCHED.flatMap(({ field, read, isSame }) => {
      const [one, other] = [read(before, now), read(after, now)];
      return isSame(one, other) ? [] : [change(after, field, values(one, other))];
    }),
  ];
}

function comparePrices(record: ModelRecord, before: JsonObject, after: JsonObject, tier?: Json): ModelChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((price) => {
    const [one, other] = [member(before, price), member(after, price)];
    if (isSamePrice(one, other)) return [];
    return [change(record, 'price', { price, ...(tier !== undefined && { tier }), ...values(one, other) })];
  });
}

function compareTiers(
  record: ModelRecord,
  before: ReadonlyMap<string, PriceTier>,
  after: ReadonlyMap<string, PriceTier>,
): ModelChange[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    return comparePrices(record, one?.prices ?? {}, other?.prices ?? {}, (other ?? one)?.given);
  });
}

function change(
  record: ModelRecord,
  field: ChangedField,
  rest: Pick<ModelChange, 'price' | 'tier' | 'before' | 'after'>,
): ModelChange {
  return { model: record.id, name: modelLine(record).name, field, ...rest };
}

function values(before: Given, after: Given): Pick<ModelChange, 'before' | 'after'> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function watchedFields(record: ModelRecord): Json {
  return Object.fromEntries(
    WATCHED_FIELDS.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] as Json]] : [])),
  );
}

/** Takes equal decimals as the same price. Missing, null, zero and unreadable are four different values. */
function isSamePrice(one: Given, other: Given): boolean {
  const [a, b] = [readPrice(one), readPrice(other)];
  if ('value' in a && 'value' in b) return a.value.eq(b.value);
  return a.kind === b.kind && isDeepStrictEqual(one, other);
}

function expiryAt(record: ModelRecord, now: number): Given {
  const given = record['expiration_date'];
  return typeof given === 'string' ? expiryOf(given, now) : given;
}

/** Returns the form of document 2, `<input>-><output>`: from the two lists if there are any, else from the text. */
function modalityOf(record: ModelRecord): Given {
  const architecture = record['architecture'];
  const inputs = member(architecture, 'input_modalities');
  const outputs = member(architecture, 'output_modalities');
  if (!Array.isArray(inputs) && !Array.isArray(outputs)) return member(architecture, 'modality');
  return `${join(inputs)}->${join(outputs)}`;
}

function join(modalities: Given): string {
  return Array.isArray(modalities) ? modalities.filter((one) => typeof one === 'string').join('+') : '';
}

function isSameModality(one: Given, other: Given): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isDeepStrictEqual(one, other);
  const sides = (modality: string): Set<string>[] => modality.split('->').map((side) => new Set(side.split('+')));
  return isDeepStrictEqual(sides(one), sides(other));
}

/** Compares only strings as sets: objects would take too long. */
function isSameSet(one: Given, other: Given): boolean {
  if (!isTexts(one) || !isTexts(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(new Set(one), new Set(other));
}

function isTexts(value: Given): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function pricingOf(record: ModelRecord): JsonObject {
  return membersOf(record['pricing']);
}

/** Reads own properties only: `constructor` is no member. */
function member(owner: Given, name: string): Given {
  const members = membersOf(owner);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function membersOf(value: Given): JsonObject {
  return isJsonObject(value) ? value : {};
}
