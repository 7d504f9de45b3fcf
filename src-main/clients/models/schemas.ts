import { z } from 'zod';
import type { Json } from '../../contract/model/json.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import { knownFields } from '../../common/model-fields.ts';
import { priceUnit, readPrice } from '../../common/price.ts';
import { mayLoseDigits, parseExactly, parseJson } from '../parsing/json.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  distinctBy,
  isRecord,
  lostFields,
  readRecords,
  recordId,
  skipFor,
  unknownMembers,
} from '../parsing/records.ts';
import type { RawRecord, Reading, Records, Skipped } from '../parsing/records.ts';

/** Maximum number of models per page (document 2 section 8). */
export const LARGEST_PAGE = 1000;

/** One page of a model list. */
export interface ModelsPage extends Records<ModelRecord> {
  /** Records in the page, including skipped ones. */
  listed: number;
  /** In UTF-16 units. */
  length: number;
  /** `links.next`; null without one. */
  next: string | null;
  /** Models in the whole list; null if the gateway does not report it. */
  totalCount: number | null;
}

const recordFields = z.object({ id: recordId });
const NONE = new Set<string>();
/** In UTF-16 units. Real records have up to 8,000. */
const RECORD = 64 * 1024;

const dataField = z.object({ data: z.custom<unknown[]>(Array.isArray, 'is missing or not a list') });
const pageFields = z.object({
  links: z
    .object({ next: z.string().min(1) })
    .nullable()
    .catch(null),
  total_count: z.int().min(0).nullable().catch(null),
});

/**
 * Parses a page of either model list (document 2 section 2; observed-9-pages). Only the id is required. All other fields are
 * unchanged, except that a number in `pricing` which a float would change becomes the string of its digits. Errors:
 * `invalid_body` without a list, or if none of its records is valid.
 */
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

function readModel(raw: RawRecord): Reading<ModelRecord> {
  const checked = recordFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const record = { ...unknownMembers(raw, NONE, RECORD), id: checked.data.id };
  return { record, lost: lostFields(raw, readable(record)) };
}

/** The known fields, without the prices that can't be read: the catalogue shows them as they were sent. */
function readable(record: ModelRecord): RawRecord {
  const { pricing, ...fields } = knownFields(record);
  const prices = Object.entries(pricing).map(([name, price]): [string, Json] => {
    const isUnreadable = priceUnit(name) !== 'unknown' && readPrice(price).kind === 'unreadable';
    return [name, isUnreadable ? null : price];
  });
  return { ...fields, pricing: Object.fromEntries(prices) };
}

/** Lists of words are sets: one in `supported_parameters` may occur twice. `found` gets the first record of each such field. */
function withoutRepeatedWords(model: ModelRecord, found: Map<string, Skipped>): ModelRecord {
  const distinct = (name: string, value: Json): Json => {
    if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
    const words = [...new Set(value)];
    if (words.length === value.length) return value;
    if (!found.has(name)) found.set(name, { id: model.id, reason: `${name} repeats a word`, isRepeated: true });
    return words;
  };
  const fields = (members: RawRecord, path: string): RawRecord =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        path === '' && isRecord(value) ? fields(value, `${name}.`) : distinct(path + name, value),
      ]),
    );
  return { ...fields(model, ''), id: model.id };
}

/** A binary float can change a price, so a body with long numbers is parsed again for the digits of its prices. */
function withExactPrices(data: readonly unknown[], body: string): readonly unknown[] {
  if (!mayLoseDigits(body)) return data;
  const exact = checkEnvelope(dataField, parseExactly(body), 'model gateway').data;
  return data.map((raw, index) => {
    const pricing = pricingOf(exact[index]);
    return isRecord(raw) && pricing !== undefined ? { ...raw, pricing } : raw;
  });
}

function pricingOf(raw: unknown): Json | undefined {
  return isRecord(raw) ? raw['pricing'] : undefined;
}
