import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../contract/model/json.ts';
import { modelLine } from '../../common/model-fields.ts';
import type { ChangedField, ModelChange, ModelRecord } from '../../contract/model/model.ts';
import { readPrice } from '../../common/price.ts';

/** A value as received; undefined if the field was missing. */
type Given = Json | undefined;
type Members = Record<string, Json>;

/** A watched field, and when two values of it count as equal. */
interface Watched {
  field: ChangedField;
  read(record: ModelRecord): Given;
  isSame(one: Given, other: Given): boolean;
}

/** The fields of added and removed models that the log keeps: all those that are compared. */
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
  { field: 'expiry', read: (record) => record['expiration_date'], isSame: isDeepStrictEqual },
  { field: 'cutoff', read: (record) => record['knowledge_cutoff'], isSame: isDeepStrictEqual },
];

/**
 * All watched differences of two model lists, each once: in the order of the later list, then removed models. Equal
 * records may be left out of both lists. `after` of an added model and `before` of a removed one hold its watched
 * fields.
 */
export function modelChanges(before: readonly ModelRecord[], after: readonly ModelRecord[]): ModelChange[] {
  const old = new Map(before.map((record) => [record.id, record]));
  const present = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((record) => {
      const known = old.get(record.id);
      return known ? differences(known, record) : [change(record, 'added', { after: watchedFields(record) })];
    }),
    ...before
      .filter(({ id }) => !present.has(id))
      .map((record) => change(record, 'removed', { before: watchedFields(record) })),
  ];
}

function differences(before: ModelRecord, after: ModelRecord): ModelChange[] {
  const prices = [...new Set([...Object.keys(pricingOf(before)), ...Object.keys(pricingOf(after))])];
  return [
    ...prices.flatMap((price) => {
      const [one, other] = [member(before['pricing'], price), member(after['pricing'], price)];
      return isSamePrice(one, other) ? [] : [change(after, 'price', { price, ...values(one, other) })];
    }),
    ...WATCHED.flatMap(({ field, read, isSame }) => {
      const [one, other] = [read(before), read(after)];
      return isSame(one, other) ? [] : [change(after, field, values(one, other))];
    }),
  ];
}

function change(
  record: ModelRecord,
  field: ChangedField,
  rest: Pick<ModelChange, 'price' | 'before' | 'after'>,
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

/** Equal decimals are the same price in any notation. Missing, null, zero and unreadable are four different values. */
function isSamePrice(one: Given, other: Given): boolean {
  const [a, b] = [readPrice(one), readPrice(other)];
  if ('value' in a && 'value' in b) return a.value.eq(b.value);
  return a.kind === b.kind && isDeepStrictEqual(one, other);
}

/** In the form of document 2, `<input>-><output>`: from the two lists if there are any, else from the text. */
function modalityOf(record: ModelRecord): Given {
  const architecture = record['architecture'];
  const inputs = member(architecture, 'input_modalities');
  const outputs = member(architecture, 'output_modalities');
  if (!Array.isArray(inputs) && !Array.isArray(outputs)) return member(architecture, 'modality');
  return `${joined(inputs)}->${joined(outputs)}`;
}

function joined(modalities: Given): string {
  return Array.isArray(modalities) ? modalities.filter((one) => typeof one === 'string').join('+') : '';
}

function isSameModality(one: Given, other: Given): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isDeepStrictEqual(one, other);
  const sides = (modality: string): Set<string>[] => modality.split('->').map((side) => new Set(side.split('+')));
  return isDeepStrictEqual(sides(one), sides(other));
}

/** Only strings are compared as sets: comparing many objects this way would take too long. */
function isSameSet(one: Given, other: Given): boolean {
  if (!isTexts(one) || !isTexts(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(new Set(one), new Set(other));
}

function isTexts(value: Given): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function pricingOf(record: ModelRecord): Members {
  return membersOf(record['pricing']);
}

/** Own properties only: names such as `constructor` are not members. */
function member(owner: Given, name: string): Given {
  const members = membersOf(owner);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function membersOf(value: Given): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
