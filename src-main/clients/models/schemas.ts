import { z } from 'zod';
import type { Json } from '../../contract/model/json.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import { parseDigits, parseJson } from '../parsing/json.ts';
import { brokenEnvelope, checkEnvelope, isRecord, readRecords, skipFor, unknownMembers } from '../parsing/records.ts';
import type { RawRecord, Reading, Records } from '../parsing/records.ts';

/** The most models that one answer may be asked for (document 2 section 8). */
export const LARGEST_PAGE = 1000;

/** One answer of a model list. */
export interface ModelsPage extends Records<ModelRecord> {
  /** Records in the answer, those included that could not be read. */
  listed: number;
  /** Of the answer, in UTF-16 units. */
  length: number;
  /** Where the model list goes on, as the gateway said; null if it did not. */
  next: string | null;
  /** Models in the whole model list; null if the gateway did not say. */
  totalCount: number | null;
}

/** A model that no call could name is no use. NUL ends a text in too many places to be a key. */
const recordFields = z.object({
  id: z
    .string('is missing or no text')
    .min(1, 'is empty')
    .max(512, 'is longer than 512 characters')
    .refine((value) => !value.includes('\0'), 'holds a NUL character'),
});
const NONE = new Set<string>();

const dataField = z.object({ data: z.array(z.unknown(), 'is missing or no list') });
const pageFields = z.object({
  links: z
    .object({ next: z.string().min(1) })
    .nullable()
    .catch(null),
  total_count: z.int().min(0).nullable().catch(null),
});

/**
 * A body of either model list (document 2 section 2; sheet 3, "Model model list"). A record needs an id and nothing else; every
 * other field stays as it came, but that a price given as a number becomes the digits that stood there. Errors:
 * `invalid_body` for an answer without a list, or with nothing in it that could be read.
 */
export function readModelsPage(body: string): ModelsPage {
  const value = parseJson(body);
  const { data } = checkEnvelope(dataField, value, 'model gateway');
  const { links, total_count: totalCount } = pageFields.parse(value);
  const { records, skipped } = readRecords(withExactPrices(data, body), readModel);
  if (records.length === 0 && data.length > 0) throw brokenEnvelope('none of its models can be read', 'model gateway');
  const next = links?.next ?? null;
  return { records, skipped, listed: data.length, length: body.length, next, totalCount };
}

function readModel(raw: RawRecord): Reading<ModelRecord> {
  const checked = recordFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: { ...unknownMembers(raw, NONE), id: checked.data.id } };
}

/** A binary float would change a price before anybody saw it: the answer is read once more, for the digits of its numbers. */
function withExactPrices(data: readonly unknown[], body: string): readonly unknown[] {
  if (data.every(hasPricesAsTexts)) return data;
  const exact = checkEnvelope(dataField, parseDigits(body), 'model gateway').data;
  return data.map((raw, index) => {
    const pricing = pricingOf(exact[index]);
    return isRecord(raw) && pricing !== undefined ? { ...raw, pricing } : raw;
  });
}

function hasPricesAsTexts(raw: unknown): boolean {
  const pricing = pricingOf(raw);
  return !isRecord(pricing) || Object.values(pricing).every((price) => typeof price === 'string' || price === null);
}

function pricingOf(raw: unknown): Json | undefined {
  return isRecord(raw) ? raw['pricing'] : undefined;
}
