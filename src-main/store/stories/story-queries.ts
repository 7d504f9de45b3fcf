import type { Database } from 'better-sqlite3';
import type { Api } from '../../contract/api.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { StoredStory, Story, StoryLine } from '../../contract/model/story.ts';
import { noteCorruption } from '../database/corruption.ts';
import { explainStoreError } from '../database/errors.ts';
import { asTime } from '../items/item-rows.ts';
import { RankingsTable } from './rankings-table.ts';
import { StoriesTable, type StoryRecord } from './stories-table.ts';
import { freshIn, type StoryStatus } from './story-statuses-table.ts';

type Which = Api['stories.list']['args']['which'];

interface LineRow {
  public_id: string;
  body: string;
  gone_at: number | null;
}

/** Every question of the reader about stories. Errors of all: as the store's. */
export class StoryQueries {
  readonly #database: Database;
  readonly #stories: StoriesTable;
  readonly #rankings: RankingsTable;
  readonly #lines;

  constructor(database: Database) {
    this.#database = database;
    this.#stories = new StoriesTable(database);
    this.#rankings = new RankingsTable(database);
    this.#lines = database.prepare<[], LineRow>('SELECT public_id, body, gone_at FROM story WHERE body IS NOT NULL');
  }

  /** The one with the newest development first. */
  list(which: Which): StoryLine[] {
    return this.#explained(() => {
      const marks = this.#stories.marks.all();
      const hot = new Set(this.#rankings.storyIds());
      return this.#lines
        .all()
        .map((row) => toLine(row, marks.get(row.public_id) ?? null, hot.has(row.public_id)))
        .filter((line) => isOf(which, line))
        .sort((a, b) => latestOf(b) - latestOf(a) || (a.publicId < b.publicId ? -1 : 1));
    });
  }

  /** What is stored of a story, or of the one that it was merged into. Errors: also `not_found`. */
  get(publicId: string): StoredStory {
    const stored = this.#explained(() => this.find(publicId));
    if (stored) return stored;
    throw new BroadsheetError('not_found', 'This story is not stored: it was never opened here, or it is gone.');
  }

  find(publicId: string): StoredStory | null {
    const id = this.#stories.resolve(publicId);
    const record = this.#stories.find(id);
    return record?.story ? toStored(record, record.story, this.#stories.marks.get(id)) : null;
  }

  #explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      noteCorruption(error, this.#database);
      throw explainStoreError(error);
    }
  }
}

function toStored(record: StoryRecord, story: Story, mark: StoryStatus | null): StoredStory {
  return {
    ...story,
    fetchedAt: asTime(record.fetchedAt) ?? '',
    goneAt: asTime(record.goneAt),
    followedAt: asTime(mark?.followedAt ?? null),
    starredAt: asTime(mark?.starredAt ?? null),
    fresh: freshIn(story, mark),
  };
}

function toLine({ public_id, body, gone_at }: LineRow, mark: StoryStatus | null, hot: boolean): StoryLine {
  const story = JSON.parse(body) as Story;
  return {
    publicId: public_id,
    title: story.title,
    status: story.status,
    latest: story.latest,
    latestAt: story.latestAt,
    sourceCount: story.sourceCount,
    reportCount: story.reportCount,
    followedAt: asTime(mark?.followedAt ?? null),
    starredAt: asTime(mark?.starredAt ?? null),
    goneAt: asTime(gone_at),
    freshReports: freshIn(story, mark).reportIds.length,
    hot,
  };
}

function isOf(which: Which, line: StoryLine): boolean {
  if (which === 'hot') return line.hot;
  if (which === 'followed') return line.followedAt !== null;
  return which === 'all' || line.starredAt !== null;
}

/** Stories without a time that can be read come last. */
function latestOf({ latestAt }: StoryLine): number {
  const ms = latestAt === null ? NaN : Date.parse(latestAt);
  return Number.isNaN(ms) ? -Infinity : ms;
}
