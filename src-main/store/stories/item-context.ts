import type { Database } from 'better-sqlite3';
import type { ItemContext, ItemRow, ItemStory } from '../../contract/model/item.ts';
import { asTime } from '../../common/timestamp.ts';
import { STATUS_JOIN } from '../database/this-mirror.ts';
import { ITEM_COLUMNS, toItemRows, type ItemRecord } from '../items/item-rows.ts';
import * as rankings from './rankings.ts';
import * as storyStatuses from './story-statuses.ts';

/** Stories of one item that are named, and other items of its source. */
const MOST_STORIES = 5;
const MOST_OF_SOURCE = 5;

interface ItemPlace {
  key: number;
  /** The id of its source, 0 for none. */
  source: number;
}

type StoryPlace = Pick<ItemStory, 'publicId' | 'title' | 'reportCount'> & { goneAt: number | null };

/** What an item belongs to: stories, a hot topic, its source. */
export class ItemContextQueries {
  readonly #database: Database;
  readonly #place;
  readonly #stories;
  readonly #story;
  readonly #hasSourceIndex;
  readonly #ofSource;

  constructor(database: Database) {
    this.#database = database;
    this.#place = database.prepare<[string], ItemPlace>(
      'SELECT key, source FROM item JOIN item_index USING (key) WHERE id = ?',
    );
    const columns = 'public_id AS publicId, title, report_count AS reportCount, gone_at AS goneAt';
    this.#stories = database.prepare<[number, number], StoryPlace>(
      `SELECT ${columns} FROM story WHERE public_id IN (SELECT story FROM coverage WHERE key = ?) AND body IS NOT NULL
       ORDER BY latest_at DESC, public_id LIMIT ?`,
    );
    this.#story = database.prepare<[string], StoryPlace>(
      `SELECT ${columns} FROM story WHERE public_id = ? AND body IS NOT NULL`,
    );
    this.#hasSourceIndex = database
      .prepare<[], number>("SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = 'item_index_source'")
      .pluck();
    this.#ofSource = database.prepare<[number, string, number], ItemRecord>(
      `SELECT ${ITEM_COLUMNS} FROM item_index CROSS JOIN item ON item.arrival = item_index.arrival ${STATUS_JOIN}
       WHERE item_index.source = ? AND item_index.muted = 0 AND item.id <> ? ORDER BY item_index.key DESC LIMIT ?`,
    );
  }

  /** Empty for an item that is not saved, such as a result of an online search; a hot topic may name it all the same. */
  of(id: string): ItemContext {
    const place = this.#place.get(id);
    const saved = place ? this.#stories.all(place.key, MOST_STORIES) : [];
    const topic = this.#topicOf(id, new Set(saved.map(({ publicId }) => publicId)));
    const storyId = topic?.storyId ?? null;
    const isUnknown = storyId !== null && !saved.some(({ publicId }) => publicId === storyId);
    const named = topic && isUnknown ? [this.#named(storyId, topic.title)] : [];
    return {
      stories: [...named, ...saved].slice(0, MOST_STORIES).map((story) => this.#withStatus(story)),
      topic: topic && { id: topic.id, rank: topic.rank },
      sameSource: place ? this.#sameSource(id, place) : [],
    };
  }

  /** The best ranked topic that is this item, or links to one of these stories. */
  #topicOf(id: string, stories: ReadonlySet<string>) {
    return (
      rankings
        .topics(this.#database)
        .find((topic) => topic.id === id || (topic.storyId !== null && stories.has(topic.storyId))) ?? null
    );
  }

  /** The story that a topic names. It may not be saved: then only its id is known, and the topic's title. */
  #named(publicId: string, title: string): StoryPlace {
    return this.#story.get(publicId) ?? { publicId, title, reportCount: null, goneAt: null };
  }

  #withStatus({ goneAt, ...story }: StoryPlace): ItemStory {
    const status = storyStatuses.get(this.#database, story.publicId);
    return { ...story, goneAt: asTime(goneAt), followedAt: asTime(status?.followedAt ?? null) };
  }

  /** The newest of them. None while a first download goes on: without its index, all items would be read. */
  #sameSource(id: string, { source }: ItemPlace): ItemRow[] {
    if (source === 0 || this.#hasSourceIndex.get() === undefined) return [];
    const records = this.#ofSource.all(source, id, MOST_OF_SOURCE);
    return toItemRows(this.#database, records);
  }
}
