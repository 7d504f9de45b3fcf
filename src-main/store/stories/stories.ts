import { asTime, instant } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Args } from '../../contract/methods.ts';
import type { StoredStory, Story, StoryLine } from '../../contract/model/story.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { timeOf } from '../items/time-key.ts';
import * as notifications from '../notifications/notifications.ts';
import * as fetches from '../schedule/fetches.ts';
import { summarizeReporters } from '../sources/sources.ts';
import { row, rows, run, sql, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import * as notes from '../user-data/notes.ts';
import { coveredItems, coverStory, uncoverStory } from './coverage.ts';
import * as rankings from './rankings.ts';
import { addStoryAlias, resolveStory } from './story-aliases.ts';
import * as storyStatuses from './story-statuses.ts';
import { freshIn, freshReportsOf, type StoryStatus } from './story-statuses.ts';

export { resolveStory as resolve } from './story-aliases.ts';
export { all as statuses } from './story-statuses.ts';

/** How long a story that is not followed, starred or ranked is kept after its last download (docs/decisions/011). */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Times are ms since 1970. */
export interface StoryRecord {
  publicId: string;
  story: Story | null;
  fetchedAt: number;
  goneAt: number | null;
}

type StoryRow = Omit<StoryRecord, 'publicId' | 'story'> & { body: string | null };

type Which = Args<'stories.list'>['which'];

type LineRow = Omit<StoryLine, 'followedAt' | 'starredAt' | 'goneAt' | 'freshReports' | 'hot'> & {
  gone_at: number | null;
  report_ids: string;
};

const LINES = `SELECT public_id AS publicId, title, status, latest, latest_at AS latestAt, source_count AS sourceCount,
  report_count AS reportCount, gone_at, report_ids FROM story WHERE body IS NOT NULL`;
const LINE = sql`${LINES} AND public_id = ?`;

/** Returns true if the service sent this id, so that it may be requested (document 1 section 4.3). */
export function isGiven(db: Db, publicId: string): boolean {
  const isKnown = value<number>(
    db,
    'SELECT EXISTS (SELECT 1 FROM story_reference WHERE public_id = ? UNION SELECT 1 FROM story WHERE public_id = ?)',
    publicId,
    publicId,
  );
  return isKnown === 1 || storyStatuses.get(db, publicId) !== null;
}

/** Returns null also for an unreadable story, which is then fetched whole. */
export function findRecord(db: Db, publicId: string): StoryRecord | null {
  const found = findRow(db, publicId);
  if (!found) return null;
  const { body, ...times } = found;
  const story = body === null ? null : readOrNull(db, () => parseStory(body));
  if (body !== null && story === null) return null;
  return { publicId, story, ...times };
}

export { findRecord as record };

export function toRefresh(db: Db): string[] {
  const followed = [...storyStatuses.all(db)].filter(([, { followedAt }]) => followedAt !== null);
  return [...new Set([...rankings.storyIds(db), ...followed.map(([id]) => resolveStory(db, id))])];
}

export function list(db: Db, which: Which): StoryLine[] {
  const statuses = storyStatuses.all(db);
  return sort(db, rows<LineRow>(db, LINES), statuses).filter((line) => isOf(which, line));
}

/** Reads only the followed stories: a mirror can have thousands of others. */
export function listFollowed(db: Db): StoryLine[] {
  const statuses = storyStatuses.all(db);
  const ids = [...statuses].filter(([, { followedAt }]) => followedAt !== null).map(([id]) => id);
  return sort(
    db,
    ids.flatMap((id) => row<LineRow>(db, LINE, id) ?? []),
    statuses,
  );
}

function sort(db: Db, found: LineRow[], statuses: ReadonlyMap<string, StoryStatus>): StoryLine[] {
  const hot = new Set(rankings.storyIds(db));
  return readable(db, found, (one) => toLine(one, statuses.get(one.publicId) ?? null, hot.has(one.publicId)))
    .map((line) => ({ line, time: instant(line.latestAt) ?? -Infinity }))
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
  const status = storyStatuses.get(db, id);
  return readOrNull(db, () => ({
    ...story,
    reports: story.reports.map((report) => {
      const item = items.get(report.id);
      const effectiveAt = item ? asTime(timeOf(item.key)) : null;
      return { ...report, itemId: item?.id ?? null, effectiveAt, readAt: asTime(item?.read_at ?? null) };
    }),
    fetchedAt: asTime(record.fetchedAt) ?? '',
    goneAt: asTime(record.goneAt),
    followedAt: asTime(status?.followedAt ?? null),
    starredAt: asTime(status?.starredAt ?? null),
    fresh: freshIn(story, status),
  }));
}

export function refer({ db }: Tx, publicIds: Iterable<string>): void {
  for (const id of publicIds) run(db, 'INSERT OR IGNORE INTO story_reference (public_id) VALUES (?)', id);
}

export function store(tx: Tx, story: Story, now: number): 'added' | 'revised' | 'unchanged' {
  const { db } = tx;
  const before = findRow(db, story.publicId);
  const body = JSON.stringify(story);
  const { title, status, latest, latestAt, sourceCount, reportCount, reports } = story;
  const ids = JSON.stringify(reports.map(({ id }) => id));
  run(
    db,
    `INSERT OR REPLACE INTO story (public_id, body, fetched_at, title, status, latest, latest_at, source_count, report_count, report_ids, reporters)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[story.publicId, body, now],
    ...[title, status, latest, latestAt, sourceCount, reportCount, ids, JSON.stringify(summarizeReporters(reports))],
  );
  coverStory(tx, story);
  refer(tx, [story.publicId, ...[...story.storyline, ...story.related].map(({ publicId }) => publicId)]);
  if (!before || before.body === null) return 'added';
  const { body: text } = before;
  const isSame = before.goneAt === null && readOrNull(db, () => isSameToReaders(text, body));
  return isSame ? 'unchanged' : 'revised';
}

/** Keeps the saved story. Returns false if it was known to be gone. */
export function setGone({ db }: Tx, publicId: string, now: number): boolean {
  const before = findRow(db, publicId);
  run(
    db,
    `INSERT INTO story (public_id, fetched_at, gone_at) VALUES (?, ?, ?)
     ON CONFLICT (public_id) DO UPDATE SET gone_at = coalesce(gone_at, excluded.gone_at)`,
    ...[publicId, now, now],
  );
  return (before?.goneAt ?? null) === null;
}

export function merge(tx: Tx, merged: string, survivor: string): void {
  const { db } = tx;
  refer(tx, [merged, survivor]);
  addStoryAlias(db, merged, survivor);
  remove(tx, merged);
  storyStatuses.move(tx, merged, survivor);
  notes.moveStory(tx, merged, survivor);
  rankings.mergeStory(db, merged, survivor);
  notifications.moveStory(db, tx.kept.service, merged, survivor);
}

export function prune(tx: Tx, now: number): void {
  const { db } = tx;
  const kept = new Set([...rankings.storyIds(db), ...storyStatuses.all(db).keys()]);
  for (const id of values<string>(db, 'SELECT public_id FROM story WHERE fetched_at < ?', now - KEPT_MS))
    if (!kept.has(id)) remove(tx, id);
  run(db, "DELETE FROM fetch WHERE name LIKE 'story/%' AND failures > 0 AND asked < ?", now - KEPT_MS);
}

function findRow(db: Db, publicId: string): StoryRow | undefined {
  return row<StoryRow>(
    db,
    'SELECT fetched_at AS fetchedAt, gone_at AS goneAt, body FROM story WHERE public_id = ?',
    publicId,
  );
}

function parseStory(body: string): Story {
  const story = JSON.parse(body) as Story;
  const isWhole = [story.reports, story.storyline, story.related].every((list) => Array.isArray(list));
  if (!isWhole) throw new TypeError('The story has lost lists.');
  return story;
}

function remove(tx: Tx, publicId: string): void {
  run(tx.db, 'DELETE FROM story WHERE public_id = ?', publicId);
  fetches.forget(tx.db, `story/${publicId}`);
  uncoverStory(tx, publicId);
}

/** Ignores API links: they are not shown, and the demo service has another port after every start. */
function isSameToReaders(one: string, other: string): boolean {
  return one === other || withoutApiLinks(one) === withoutApiLinks(other);
}

function withoutApiLinks(body: string): string {
  const { storyline, related, ...story } = JSON.parse(body) as Story;
  const bare = [...storyline, ...related].map((neighbor) => ({ ...neighbor, links: { ...neighbor.links, api: null } }));
  return JSON.stringify([story, storyline.length, bare]);
}

function toLine({ gone_at, report_ids, ...line }: LineRow, status: StoryStatus | null, hot: boolean): StoryLine {
  const isFollowed = status !== null && status.followedAt !== null;
  return {
    ...line,
    followedAt: asTime(status?.followedAt ?? null),
    starredAt: asTime(status?.starredAt ?? null),
    goneAt: asTime(gone_at),
    freshReports: isFollowed ? freshReportsOf(JSON.parse(report_ids) as string[], status).length : 0,
    hot,
  };
}

function isOf(which: Which, line: StoryLine): boolean {
  if (which === 'followed') return line.followedAt !== null;
  return which === 'all' || line.starredAt !== null;
}
