import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, type ModelRecord } from '../../contract/model/model.ts';
import { knownFields } from '../../common/model-line.ts';
import { priceUnit, readPrice } from '../../common/price.ts';
import { list } from '../parsing/fields.ts';
import { mayLoseDigits, parseExactly, parseJson } from '../parsing/json.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  distinctBy,
  lostFields,
  readRecords,
  recordId,
  skipFor,
  unknownMembers,
  type Parsed,
  type Records,
  type Skipped,
} from '../parsing/records.ts';

export const MAX_PAGE = 1000;

export interface ModelsPage extends Records<ModelRecord> {
  listed: number;
  length: number;
  next: string | null;
  totalCount: number | null;
}

const recordFields = z.object({ id: recordId });
const NONE = new Set<string>();
/** In UTF-16 units. Real records have up to 8,000. */
const RECORD = 64 * 1024;

const dataField = z.object({ data: list });
const pageFields = z.object({
  links: z
    .object({ next: z.string().min(1) })
    .nullable()
    .catch(null),
  total_count: z.int().min(0).nullable().catch(null),
});

/** Requires only ids (document 2 section 2; observed-9-pages). Errors: `invalid_body`, also if no record is valid. */
export function readModelsPage(body: string): ModelsPage {
  const value = parseJson(body);
  const { data } = checkEnvelope(dataField, value, 'model gateway');
  const { links, total_count: totalCount } = pageFields.parse(value);
  const { records, skipped } = distinctBy(readRecords(withExactPrices(data, body), readModel), ({ id }) => id);
  const words = new Map<string, Skipped>();
  const models = records.map((record) => withoutRepeatedWords(record, words));
  if (records.length === 0 && data.length > 0) throw brokenEnvelope('none of its models is valid', 'model gateway');
  const next = links?.next ?? null;
  return {
    records: models,
    skipped: [...skipped, ...words.values()],
    listed: data.length,
    length: body.length,
    next,
    totalCount,
  };
}

function readModel(raw: JsonObject): Parsed<ModelRecord> {
  const checked = recordFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const record = { ...unknownMembers(raw, NONE, RECORD), id: checked.data.id };
  return { record, lost: lostFields(raw, dropUnreadablePrices(record)) };
}

/** Replaces prices that can't be read by null. The catalogue shows them as they were sent. */
function dropUnreadablePrices(record: ModelRecord): JsonObject {
  const { pricing, ...fields } = knownFields(record);
  const prices = Object.entries(pricing).map(([name, price]): [string, Json] => {
    const isUnreadable = priceUnit(name) !== 'unknown' && readPrice(price).kind === 'unreadable';
    return [name, isUnreadable ? null : price];
  });
  return { ...fields, pricing: Object.fromEntries(prices) };
}

function withoutRepeatedWords(model: ModelRecord, found: Map<string, Skipped>): ModelRecord {
  const distinct = (name: string, value: Json): Json => {
    if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
    const words = [...new Set(value)];
    if (words.length === value.length) return value;
    if (!found.has(name)) found.set(name, { id: model.id, reason: `${name} repeats a word`, isRepeated: true });
    return words;
  };
  const fields = (members: JsonObject, path: string): JsonObject =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        path === '' && isJsonObject(value) ? fields(value, `${name}.`) : distinct(path + name, value),
      ]),
    );
  return { ...fields(model, ''), id: model.id };
}

/** Parses a body with long numbers again for the digits of its prices, since a binary float can change a price. */
function withExactPrices(data: readonly unknown[], body: string): readonly unknown[] {
  if (!mayLoseDigits(body)) return data;
  const exact = checkEnvelope(dataField, parseExactly(body), 'model gateway').data;
  return data.map((raw, index) => {
    const pricing = pricingOf(exact[index]);
    return isJsonObject(raw) && pricing !== undefined ? { ...raw, pricing } : raw;
  });
}

function pricingOf(raw: unknown): Json | undefined {
  return isJsonObject(raw) ? raw['pricing'] : undefined;
}
