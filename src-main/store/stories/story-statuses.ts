/** A status belongs to one service: another one may use the same id for another story. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { earlierTime, laterTime } from '../../common/time.ts';
import type { Story } from '../../contract/model/story.ts';
import { readStored } from '../database/stored-json.ts';
import { THIS_MIRROR } from '../database/properties.ts';
import { row, rows, run, sql, type Db, type WritableDb } from '../sql.ts';

export interface StoryStatus {
  followedAt: number | null;
  starredAt: number | null;
  visitedAt: number | null;
  seen: string[];
  digestSeen: string | null;
}

type StatusRow = Omit<StoryStatus, 'seen'> & { publicId: string; seen: string };

const NO_STATUS: StoryStatus = { followedAt: null, starredAt: null, visitedAt: null, seen: [], digestSeen: null };
const COLUMNS = `public_id AS publicId, followed_at AS followedAt, starred_at AS starredAt, visited_at AS visitedAt, seen,
  digest_seen AS digestSeen`;
const ONE = sql`SELECT ${COLUMNS} FROM user.story_status WHERE mirror = ${THIS_MIRROR} AND public_id = ?`;
const ALL = sql`SELECT ${COLUMNS} FROM user.story_status WHERE mirror = ${THIS_MIRROR} ORDER BY public_id`;
const REMOVE = sql`DELETE FROM user.story_status WHERE mirror = ${THIS_MIRROR} AND public_id = ?`;

export function get(db: Db, publicId: string): StoryStatus | null {
  const found = row<StatusRow>(db, ONE, publicId);
  return found ? toStatus(found) : null;
}

export function all(db: Db): Map<string, StoryStatus> {
  return new Map(rows<StatusRow>(db, ALL).map((one) => [one.publicId, toStatus(one)]));
}

/** Counts everything saved as seen. Returns false if nothing changed. */
export function follow(db: WritableDb, publicId: string, on: boolean, story: Story | null, now: number): boolean {
  const status = get(db, publicId) ?? NO_STATUS;
  if ((status.followedAt !== null) === on) return false;
  const seen = on ? seenNow(story, now) : { visitedAt: null, seen: [], digestSeen: null };
  save(db, publicId, { ...status, ...seen, followedAt: on ? now : null });
  return true;
}

export function star(db: WritableDb, publicId: string, on: boolean, now: number): boolean {
  const status = get(db, publicId) ?? NO_STATUS;
  if ((status.starredAt !== null) === on) return false;
  save(db, publicId, { ...status, starredAt: on ? now : null });
  return true;
}

export function visit(db: WritableDb, story: Story, now: number): void {
  const status = get(db, story.publicId);
  if (!status || status.followedAt === null) return;
  save(db, story.publicId, { ...status, ...seenNow(story, now) });
}

/** Keeps the earlier of two times; what was seen in either story counts as seen. */
export function move(db: WritableDb, merged: string, survivor: string): void {
  const old = get(db, merged);
  if (!old) return;
  const status = get(db, survivor) ?? NO_STATUS;
  run(db, REMOVE, merged);
  save(db, survivor, {
    followedAt: earlierTime(status.followedAt, old.followedAt),
    starredAt: earlierTime(status.starredAt, old.starredAt),
    visitedAt: laterTime(status.visitedAt, old.visitedAt),
    seen: [...new Set([...status.seen, ...old.seen])],
    digestSeen: status.digestSeen ?? old.digestSeen,
  });
}

function save(db: WritableDb, publicId: string, status: StoryStatus): void {
  if (status.followedAt === null && status.starredAt === null) {
    run(db, REMOVE, publicId);
    return;
  }
  const { followedAt, starredAt, visitedAt, seen, digestSeen } = status;
  run(
    db,
    `INSERT OR REPLACE INTO user.story_status (mirror, public_id, followed_at, starred_at, visited_at, seen, digest_seen)
     SELECT value, ?, ?, ?, ?, ?, ? FROM main.property WHERE name = 'source'`,
    ...[publicId, followedAt, starredAt, visitedAt, JSON.stringify(seen), digestSeen],
  );
}

export function freshIn(story: Story, status: StoryStatus | null): { reportIds: string[]; digest: boolean } {
  if (!status || status.followedAt === null) return { reportIds: [], digest: false };
  const ids = story.reports.map(({ id }) => id);
  return {
    reportIds: freshReportsOf(ids, status),
    digest: story.digest !== null && digestHash(story.digest) !== status.digestSeen,
  };
}

export function freshReportsOf(reportIds: readonly string[], status: Pick<StoryStatus, 'seen'>): string[] {
  const seen = new Set(status.seen);
  return reportIds.filter((id) => !seen.has(id));
}

function seenNow(story: Story | null, now: number): Pick<StoryStatus, 'visitedAt' | 'seen' | 'digestSeen'> {
  const digest = story?.digest ?? null;
  return {
    visitedAt: now,
    seen: story?.reports.map(({ id }) => id) ?? [],
    digestSeen: digest === null ? null : digestHash(digest),
  };
}

export function digestHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function toStatus({ publicId: _, seen, ...status }: StatusRow): StoryStatus {
  return { ...status, seen: readStored(seen, z.array(z.string())) ?? [] };
}
