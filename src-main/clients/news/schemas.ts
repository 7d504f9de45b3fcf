import { z } from 'zod';
import { numberIn } from '../../common/numbers.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Item } from '../../contract/model/item.ts';
import { isJsonObject, type JsonObject } from '../../contract/model/model.ts';
import {
  attributionOf,
  flagIn,
  linksReader,
  list,
  PARAGRAPH,
  sourceOf,
  cutTextIn,
  time,
  timeIn,
  title,
} from '../parsing/fields.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  checkPage,
  distinctBy,
  lostFields,
  readRecords,
  recordId,
  skip,
  skipFor,
  unknownMembers,
  type Parsed,
  type Records,
  type Skipped,
} from '../parsing/records.ts';

/** Opaque. The service answers 400 to an empty one. */
const token = z.string().min(1);

/** Code points, not UTF-16 units: an emoji counts once. The service answers 503 to a NUL. */
const searchText = z
  .string()
  .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
  .refine((text) => /^.{2,200}$/su.test(text), 'must have 2 to 200 characters');

/** Document 1 sections 4.1 and 8. */
export const itemsRequest = z.strictObject({
  mode: z.enum(['selected', 'all']).optional(),
  category: z.string().min(1).max(200).optional(),
  window: z.enum(['24h', '7d']).optional(),
  by: z.enum(['timeline', 'published']).optional(),
  q: searchText.optional(),
  limit: z.int().min(1).max(100).optional(),
  cursor: token.optional(),
});
export type ItemsRequest = z.input<typeof itemsRequest>;

export const snapshotRequest = z.strictObject({ page: token.optional(), limit: z.int().min(1).max(1000).optional() });
export type SnapshotRequest = z.input<typeof snapshotRequest>;

export const changesRequest = z.strictObject({ cursor: token, limit: z.int().min(1).max(100).optional() });
export type ChangesRequest = z.input<typeof changesRequest>;

export interface ItemsAnswer {
  items: Item[];
  hasMore: boolean;
  /** Null on the last page. Valid only for the same query, and for less than a day. */
  nextCursor: string | null;
  /** The last page names a next one, so absence proves nothing. */
  contradicts: boolean;
  skipped: Skipped[];
}

export interface SnapshotPage {
  asOf: string | null;
  /** That of the first page is for changes, once the last page is stored. */
  cursor: string;
  /** The size of this page or of the whole set (observed-2-count). */
  count: number | null;
  hasMore: boolean;
  nextPage: string | null;
  items: Item[];
  skipped: Skipped[];
}

export type Change =
  { op: 'upsert'; changedAt: string | null; item: Item } | { op: 'remove'; changedAt: string | null; id: string };

export interface ChangesPage {
  cursor: string;
  hasMore: boolean;
  changes: Change[];
  skipped: Skipped[];
}

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);
const nextPage = token.nullish().catch(null);

/** The other fields of an item are read without a schema, which takes a third of the time. */
const required = z.object({ id: recordId, title });

const ITEM_FIELDS = new Set([
  'id',
  'title',
  'originalTitle',
  'summary',
  'source',
  'links',
  'publishedAt',
  'discoveredAt',
  'category',
  'score',
  'selected',
  'reason',
  'attribution',
]);
const linksOf = linksReader('original', 'aihot');

/** Requires id and title only; keeps unknown fields (observed-1-fields). */
function readItem(raw: JsonObject): Parsed<Item> {
  const checked = required.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const item: Item = {
    ...checked.data,
    originalTitle: cutTextIn(raw['originalTitle'], PARAGRAPH),
    summary: cutTextIn(raw['summary'], PARAGRAPH),
    source: sourceOf(raw),
    links: linksOf(raw),
    publishedAt: timeIn(raw['publishedAt']),
    discoveredAt: timeIn(raw['discoveredAt']),
    category: cutTextIn(raw['category']),
    score: numberIn(raw['score']),
    selected: flagIn(raw['selected']),
    reason: cutTextIn(raw['reason'], PARAGRAPH),
    attribution: attributionOf(raw),
    extra: unknownMembers(raw, ITEM_FIELDS),
  };
  return { record: item };
}

function readItems(values: readonly unknown[], asked: number): Records<Item> {
  const items = distinctBy(readRecords(checkPage(values, asked), readItem), ({ id }) => id);
  checkTexts(items.records);
  return items;
}

/** In UTF-16 units. A page with longer texts is requested again in parts. */
const MAX_TEXTS = 8 * 1024 * 1024;

function checkTexts(items: readonly Item[]): void {
  let total = 0;
  for (const { title, originalTitle, summary, reason } of items)
    total += title.length + (originalTitle?.length ?? 0) + (summary?.length ?? 0) + (reason?.length ?? 0);
  if (total <= MAX_TEXTS || items.length <= 1) return;
  const mebibytes = MAX_TEXTS / 1024 / 1024;
  throw new BroadsheetError(
    'too_large',
    `The texts of a page are longer than ${mebibytes} Mi characters. Nothing was saved.`,
  );
}

const itemsEnvelope = z.object({
  items: list,
  page: z.object({ hasMore: flag, nextCursor: nextPage }).nullish().catch(null),
});

/** Errors: `invalid_body` without a list, with far more than `asked` items, or with more but no cursor; `too_large`. */
export function readItemsAnswer(value: unknown, asked = 100): ItemsAnswer {
  const { items, page } = checkEnvelope(itemsEnvelope, value);
  const { records, skipped } = readItems(items, asked);
  const { more, next } = continuation(page?.hasMore, page?.nextCursor, 'page.nextCursor');
  return { items: records, hasMore: more, nextCursor: next, contradicts: !more && Boolean(page?.nextCursor), skipped };
}

const cursor = z.string('is missing or not a string').min(1, 'is empty');

const snapshotEnvelope = z.object({
  asOf: text,
  cursor,
  count: number,
  hasMore: flag,
  nextPage,
  items: list,
});

/** Errors: also `invalid_body` for a last page that has a next one: items missing from the set would be removed. */
export function readSnapshotPage(value: unknown, asked = 1000): SnapshotPage {
  const { asOf, count, items, ...page } = checkEnvelope(snapshotEnvelope, value);
  const { records, skipped } = readItems(items, asked);
  const { more, next } = continuation(page.hasMore, page.nextPage, 'nextPage');
  if (!more && page.nextPage) throw brokenEnvelope('hasMore is false, but there is a nextPage');
  return {
    asOf: asOf ?? null,
    cursor: page.cursor,
    count: count ?? null,
    hasMore: more,
    nextPage: next,
    items: records,
    skipped,
  };
}

const changesEnvelope = z.object({ cursor, hasMore: flag, changes: list });

/** Errors: also `invalid_body` if there is more but the cursor is unchanged, which would never end. */
export function readChangesPage(value: unknown, requestCursor: string, asked = 100): ChangesPage {
  const page = checkEnvelope(changesEnvelope, value);
  const hasMore = page.hasMore ?? false;
  if (hasMore && page.cursor === requestCursor)
    throw brokenEnvelope('there are more changes, but the cursor is unchanged');
  const { records, skipped } = readRecords(checkPage(page.changes, asked), readChange);
  checkTexts(records.flatMap((change) => (change.op === 'upsert' ? [change.item] : [])));
  return { cursor: page.cursor, hasMore, changes: records, skipped };
}

const changeFields = z.object({ op: z.string('is missing or not a string'), changedAt: time });
const removeFields = z.object({ id: recordId });

function readChange(raw: JsonObject): Parsed<Change> {
  const checked = changeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { op, changedAt } = checked.data;
  if (op === 'upsert') return readUpsert(raw, changedAt);
  if (op === 'remove') return readRemoval(raw, changedAt);
  return skip(raw, `op ${op.slice(0, 40)} is unknown`);
}

function readUpsert(raw: JsonObject, changedAt: string | null): Parsed<Change> {
  if (!isJsonObject(raw['item'])) return skip(raw, 'item is missing or not an object');
  const item = readItem(raw['item']);
  if ('skipped' in item) return item;
  return { record: { op: 'upsert', changedAt, item: item.record }, lost: lostFields(raw['item'], item.record) };
}

function readRemoval(raw: JsonObject, changedAt: string | null): Parsed<Change> {
  const checked = removeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: { op: 'remove', changedAt, id: checked.data.id } };
}

function continuation(
  hasMore: boolean | null | undefined,
  place: string | null | undefined,
  name: string,
): { more: boolean; next: string | null } {
  const more = hasMore ?? Boolean(place);
  if (more && !place) throw brokenEnvelope(`there is more, but ${name} is missing`);
  return { more, next: more ? (place ?? null) : null };
}
