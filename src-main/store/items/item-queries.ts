import { headField } from '../documents.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type {
  Item,
  ItemContext,
  ItemRow,
  ItemStory,
  OnlineResult,
  Revision,
  StoredItem,
} from '../../contract/model/item.ts';
import { readOrNull } from '../database/stored-json.ts';
import { mirrorProperties } from '../database/properties.ts';
import { mentionedModels } from '../models/mentions.ts';
import { row, rows, sql, value, type Db } from '../sql.ts';
import { joinRecord } from '../records.ts';
import { READ_AT, STARRED_AT, STATUS_JOIN } from '../statuses/status-sql.ts';
import * as rankings from '../stories/rankings.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import { ITEM_HAS_NOTE } from '../user-data/notes.ts';
import { findRecord, fromRecord, ITEM_COLUMNS, STARTED_AT, toItemRows, type ItemRecord } from './item-rows.ts';
import { revisionsOf } from './revisions.ts';
import { earliestTime, keyAt, sortTime } from './time-key.ts';

export { countStored } from './counters.ts';
export { withdrawnAt } from './gone.ts';
export { openDepartures, parkedIds, parkingOf } from './write.ts';

const NAMING = sql`SELECT ${ITEM_COLUMNS} FROM mention CROSS JOIN item_index USING (key) CROSS JOIN item USING (arrival)
  ${STATUS_JOIN} WHERE mention.model = ? AND item_index.muted = 0 ORDER BY mention.key DESC LIMIT ?`;
const KNOWN = sql`SELECT generation, revised_at, CASE WHEN unread = 0 THEN ${STARTED_AT} END AS started_at,
    (SELECT at FROM departure WHERE departure.id = item.id) AS left_at
  FROM item JOIN item_index USING (key) WHERE item.id = ?`;
const STATUS = sql`SELECT ${READ_AT} AS read_at, ${STARRED_AT} AS starred_at FROM (SELECT ? AS id) AS item ${STATUS_JOIN}`;
const IS_KEPT = sql`SELECT ${ITEM_HAS_NOTE} OR star.value IS NOT NULL
  FROM (SELECT ? AS id) AS item ${joinRecord('star', 'item.id')}`;

const BEST = sql`SELECT ${ITEM_COLUMNS} FROM item_index CROSS JOIN item USING (arrival) ${STATUS_JOIN}
  WHERE item_index.key >= ? AND item_index.key < ? AND generation > 0 AND muted = 0
  ORDER BY item.score DESC, item_index.key DESC LIMIT ?`;
const UNREAD_BELOW = 'SELECT count(*) FROM item_index WHERE key < ? AND unread = 1 AND muted = 0';

interface KnownItem {
  generation: number;
  left_at: number | null;
  revised_at: number | null;
  started_at: number | null;
}

export function get(db: Db, id: string): StoredItem {
  const record = findRecord(db, id);
  const models = mentionedModels(db, [record.key]).get(record.key) ?? [];
  const item = readOrNull(db, () => fromRecord(record, models));
  if (item) return item;
  throw new BroadsheetError('not_found', 'This saved item is damaged. It is downloaded again with the next syncs.');
}

export function revisions(db: Db, id: string): Revision[] {
  const record = findRecord(db, id);
  return revisionsOf(db, record.key, record);
}

export function listNaming(db: Db, model: string, limit: number): ItemRow[] {
  return toItemRows(db, rows<ItemRecord>(db, NAMING, model, limit));
}

/** Returns selected items of a time, the best score first. Times are ms since 1970. */
export function listBest(db: Db, from: number, to: number, limit: number): ItemRow[] {
  return toItemRows(db, rows<ItemRecord>(db, BEST, keyAt(from), keyAt(to), limit));
}

/** Counts unread items older than `at`, in ms since 1970; with what `items.markAllRead` needs for just these. */
export function unreadBefore(db: Db, at: number): { count: number; below: number; watermark: number } {
  const below = keyAt(at);
  const count = value<number>(db, UNREAD_BELOW, below) ?? 0;
  return { count, below, watermark: mirrorProperties.number(db, 'sequence') };
}

/** A status may exist without a saved item. */
export function addSavedFacts(db: Db, item: Item, now: number): OnlineResult {
  const known = row<KnownItem>(db, KNOWN, item.id);
  const status = row<{ read_at: number | null; starred_at: number | null }>(db, STATUS, item.id);
  return {
    ...item,
    effectiveAt: asTime(sortTime(item, now)) ?? '',
    stored: known !== undefined,
    inSelectedSet: known !== undefined && known.generation > 0,
    leftSelectionAt: asTime(known?.left_at ?? null),
    withdrawnAt: null,
    revisedAt: asTime(known?.revised_at ?? null),
    state: {
      readAt: asTime(status?.read_at ?? known?.started_at ?? null),
      starredAt: asTime(status?.starred_at ?? null),
    },
    models: [],
  };
}

export function isKept(db: Db, id: string): boolean {
  return value<number>(db, IS_KEPT, id) === 1;
}

/** Exempts an item from the age limit. */
export function isSavedOrKept(db: Db, id: string): boolean {
  return value<number>(db, 'SELECT 1 FROM item WHERE id = ?', id) === 1 || isKept(db, id);
}

/** Paging back through GET /items may stop at such an item. */
export function isListed(db: Db, id: string): boolean {
  return value<number>(db, 'SELECT listed FROM item JOIN item_index USING (key) WHERE id = ?', id) === 1;
}

export function lacksReason(db: Db, id: string): boolean {
  return value<number>(db, 'SELECT reason IS NULL FROM item WHERE id = ?', id) === 1;
}

export function findListedSince(db: Db, since: number, now: number): string[] {
  const listed = rows<{ id: string; published_at: string | null; discovered_at: string | null }>(
    db,
    `SELECT id, published_at, discovered_at FROM item_index JOIN item USING (arrival)
     WHERE item_index.key >= ? AND generation = 0 AND listed = 1`,
    keyAt(since),
  );
  return listed
    .filter((one) => earliestTime({ discoveredAt: one.discovered_at, publishedAt: one.published_at }, now) >= since)
    .map(({ id }) => id);
}

/** Counts listed items marked as selected. An open departure is not lacking. */
export function countMarkedSince(db: Db, since: number): { marked: number; lacking: number } {
  const found = row<{ marked: number; lacking: number }>(
    db,
    `SELECT count(*) AS marked,
       count(*) FILTER (WHERE generation = 0 AND NOT EXISTS (
         SELECT 1 FROM departure WHERE departure.id = item.id AND confirmed = 0)) AS lacking
     FROM item_index JOIN item USING (arrival) WHERE item_index.key >= ? AND listed = 1 AND item.selected = 1`,
    keyAt(since),
  );
  return found ?? { marked: 0, lacking: 0 };
}

const MAX_STORIES = 5;
const MAX_OF_SOURCE = 5;

interface IndexedItem {
  key: number;
  source: number;
}

type NamedStory = Pick<ItemStory, 'publicId' | 'title' | 'reportCount'> & { goneAt: number | null };

const STORY = `SELECT id AS publicId, ${headField('title')} AS title, ${headField('reportCount')} AS reportCount,
  gone_at AS goneAt FROM document WHERE kind = 'story' AND json_valid(head)`;
const STORIES = sql`${STORY} AND id IN (SELECT story FROM coverage WHERE key = ?)
  ORDER BY ${headField('latestAt')} DESC, id LIMIT ?`;
const ONE_STORY = sql`${STORY} AND id = ?`;
const OF_SOURCE = sql`SELECT ${ITEM_COLUMNS} FROM item_index CROSS JOIN item ON item.arrival = item_index.arrival
  ${STATUS_JOIN} WHERE item_index.source = ? AND item_index.muted = 0 AND item.id <> ?
  ORDER BY item_index.key DESC LIMIT ?`;

export function context(db: Db, id: string): ItemContext {
  const item = row<IndexedItem>(db, 'SELECT key, source FROM item JOIN item_index USING (key) WHERE id = ?', id);
  const saved = item ? rows<NamedStory>(db, STORIES, item.key, MAX_STORIES) : [];
  const topic = topicOf(db, id, new Set(saved.map(({ publicId }) => publicId)));
  const storyId = topic?.storyId ?? null;
  const isUnknown = storyId !== null && !saved.some(({ publicId }) => publicId === storyId);
  const named = topic && isUnknown ? [nameStory(db, storyId, topic.title)] : [];
  return {
    stories: [...named, ...saved].slice(0, MAX_STORIES).map((story) => withStatus(db, story)),
    topic: topic && { id: topic.id, rank: topic.rank },
    sameSource: item ? sameSource(db, id, item) : [],
  };
}

function topicOf(db: Db, id: string, stories: ReadonlySet<string>) {
  const isIts = (topic: { id: string; storyId: string | null }): boolean =>
    topic.id === id || (topic.storyId !== null && stories.has(topic.storyId));
  return rankings.topics(db).find(isIts) ?? null;
}

function nameStory(db: Db, publicId: string, title: string): NamedStory {
  return row<NamedStory>(db, ONE_STORY, publicId) ?? { publicId, title, reportCount: null, goneAt: null };
}

function withStatus(db: Db, { goneAt, ...story }: NamedStory): ItemStory {
  const status = storyStatuses.get(db, story.publicId);
  return { ...story, goneAt: asTime(goneAt), followedAt: asTime(status?.followedAt ?? null) };
}

/** Returns none during a first download: without its index, all items would be read. */
function sameSource(db: Db, id: string, { source }: IndexedItem): ItemRow[] {
  const hasIndex = value<number>(
    db,
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = 'item_index_source'",
  );
  if (source === 0 || hasIndex === undefined) return [];
  return toItemRows(db, rows<ItemRecord>(db, OF_SOURCE, source, id, MAX_OF_SOURCE));
}
