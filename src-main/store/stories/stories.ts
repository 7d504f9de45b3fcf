import { asTime, instant } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Args } from '../../contract/methods.ts';
import type { StoredStory, Story, StoryLine } from '../../contract/model/story.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { timeOf } from '../items/time-key.ts';
import * as notifications from '../notifications/notifications.ts';
import * as fetches from '../schedule/fetches.ts';
import { summarizeReporters, type Reporters } from '../sources/sources.ts';
import * as documents from '../documents.ts';
import type { DocumentLine } from '../documents.ts';
import { run, sql, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import * as notes from '../user-data/notes.ts';
import { coveredItems, coverStory, uncoverStory } from './coverage.ts';
import * as rankings from './rankings.ts';
import * as storyStatuses from './story-statuses.ts';
import { addStoryAlias, freshIn, freshReportsOf, resolveStory, type StoryStatus } from './story-statuses.ts';

export { all as statuses, resolveStory as resolve } from './story-statuses.ts';

/** How long a story that is not followed, starred or ranked is kept after its last download (docs/decisions/011). */
const KEPT_MS = 30 * 24 * 3_600_000;
const OLD = sql`SELECT id FROM document WHERE kind = 'story' AND coalesce(fetched_at, gone_at) < ?`;

export interface StoryRecord {
  publicId: string;
  story: Story | null;
  fetchedAt: number | null;
  goneAt: number | null;
}

type Which = Args<'stories.list'>['which'];

type StoryHead = Omit<StoryLine, 'publicId' | 'followedAt' | 'starredAt' | 'goneAt' | 'freshReports' | 'hot'> & {
  reportIds: string[];
  reporters: Reporters | null;
  links: Story['links'];
};

/** Returns true if the service sent this id, so that it may be requested (document 1 section 4.3). */
export function isGiven(db: Db, publicId: string): boolean {
  return documents.isNamed(db, 'story', publicId) || storyStatuses.get(db, publicId) !== null;
}

/** Returns null also for an unreadable story, which is then fetched whole. */
export function findRecord(db: Db, publicId: string): StoryRecord | null {
  const { body = null, fetchedAt = null, goneAt = null } = documents.find(db, 'story', publicId) ?? {};
  const story = body === null ? null : readOrNull(db, () => parseStory(body));
  if (story === null && (body !== null || goneAt === null)) return null;
  return { publicId, story, fetchedAt, goneAt };
}

export { findRecord as record };

export function toRefresh(db: Db): string[] {
  const followed = [...storyStatuses.all(db)].filter(([, { followedAt }]) => followedAt !== null);
  return [...new Set([...rankings.storyIds(db), ...followed.map(([id]) => resolveStory(db, id))])];
}

export function list(db: Db, which: Which): StoryLine[] {
  const statuses = storyStatuses.all(db);
  return sort(db, documents.savedLines(db, 'story'), statuses).filter((line) => isOf(which, line));
}

/** Reads only the followed stories: a mirror can have thousands of others. */
export function listFollowed(db: Db): StoryLine[] {
  const statuses = storyStatuses.all(db);
  const ids = [...statuses].filter(([, { followedAt }]) => followedAt !== null).map(([id]) => id);
  return sort(
    db,
    ids.flatMap((id) => documents.line(db, 'story', id) ?? []),
    statuses,
  );
}

function sort(db: Db, found: DocumentLine[], statuses: ReadonlyMap<string, StoryStatus>): StoryLine[] {
  const hot = new Set(rankings.storyIds(db));
  return readable(db, found, (one) => toLine(one, statuses.get(one.id) ?? null, hot.has(one.id)))
    .filter((line) => line !== null)
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

export function store(tx: Tx, story: Story, now: number): 'added' | 'revised' | 'unchanged' {
  const { db } = tx;
  const { body: before = null, goneAt = null } = documents.find(db, 'story', story.publicId) ?? {};
  const body = JSON.stringify(story);
  documents.put(db, 'story', story.publicId, { head: JSON.stringify(headOf(story)), body, fetchedAt: now });
  coverStory(tx, story);
  documents.name(db, 'story', [
    story.publicId,
    ...[...story.storyline, ...story.related].map(({ publicId }) => publicId),
  ]);
  if (before === null) return 'added';
  return goneAt === null && readOrNull(db, () => isSameToReaders(before, body)) ? 'unchanged' : 'revised';
}

export function merge(tx: Tx, merged: string, survivor: string): void {
  const { db } = tx;
  documents.name(db, 'story', [merged, survivor]);
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
  for (const id of values<string>(db, OLD, now - KEPT_MS)) if (!kept.has(id)) remove(tx, id);
  run(db, "DELETE FROM fetch WHERE name LIKE 'story/%' AND failures > 0 AND asked < ?", now - KEPT_MS);
}

function parseStory(body: string): Story {
  const story = JSON.parse(body) as Story;
  const isWhole = [story.reports, story.storyline, story.related].every((list) => Array.isArray(list));
  if (!isWhole) throw new TypeError('The story has lost lists.');
  return story;
}

function remove(tx: Tx, publicId: string): void {
  documents.empty(tx.db, 'story', publicId);
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

function headOf({ title, status, latest, latestAt, sourceCount, reportCount, reports, links }: Story): StoryHead {
  const reporters = summarizeReporters(reports);
  const reportIds = reports.map(({ id }) => id);
  return { title, status, latest, latestAt, sourceCount, reportCount, reportIds, reporters, links };
}

function toLine({ id, head, goneAt }: DocumentLine, status: StoryStatus | null, hot: boolean): StoryLine | null {
  const read = JSON.parse(head ?? 'null') as StoryHead | null;
  if (read === null) return null;
  const { reportIds, reporters: _reporters, links: _links, ...line } = read;
  const isFollowed = status !== null && status.followedAt !== null;
  return {
    ...{ publicId: id, ...line },
    followedAt: asTime(status?.followedAt ?? null),
    starredAt: asTime(status?.starredAt ?? null),
    goneAt: asTime(goneAt),
    freshReports: isFollowed ? freshReportsOf(reportIds, status).length : 0,
    hot,
  };
}

function isOf(which: Which, line: StoryLine): boolean {
  if (which === 'followed') return line.followedAt !== null;
  return which === 'all' || line.starredAt !== null;
}
