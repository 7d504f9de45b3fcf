import { z } from 'zod';
import { numberIn } from '../../common/numbers.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Json } from '../../contract/model/model.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  checkPage,
  distinctBy,
  isRecord,
  lostFields,
  readRecords,
  recordId,
  skip,
  skipFor,
  unknownMembers,
  type RawRecord,
  type Parsed,
  type Records,
  type Skipped,
} from '../parsing/records.ts';
import { flagIn, time, timeIn } from '../parsing/fields.ts';
import { addressWithin, checkPageText, LINE, PARAGRAPH, textWithin } from '../parsing/limits.ts';

/** Document 1 section 4.1. */
export interface ItemsRequest {
  mode?: 'selected' | 'all' | undefined;
  category?: string | undefined;
  window?: '24h' | '7d' | undefined;
  by?: 'timeline' | 'published' | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

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

/** Document 1 section 8; observed-2-parameters. */
const MAX_ITEMS = 100;
const MAX_SNAPSHOT_ITEMS = 1000;

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

/** The other fields of an item are read without a schema, which takes a third of the time. */
const required = z.object({ id: recordId, title: z.string('is missing or not a string') });

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
const SOURCE_FIELDS = new Set(['name']);
const LINKS_FIELDS = new Set(['original', 'aihot']);
const ATTRIBUTION_FIELDS = new Set(['name', 'url']);

/** Requires id and title only; keeps unknown fields (observed-1-fields). */
function readItem(raw: RawRecord): Parsed<Item> {
  const checked = required.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: toItem(raw, checked.data) };
}

function toItem(raw: RawRecord, { id, title }: z.output<typeof required>): Item {
  const { source, links, attribution, score, selected } = raw;
  return {
    id,
    title: textWithin(title, LINE) ?? '',
    originalTitle: textWithin(raw['originalTitle'], PARAGRAPH),
    summary: textWithin(raw['summary'], PARAGRAPH),
    source: { ...unknownMembers(source, SOURCE_FIELDS), name: isRecord(source) ? lineOf(source['name']) : null },
    links: {
      ...unknownMembers(links, LINKS_FIELDS),
      original: isRecord(links) ? addressWithin(links['original']) : null,
      aihot: isRecord(links) ? addressWithin(links['aihot']) : null,
    },
    publishedAt: timeIn(raw['publishedAt']),
    discoveredAt: timeIn(raw['discoveredAt']),
    category: lineOf(raw['category']),
    score: numberIn(score),
    selected: flagIn(selected),
    reason: textWithin(raw['reason'], PARAGRAPH),
    attribution: isRecord(attribution)
      ? {
          ...unknownMembers(attribution, ATTRIBUTION_FIELDS),
          name: lineOf(attribution['name']),
          url: addressWithin(attribution['url']),
        }
      : null,
    extra: unknownMembers(raw, ITEM_FIELDS),
  };
}

function lineOf(value: Json | undefined): string | null {
  return textWithin(value, LINE);
}

function readItems(values: readonly unknown[], asked: number): Records<Item> {
  const items = distinctBy(readRecords(checkPage(values, asked), readItem), ({ id }) => id);
  checkText(items.records);
  return items;
}

function checkText(items: readonly Item[]): void {
  checkPageText(items.map(textLength));
}

function textLength({ title, originalTitle, summary, reason }: Item): number {
  return title.length + (originalTitle?.length ?? 0) + (summary?.length ?? 0) + (reason?.length ?? 0);
}

const list = z.custom<unknown[]>(Array.isArray, 'is missing or not a list');
const token = z.string().min(1).nullish().catch(null);

const itemsEnvelope = z.object({
  items: list,
  page: z.object({ hasMore: flag, nextCursor: token }).nullish().catch(null),
});

/** Errors: `invalid_body` without a list, with far more than `asked` items, or with more but no cursor; `too_large`. */
export function readItemsAnswer(value: unknown, asked = MAX_ITEMS): ItemsAnswer {
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
  nextPage: token,
  items: list,
});

/** Errors: also `invalid_body` for a last page that has a next one: items missing from the set would be removed. */
export function readSnapshotPage(value: unknown, asked = MAX_SNAPSHOT_ITEMS): SnapshotPage {
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
export function readChangesPage(value: unknown, requestCursor: string, asked = MAX_ITEMS): ChangesPage {
  const page = checkEnvelope(changesEnvelope, value);
  const hasMore = page.hasMore ?? false;
  if (hasMore && page.cursor === requestCursor)
    throw brokenEnvelope('there are more changes, but the cursor is unchanged');
  const { records, skipped } = readRecords(checkPage(page.changes, asked), readChange);
  checkText(records.flatMap((change) => (change.op === 'upsert' ? [change.item] : [])));
  return { cursor: page.cursor, hasMore, changes: records, skipped };
}

const changeFields = z.object({ op: z.string('is missing or not a string'), changedAt: time });
const removeFields = z.object({ id: recordId });

function readChange(raw: RawRecord): Parsed<Change> {
  const checked = changeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { op, changedAt } = checked.data;
  if (op === 'upsert') return readUpsert(raw, changedAt);
  if (op === 'remove') return readRemoval(raw, changedAt);
  return skip(raw, `op ${op.slice(0, 40)} is unknown`);
}

function readUpsert(raw: RawRecord, changedAt: string | null): Parsed<Change> {
  if (!isRecord(raw['item'])) return skip(raw, 'item is missing or not an object');
  const item = readItem(raw['item']);
  if ('skipped' in item) return item;
  return { record: { op: 'upsert', changedAt, item: item.record }, lost: lostFields(raw['item'], item.record) };
}

function readRemoval(raw: RawRecord, changedAt: string | null): Parsed<Change> {
  const checked = removeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: { op: 'remove', changedAt, id: checked.data.id } };
}

/** Assumes more if `hasMore` is missing and there is a next cursor or page. */
function continuation(
  hasMore: boolean | null | undefined,
  place: string | null | undefined,
  name: string,
): { more: boolean; next: string | null } {
  const more = hasMore ?? Boolean(place);
  if (more && !place) throw brokenEnvelope(`there is more, but ${name} is missing`);
  return { more, next: more ? (place ?? null) : null };
}
