import type { ItemContext, ItemRow, ItemStory } from '../../contract/model/item.ts';
import { asTime } from '../../common/time.ts';
import { STATUS_JOIN } from '../database/this-mirror.ts';
import { ITEM_COLUMNS, toItemRows, type ItemRecord } from '../items/item-rows.ts';
import { row, rows, sql, value, type Db } from '../sql.ts';
import * as rankings from './rankings.ts';
import * as storyStatuses from './story-statuses.ts';

const MAX_STORIES = 5;
const MAX_OF_SOURCE = 5;

interface IndexedItem {
  key: number;
  /** 0 for none. */
  source: number;
}

type NamedStory = Pick<ItemStory, 'publicId' | 'title' | 'reportCount'> & { goneAt: number | null };

const STORY = 'SELECT public_id AS publicId, title, report_count AS reportCount, gone_at AS goneAt FROM story';
const STORIES = sql`${STORY} WHERE public_id IN (SELECT story FROM coverage WHERE key = ?) AND body IS NOT NULL
  ORDER BY latest_at DESC, public_id LIMIT ?`;
const ONE_STORY = sql`${STORY} WHERE public_id = ? AND body IS NOT NULL`;
const OF_SOURCE = sql`SELECT ${ITEM_COLUMNS} FROM item_index CROSS JOIN item ON item.arrival = item_index.arrival
  ${STATUS_JOIN} WHERE item_index.source = ? AND item_index.muted = 0 AND item.id <> ?
  ORDER BY item_index.key DESC LIMIT ?`;

/** Empty for an item that is not saved, such as a result of an online search; a hot topic may name it all the same. */
export function of(db: Db, id: string): ItemContext {
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

/** Returns only the id, and the topic's title, of a story that is not saved. */
function nameStory(db: Db, publicId: string, title: string): NamedStory {
  return row<NamedStory>(db, ONE_STORY, publicId) ?? { publicId, title, reportCount: null, goneAt: null };
}

function withStatus(db: Db, { goneAt, ...story }: NamedStory): ItemStory {
  const status = storyStatuses.get(db, story.publicId);
  return { ...story, goneAt: asTime(goneAt), followedAt: asTime(status?.followedAt ?? null) };
}

/** Returns none while a first download goes on: without its index, all items would be read. */
function sameSource(db: Db, id: string, { source }: IndexedItem): ItemRow[] {
  const hasIndex = value<number>(
    db,
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = 'item_index_source'",
  );
  if (source === 0 || hasIndex === undefined) return [];
  return toItemRows(db, rows<ItemRecord>(db, OF_SOURCE, source, id, MAX_OF_SOURCE));
}
