import type { Json } from '../../../src-main/contract/model/json.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import { plainText } from '../../../src-main/common/text.ts';

type Fields = Record<string, Json>;
type Shape = (value: Json) => boolean;

const text: Shape = (value) => typeof value === 'string';
const texts: Shape = (value) => Array.isArray(value) && value.every(text);
const number: Shape = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Shape = (value) => typeof value === 'boolean';
const anything: Shape = () => true;

/** The documented fields (document 2 section 2), which the page shows each in its place if they have the right type. */
const FIELDS: Readonly<Record<string, Shape>> = {
  id: text,
  canonical_slug: text,
  name: text,
  description: text,
  created: number,
  context_length: number,
  supported_parameters: texts,
  supported_voices: anything,
  default_parameters: anything,
  expiration_date: text,
  alias_target: (value) => text(value) || (isFields(value) && text(value['slug'] ?? null)),
  knowledge_cutoff: text,
  per_request_limits: anything,
  hugging_face_id: text,
  reasoning: anything,
};

/** The same for objects inside the record. Every member of `pricing` is shown, whatever its type. */
const NESTED_FIELDS: Readonly<Record<string, Readonly<Record<string, Shape>> | 'all'>> = {
  architecture: {
    input_modalities: texts,
    output_modalities: texts,
    modality: text,
    instruct_type: text,
    tokenizer: text,
  },
  pricing: 'all',
  top_provider: { context_length: number, is_moderated: flag, max_completion_tokens: number },
  links: { details: text },
};

/** A member of an object; undefined if either is missing. */
export function member(of: Json | undefined, name: string): Json | undefined {
  return isFields(of) && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** The undocumented fields, and those of another type than documented. The page lists them unchanged. */
export function restOfRecord(record: ModelRecord): Fields {
  const rest: Fields = {};
  for (const [name, value] of Object.entries(record)) {
    const within = placeOf(NESTED_FIELDS, name);
    if (within !== undefined && isFields(value)) {
      if (within !== 'all') Object.assign(rest, unplaced(within, value, `${name}.`));
    } else if (within !== undefined) {
      if (value !== null) rest[name] = value;
    } else {
      Object.assign(rest, unplaced(FIELDS, { [name]: value }, ''));
    }
  }
  return rest;
}

function unplaced(shapes: Readonly<Record<string, Shape>>, fields: Fields, prefix: string): Fields {
  const left = Object.entries(fields).filter(([name, value]) => {
    const shape = placeOf(shapes, name);
    // A documented field that is null counts as missing; an unknown one is listed.
    return shape === undefined || (value !== null && !shape(value));
  });
  return Object.fromEntries(left.map(([name, value]) => [prefix + name, value]));
}

function placeOf<T>(places: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(places, name) ? places[name] : undefined;
}

/** A value on one line: lists with commas, objects as `name: value`. Deeper values are JSON. */
export function valueText(value: Json, limit: number): string {
  if (Array.isArray(value)) return plainText(value.map(short).join(', '), limit);
  if (!isFields(value)) return plainText(short(value), limit);
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${short(inner)}`);
  return plainText(members.join(', '), limit);
}

function short(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
