import { z } from 'zod';
import { numberIn } from '../../common/numbers.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Json } from '../../contract/model/json.ts';
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
  type Reading,
  type Records,
  type Skipped,
} from '../parsing/records.ts';
import { flagIn, time, timeIn } from '../parsing/fields.ts';
import { addressWithin, checkPageText, LINE, PARAGRAPH, textWithin } from '../parsing/limits.ts';

/** One page of `GET /api/v1/items`. */
export interface ItemsAnswer {
  items: Item[];
  hasMore: boolean;
  /** Set if `hasMore`. Valid only for the same query, and for less than a day. */
  nextCursor: string | null;
  /** It says both that it is the last page and where the next one is: what it lacks need not be missing. */
  contradicts: boolean;
  skipped: Skipped[];
}

/** One page of `GET /api/v1/selected/snapshot`. */
export interface SnapshotPage {
  asOf: string | null;
  /** Use the cursor of the first page for changes, once the last page is stored. */
  cursor: string;
  /** The size of this page or of the whole set (observed-2-count). */
  count: number | null;
  hasMore: boolean;
  /** Set if `hasMore`. */
  nextPage: string | null;
  items: Item[];
  skipped: Skipped[];
}

export type Change =
  { op: 'upsert'; changedAt: string | null; item: Item } | { op: 'remove'; changedAt: string | null; id: string };

/** One page of `GET /api/v1/selected/changes`. Apply the changes in order. */
export interface ChangesPage {
  /** For the next page or the next poll. */
  cursor: string;
  hasMore: boolean;
  changes: Change[];
  skipped: Skipped[];
}

/** The largest numbers of records that can be requested (document 1 section 8; observed-2-parameters). */
const MOST_ITEMS = 100;
const MOST_SNAPSHOT_ITEMS = 1000;

/** A field of the wrong type counts as absent, so that the rest of its record is still used. */
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

/** Only id and title are required. Unknown fields are kept, missing ones are null (observed-1-fields). */
function readItem(raw: RawRecord): Reading<Item> {
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

/** A field of the wrong type counts as absent, so that the rest of its record is still used. */
function lineOf(value: Json | undefined): string | null {
  return textWithin(value, LINE);
}

/** The items of a page, each once. Errors: `invalid_body`, `too_large`. */
function readItems(values: readonly unknown[], asked: number): Records<Item> {
  const items = distinctBy(readRecords(checkPage(values, asked), readItem), ({ id }) => id);
  checkText(items.records);
  return items;
}

/** Errors: `too_large`, see {@link checkPageText}. */
function checkText(items: readonly Item[]): void {
  checkPageText(items.map(textLength));
}

function textLength({ title, originalTitle, summary, reason }: Item): number {
  return title.length + (originalTitle?.length ?? 0) + (summary?.length ?? 0) + (reason?.length ?? 0);
}

/** The members are checked one by one, once their number is. */
const list = z.custom<unknown[]>(Array.isArray, 'is missing or not a list');
const token = z.string().min(1).nullish().catch(null);

const itemsEnvelope = z.object({
  items: list,
  page: z.object({ hasMore: flag, nextCursor: token }).nullish().catch(null),
});

/**
 * A page of which `asked` items were requested. Errors: `invalid_body` without a list of items, with far more than that,
 * or if there is more but no cursor; `too_large` if its texts are too long together.
 */
export function readItemsAnswer(value: unknown, asked = MOST_ITEMS): ItemsAnswer {
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

/**
 * Errors: those of {@link readItemsAnswer}, and `invalid_body` for a last page that has a next one: what the set lacks
 * would be removed.
 */
export function readSnapshotPage(value: unknown, asked = MOST_SNAPSHOT_ITEMS): SnapshotPage {
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

/** Errors: those of {@link readItemsAnswer}, also if there is more but the cursor is unchanged, which would never end. */
export function readChangesPage(value: unknown, requestCursor: string, asked = MOST_ITEMS): ChangesPage {
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

function readChange(raw: RawRecord): Reading<Change> {
  const checked = changeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { op, changedAt } = checked.data;
  if (op === 'upsert') return readUpsert(raw, changedAt);
  if (op === 'remove') return readRemoval(raw, changedAt);
  return skip(raw, `op ${op.slice(0, 40)} is unknown`);
}

function readUpsert(raw: RawRecord, changedAt: string | null): Reading<Change> {
  if (!isRecord(raw['item'])) return skip(raw, 'item is missing or not an object');
  const item = readItem(raw['item']);
  if ('skipped' in item) return item;
  return { record: { op: 'upsert', changedAt, item: item.record }, lost: lostFields(raw['item'], item.record) };
}

function readRemoval(raw: RawRecord, changedAt: string | null): Reading<Change> {
  const checked = removeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: { op: 'remove', changedAt, id: checked.data.id } };
}

/** If `hasMore` is missing, a next cursor or page means that there is more. */
function continuation(
  hasMore: boolean | null | undefined,
  place: string | null | undefined,
  name: string,
): { more: boolean; next: string | null } {
  const more = hasMore ?? Boolean(place);
  if (more && !place) throw brokenEnvelope(`there is more, but ${name} is missing`);
  return { more, next: more ? (place ?? null) : null };
}
