import { isJsonObject, type Json, type ModelRecord } from '../../../src-main/contract/model/model.ts';
import { plainText } from '../../../src-main/common/text.ts';
import { isNumber, isText, restOfRecord as restBeside, type Shape } from '../../../src-main/render/model-fields.ts';

const anything: Shape = () => true;

/** Fields that the page shows besides MODEL_FIELDS (document 2 section 2). */
const PLACED: Readonly<Record<string, Shape>> = {
  id: isText,
  canonical_slug: isText,
  description: isText,
  pricing: isJsonObject,
  supported_voices: anything,
  default_parameters: anything,
  per_request_limits: anything,
  hugging_face_id: isText,
  reasoning: anything,
  'top_provider.context_length': isNumber,
  'links.details': isText,
};

/** Returns a member of an object; undefined if either is missing. */
export function member(of: Json | undefined, name: string): Json | undefined {
  return isJsonObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Returns the undocumented fields, and those of another type than documented. The page lists them unchanged. */
export function restOfRecord(record: ModelRecord): Record<string, Json> {
  return restBeside(record, PLACED);
}

/** Formats a value on one line: lists with commas, objects as `name: value`. Deeper values are JSON. */
export function valueText(value: Json, limit: number): string {
  if (Array.isArray(value)) return plainText(value.map(short).join(', '), limit);
  if (!isJsonObject(value)) return plainText(short(value), limit);
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${short(inner)}`);
  return plainText(members.join(', '), limit);
}

function short(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
