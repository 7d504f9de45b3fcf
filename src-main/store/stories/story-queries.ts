import type { Database } from 'better-sqlite3';
import type { Args } from '../../contract/methods.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { StoredStory, Story, StoryLine } from '../../contract/model/story.ts';
import { asTime } from '../../common/timestamp.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import type { CoverageTable, CoveredItem } from './coverage-table.ts';
import * as rankings from './rankings.ts';
import { resolveStory } from './story-aliases.ts';
import type { StoriesTable, StoryFailure, StoryRecord } from './stories-table.ts';
import { all as allStatuses, freshIn, freshReportsOf, get as statusOf, type StoryStatus } from './story-statuses.ts';

type Which = Args<'stories.list'>['which'];

interface LineRow {
  public_id: string;
  gone_at: number | null;
  title: string;
  status: string | null;
  latest: string | null;
  latest_at: string | null;
  source_count: number | null;
  report_count: number | null;
  /** JSON. */
  report_ids: string;
}

interface StoryQueryTables {
  stories: StoriesTable;
  coverage: CoverageTable;
}

/** Saved stories with the reader's status. */
export class StoryQueries {
  readonly #database: Database;
  readonly #stories: StoriesTable;
  readonly #coverage: CoverageTable;
  readonly #lines;
  readonly #line;

  constructor(database: Database, { stories, coverage }: StoryQueryTables) {
    this.#database = database;
    this.#stories = stories;
    this.#coverage = coverage;
    const lines = `SELECT public_id, gone_at, title, status, latest, latest_at, source_count, report_count, report_ids
       FROM story WHERE body IS NOT NULL`;
    this.#lines = database.prepare<[], LineRow>(lines);
    this.#line = database.prepare<[string], LineRow>(`${lines} AND public_id = ?`);
  }

  /** Latest development first. */
  list(which: Which): StoryLine[] {
    const statuses = allStatuses(this.#database);
    return this.#sorted(this.#lines.all(), statuses).filter((line) => isOf(which, line));
  }

  /** Like `list('followed')`, reading only the followed stories: a mirror can have thousands of others. */
  followed(): StoryLine[] {
    const statuses = allStatuses(this.#database);
    const ids = [...statuses].filter(([, { followedAt }]) => followedAt !== null).map(([id]) => id);
    return this.#sorted(
      ids.flatMap((id) => this.#line.get(id) ?? []),
      statuses,
    );
  }

  #sorted(rows: LineRow[], statuses: ReadonlyMap<string, StoryStatus>): StoryLine[] {
    const hot = new Set(rankings.storyIds(this.#database));
    return readable(this.#database, rows, (row) =>
      toLine(row, statuses.get(row.public_id) ?? null, hot.has(row.public_id)),
    )
      .map((line) => ({ line, time: latestOf(line) }))
      .sort((a, b) => b.time - a.time || (a.line.publicId < b.line.publicId ? -1 : 1))
      .map(({ line }) => line);
  }

  /** A saved story, or the one that it was merged into. Errors: `not_found`. */
  get(publicId: string): StoredStory {
    const stored = this.find(publicId);
    if (stored) return stored;
    throw new BroadsheetError('not_found', 'This story is not saved: it was never opened here or no longer exists.');
  }

  /** Like {@link get}, but null if nothing is saved. */
  find(publicId: string): StoredStory | null {
    const id = resolveStory(this.#database, publicId);
    const record = this.#stories.find(id);
    const story = record?.story;
    if (!story) return null;
    const items = this.#coverage.itemsOf(id);
    return readOrNull(this.#database, () => toStored(record, story, items, statusOf(this.#database, id)));
  }

  /** The record of exactly this id, with its fetch times. */
  record(publicId: string): StoryRecord | null {
    return this.#stories.find(publicId);
  }

  /** The failures since the story of exactly this id was last fetched; null if there are none. */
  failure(publicId: string): StoryFailure | null {
    return this.#stories.failure(publicId);
  }

  /** The id of the story that this one was merged into, else the same id. */
  resolve(publicId: string): string {
    return resolveStory(this.#database, publicId);
  }

  /** Whether this id came from the service, so that it may be requested (document 1 section 4.3). */
  isGiven(publicId: string): boolean {
    return this.#stories.isGiven(publicId);
  }

  /** The stories to refresh: those that the current ranking links to, and those that are followed. */
  toRefresh(): string[] {
    return this.#stories.toRefresh();
  }

  /** The reader's status of each story, by id. */
  statuses(): Map<string, StoryStatus> {
    return allStatuses(this.#database);
  }
}

function toStored(
  record: StoryRecord,
  story: Story,
  items: ReadonlyMap<string, CoveredItem>,
  status: StoryStatus | null,
): StoredStory {
  return {
    ...story,
    reports: story.reports.map((report) => {
      const item = items.get(report.id);
      return { ...report, itemId: item?.id ?? null, readAt: asTime(item?.read_at ?? null) };
    }),
    fetchedAt: asTime(record.fetchedAt) ?? '',
    goneAt: asTime(record.goneAt),
    followedAt: asTime(status?.followedAt ?? null),
    starredAt: asTime(status?.starredAt ?? null),
    fresh: freshIn(story, status),
  };
}

function toLine(row: LineRow, status: StoryStatus | null, hot: boolean): StoryLine {
  return {
    publicId: row.public_id,
    title: row.title,
    status: row.status,
    latest: row.latest,
    latestAt: row.latest_at,
    sourceCount: row.source_count,
    reportCount: row.report_count,
    followedAt: asTime(status?.followedAt ?? null),
    starredAt: asTime(status?.starredAt ?? null),
    goneAt: asTime(row.gone_at),
    freshReports: status ? freshReportsIn(row, status) : 0,
    hot,
  };
}

function freshReportsIn({ report_ids: ids }: LineRow, status: StoryStatus): number {
  return status.followedAt === null ? 0 : freshReportsOf(JSON.parse(ids) as string[], status).length;
}

function isOf(which: Which, line: StoryLine): boolean {
  if (which === 'hot') return line.hot;
  if (which === 'followed') return line.followedAt !== null;
  return which === 'all' || line.starredAt !== null;
}

/** Stories without a readable time come last. */
function latestOf({ latestAt }: StoryLine): number {
  const ms = latestAt === null ? NaN : Date.parse(latestAt);
  return Number.isNaN(ms) ? -Infinity : ms;
}
