import type { Args } from '../../contract/methods.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { StoredStory, Story, StoryLine } from '../../contract/model/story.ts';
import { asTime } from '../../common/time.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { row, rows, sql, type Db } from '../sql.ts';
import { coveredItems, type CoveredItem } from './coverage.ts';
import * as rankings from './rankings.ts';
import { findRecord, type StoryRecord } from './stories.ts';
import { resolveStory } from './story-aliases.ts';
import { all as allStatuses, freshIn, freshReportsOf, get as statusOf, type StoryStatus } from './story-statuses.ts';

export { failure, findRecord as record, isGiven, toRefresh } from './stories.ts';
export { resolveStory as resolve } from './story-aliases.ts';
export { all as statuses } from './story-statuses.ts';

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
  report_ids: string;
}

const LINES = `SELECT public_id, gone_at, title, status, latest, latest_at, source_count, report_count, report_ids
  FROM story WHERE body IS NOT NULL`;
const LINE = sql`${LINES} AND public_id = ?`;

export function list(db: Db, which: Which): StoryLine[] {
  const statuses = allStatuses(db);
  return sort(db, rows<LineRow>(db, LINES), statuses).filter((line) => isOf(which, line));
}

/** Reads only the followed stories: a mirror can have thousands of others. */
export function listFollowed(db: Db): StoryLine[] {
  const statuses = allStatuses(db);
  const ids = [...statuses].filter(([, { followedAt }]) => followedAt !== null).map(([id]) => id);
  return sort(
    db,
    ids.flatMap((id) => row<LineRow>(db, LINE, id) ?? []),
    statuses,
  );
}

function sort(db: Db, found: LineRow[], statuses: ReadonlyMap<string, StoryStatus>): StoryLine[] {
  const hot = new Set(rankings.storyIds(db));
  return readable(db, found, (one) => toLine(one, statuses.get(one.public_id) ?? null, hot.has(one.public_id)))
    .map((line) => ({ line, time: latestOf(line) }))
    .sort((a, b) => b.time - a.time || (a.line.publicId < b.line.publicId ? -1 : 1))
    .map(({ line }) => line);
}

export function get(db: Db, publicId: string): StoredStory {
  const stored = find(db, publicId);
  if (stored) return stored;
  throw new BroadsheetError('not_found', 'This story is not saved: it was never opened here or no longer exists.');
}

export function find(db: Db, publicId: string): StoredStory | null {
  const id = resolveStory(db, publicId);
  const record = findRecord(db, id);
  const story = record?.story;
  if (!story) return null;
  const items = coveredItems(db, id);
  return readOrNull(db, () => toStored(record, story, items, statusOf(db, id)));
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

/** Sorts stories without a readable time last. */
function latestOf({ latestAt }: StoryLine): number {
  const ms = latestAt === null ? NaN : Date.parse(latestAt);
  return Number.isNaN(ms) ? -Infinity : ms;
}
