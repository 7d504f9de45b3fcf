import { createHash } from 'node:crypto';
import type { Story } from '../../contract/model/story.ts';
import type { ValueOf } from '../../contract/records.ts';
import * as records from '../records.ts';
import { run, value, values, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';

export interface StoryStatus {
  followedAt: number | null;
  starredAt: number | null;
  visitedAt: number | null;
  seen: string[];
  digestSeen: string | null;
}

type Seen = ValueOf<'seen'>;

export function get(db: Db, publicId: string): StoryStatus | null {
  const followedAt = records.get(db, 'follow', publicId);
  const starredAt = records.get(db, 'story', publicId);
  if (followedAt === null && starredAt === null) return null;
  return { followedAt, starredAt, ...fromSeen(records.get(db, 'seen', publicId)) };
}

/** Without stories that were merged into others, which have their statuses. */
export function all(db: Db): Map<string, StoryStatus> {
  const followed = new Map(records.list(db, 'follow'));
  const starred = new Map(records.list(db, 'story'));
  const seen = new Map(records.list(db, 'seen'));
  const merged = new Set(values<string>(db, 'SELECT public_id FROM story_alias'));
  const ids = [...new Set([...followed.keys(), ...starred.keys()])].filter((id) => !merged.has(id));
  return new Map(
    ids.map((id) => {
      const [followedAt, starredAt] = [followed.get(id) ?? null, starred.get(id) ?? null];
      return [id, { followedAt, starredAt, ...fromSeen(seen.get(id) ?? null) }];
    }),
  );
}

/** Counts everything saved as seen. Returns false if nothing changed. */
export function follow(tx: Tx, publicId: string, on: boolean, story: Story | null, now: number): boolean {
  if (!records.turn(tx, 'follow', publicId, on ? now : null)) return false;
  setSeen(tx, publicId, on, story, now);
  return true;
}

/** Call it when the story is followed, or no longer. */
export function setSeen(tx: Tx, publicId: string, on: boolean, story: Story | null, now: number): void {
  records.set(tx, 'seen', publicId, on ? seenNow(story, now) : null);
}

export function star(tx: Tx, publicId: string, on: boolean, now: number): boolean {
  return records.turn(tx, 'story', publicId, on ? now : null);
}

export function visit(tx: Tx, story: Story, now: number): void {
  if (records.get(tx.db, 'follow', story.publicId) === null) return;
  records.set(tx, 'seen', story.publicId, seenNow(story, now));
}

/** The later act of both stays; what was seen in either story counts as seen. */
export function move(tx: Tx, merged: string, survivor: string): void {
  const service = tx.kept.service;
  for (const kind of ['follow', 'story'])
    records.adopt(tx, { kind, service, id: merged }, { kind, service, id: survivor });
  const seen = records.get(tx.db, 'seen', merged);
  if (seen) records.merge(tx, [{ kind: 'seen', service, id: survivor, value: seen }]);
}

/** Returns the survivor of a merge; the given id if no merge is known. */
export function resolveStory(db: Db, publicId: string): string {
  return value<string>(db, 'SELECT survivor FROM story_alias WHERE public_id = ?', publicId) ?? publicId;
}

/** Leads earlier merges into the story to its survivor. */
export function addStoryAlias(db: WritableDb, merged: string, survivor: string): void {
  run(db, 'DELETE FROM story_alias WHERE public_id = ?', survivor);
  run(db, 'UPDATE story_alias SET survivor = ? WHERE survivor = ?', survivor, merged);
  run(db, 'INSERT OR REPLACE INTO story_alias (public_id, survivor) VALUES (?, ?)', merged, survivor);
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

function seenNow(story: Story | null, now: number): Seen {
  const digest = story?.digest ?? null;
  return {
    at: now,
    reports: story?.reports.map(({ id }) => id) ?? [],
    digest: digest === null ? null : digestHash(digest),
  };
}

function fromSeen(seen: Seen | null): Pick<StoryStatus, 'visitedAt' | 'seen' | 'digestSeen'> {
  const { at: visitedAt = null, reports = [], digest: digestSeen = null } = seen ?? {};
  return { visitedAt, seen: reports, digestSeen };
}

export function digestHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
