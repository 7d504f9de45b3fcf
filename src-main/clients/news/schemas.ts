import { z } from 'zod';
import type { Item } from '../../contract/model/item.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  isRecord,
  readRecords,
  skip,
  skipFor,
  unknownMembers,
  type RawRecord,
  type Reading,
  type Skipped,
} from '../parsing/records.ts';

/** One page of `GET /api/v1/items`. */
export interface ItemsAnswer {
  items: Item[];
  hasMore: boolean;
  /** Not null where there is more. Bound to its query; not to be kept across days. */
  nextCursor: string | null;
  skipped: Skipped[];
}

/** One page of `GET /api/v1/selected/snapshot`. */
export interface SnapshotPage {
  asOf: string | null;
  /** The watermark of the snapshot: keep the first page's, use it for changes after the last page is stored. */
  cursor: string;
  /** As the service says, of this page or of the whole set; null if it does not. */
  count: number | null;
  hasMore: boolean;
  /** Not null where there is more. */
  nextPage: string | null;
  items: Item[];
  skipped: Skipped[];
}

export type Change =
  { op: 'upsert'; changedAt: string | null; item: Item } | { op: 'remove'; changedAt: string | null; id: string };

/** One page of `GET /api/v1/selected/changes`, in the order in which it is to be applied. */
export interface ChangesPage {
  /** Where the next page, or the next poll, goes on. */
  cursor: string;
  hasMore: boolean;
  changes: Change[];
  skipped: Skipped[];
}

/** A field of the wrong type counts as absent, so that it does not lose the rest of its record. */
const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

/** The contract's own bound: an item that no call could name is no use. NUL ends a text in too many places to be a key. */
const id = z
  .string('is missing or no text')
  .min(1, 'is empty')
  .max(512, 'is longer than 512 characters')
  .refine((value) => !value.includes('\0'), 'holds a NUL character');

const sourceFields = z.object({ name: text });
const linksFields = z.object({ original: text, aihot: text });
const attributionFields = z.object({ name: text, url: text });

const itemFields = z.object({
  id,
  title: z.string('is missing or no text'),
  originalTitle: text,
  summary: text,
  source: sourceFields.nullish().catch(null),
  links: linksFields.nullish().catch(null),
  publishedAt: text,
  discoveredAt: text,
  category: text,
  score: number,
  selected: flag,
  reason: text,
  attribution: attributionFields.nullish().catch(null),
});

const ITEM_FIELDS = new Set(Object.keys(itemFields.shape));
const SOURCE_FIELDS = new Set(Object.keys(sourceFields.shape));
const LINKS_FIELDS = new Set(Object.keys(linksFields.shape));
const ATTRIBUTION_FIELDS = new Set(Object.keys(attributionFields.shape));

/** An item needs an id and a title; whatever else it has is kept, whatever it lacks is null (sheet 3, "Item"). */
function readItem(raw: RawRecord): Reading<Item> {
  const checked = itemFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: toItem(raw, checked.data) };
}

function toItem(raw: RawRecord, { source, links, attribution, ...fields }: z.output<typeof itemFields>): Item {
  return {
    id: fields.id,
    title: fields.title,
    originalTitle: fields.originalTitle ?? null,
    summary: fields.summary ?? null,
    source: { ...unknownMembers(raw['source'], SOURCE_FIELDS), name: source?.name ?? null },
    links: {
      ...unknownMembers(raw['links'], LINKS_FIELDS),
      original: links?.original ?? null,
      aihot: links?.aihot ?? null,
    },
    publishedAt: fields.publishedAt ?? null,
    discoveredAt: fields.discoveredAt ?? null,
    category: fields.category ?? null,
    score: fields.score ?? null,
    selected: fields.selected ?? null,
    reason: fields.reason ?? null,
    attribution: attribution
      ? {
          ...unknownMembers(raw['attribution'], ATTRIBUTION_FIELDS),
          name: attribution.name ?? null,
          url: attribution.url ?? null,
        }
      : null,
    extra: unknownMembers(raw, ITEM_FIELDS),
  };
}

const list = z.array(z.unknown(), 'is missing or no list');
const token = z.string().min(1).nullish().catch(null);

const itemsEnvelope = z.object({
  items: list,
  page: z.object({ hasMore: flag, nextCursor: token }).nullish().catch(null),
});

/** Errors: `invalid_body` for an answer without a list of items, or with more to come and no cursor to it. */
export function readItemsAnswer(value: unknown): ItemsAnswer {
  const { items, page } = checkEnvelope(itemsEnvelope, value);
  const { records, skipped } = readRecords(items, readItem);
  const { more, next } = continuation(page?.hasMore, page?.nextCursor, 'page.nextCursor');
  return { items: records, hasMore: more, nextCursor: next, skipped };
}

const cursor = z.string('is missing or no text').min(1, 'is empty');

const snapshotEnvelope = z.object({
  asOf: text,
  cursor,
  count: number,
  hasMore: flag,
  nextPage: token,
  items: list,
});

/** Errors: `invalid_body`, also where more pages are to come and the next one is not named. */
export function readSnapshotPage(value: unknown): SnapshotPage {
  const { asOf, count, items, ...page } = checkEnvelope(snapshotEnvelope, value);
  const { records, skipped } = readRecords(items, readItem);
  const { more, next } = continuation(page.hasMore, page.nextPage, 'nextPage');
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

/** Errors: `invalid_body`, also where more changes are to come after a cursor that has not moved: that would never end. */
export function readChangesPage(value: unknown, askedWith: string): ChangesPage {
  const page = checkEnvelope(changesEnvelope, value);
  const hasMore = page.hasMore ?? false;
  if (hasMore && page.cursor === askedWith) throw brokenEnvelope('there are more changes, but the cursor stays');
  const { records, skipped } = readRecords(page.changes, readChange);
  return { cursor: page.cursor, hasMore, changes: records, skipped };
}

const changeFields = z.object({ op: z.string('is missing or no text'), changedAt: text });
const removeFields = z.object({ id });

function readChange(raw: RawRecord): Reading<Change> {
  const checked = changeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { op, changedAt = null } = checked.data;
  if (op === 'upsert') return readUpsert(raw, changedAt);
  if (op === 'remove') return readRemoval(raw, changedAt);
  return skip(raw, `op is ${op.slice(0, 40)}, which is not known`);
}

function readUpsert(raw: RawRecord, changedAt: string | null): Reading<Change> {
  if (!isRecord(raw['item'])) return skip(raw, 'item is missing or no object');
  const item = readItem(raw['item']);
  return 'record' in item ? { record: { op: 'upsert', changedAt, item: item.record } } : item;
}

function readRemoval(raw: RawRecord, changedAt: string | null): Reading<Change> {
  const checked = removeFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  return { record: { op: 'remove', changedAt, id: checked.data.id } };
}

/** Where an answer goes on. A missing flag is made up for by the presence of the next place. */
function continuation(
  hasMore: boolean | null | undefined,
  place: string | null | undefined,
  name: string,
): { more: boolean; next: string | null } {
  const more = hasMore ?? Boolean(place);
  if (more && !place) throw brokenEnvelope(`there is more, but ${name} is missing`);
  return { more, next: more ? (place ?? null) : null };
}
