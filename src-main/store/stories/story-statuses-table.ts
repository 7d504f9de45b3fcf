import type { Database } from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Story } from '../../contract/model/story.ts';
import { readStored } from '../database/stored-json.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';

/** The reader's status of one story. Times are ms since 1970. */
export interface StoryStatus {
  followedAt: number | null;
  starredAt: number | null;
  visitedAt: number | null;
  /** Report ids at the last visit. */
  seen: string[];
  /** A hash of the digest at the last visit; the text itself is not saved here. */
  digestSeen: string | null;
}

interface StatusRow {
  public_id: string;
  followed_at: number | null;
  starred_at: number | null;
  visited_at: number | null;
  seen: string;
  digest_seen: string | null;
}

const NO_STATUS: StoryStatus = { followedAt: null, starredAt: null, visitedAt: null, seen: [], digestSeen: null };
/** A status belongs to one service: another service may use the same id for another story. */
const OF_THIS_MIRROR = `mirror = ${THIS_MIRROR}`;

/** The rows of `story_status` in user.db that belong to the mirrored service. Write within a transaction. */
export class StoryStatusesTable {
  readonly #get;
  readonly #put;
  readonly #remove;
  readonly #all;

  constructor(database: Database) {
    this.#get = database.prepare<[string], StatusRow>(
      `SELECT * FROM user.story_status WHERE ${OF_THIS_MIRROR} AND public_id = ?`,
    );
    this.#put = database.prepare(
      `INSERT OR REPLACE INTO user.story_status (mirror, public_id, followed_at, starred_at, visited_at, seen, digest_seen)
       SELECT value, ?, ?, ?, ?, ?, ? FROM main.property WHERE name = 'source'`,
    );
    this.#remove = database.prepare(`DELETE FROM user.story_status WHERE ${OF_THIS_MIRROR} AND public_id = ?`);
    this.#all = database.prepare<[], StatusRow>(
      `SELECT * FROM user.story_status WHERE ${OF_THIS_MIRROR} ORDER BY public_id`,
    );
  }

  get(publicId: string): StoryStatus | null {
    const row = this.#get.get(publicId);
    return row ? toStatus(row) : null;
  }

  all(): Map<string, StoryStatus> {
    return new Map(this.#all.all().map((row) => [row.public_id, toStatus(row)]));
  }

  /** Everything saved of the story now counts as seen. Returns false if nothing changed. */
  follow(publicId: string, follow: boolean, story: Story | null, now: number): boolean {
    const status = this.get(publicId) ?? NO_STATUS;
    if ((status.followedAt !== null) === follow) return false;
    const seen = follow ? seenNow(story, now) : { visitedAt: null, seen: [], digestSeen: null };
    this.#save(publicId, { ...status, ...seen, followedAt: follow ? now : null });
    return true;
  }

  star(publicId: string, star: boolean, now: number): boolean {
    const status = this.get(publicId) ?? NO_STATUS;
    if ((status.starredAt !== null) === star) return false;
    this.#save(publicId, { ...status, starredAt: star ? now : null });
    return true;
  }

  /** Records a visit to a story, if it is followed. */
  visit(story: Story, now: number): void {
    const status = this.get(story.publicId);
    if (!status || status.followedAt === null) return;
    this.#save(story.publicId, { ...status, ...seenNow(story, now) });
  }

  /**
   * Moves the status of a merged story to its survivor: the earlier of two times is kept, and what was seen in either
   * counts as seen.
   */
  move(merged: string, survivor: string): void {
    const old = this.get(merged);
    if (!old) return;
    const status = this.get(survivor) ?? NO_STATUS;
    this.#remove.run(merged);
    this.#save(survivor, {
      followedAt: earlier(status.followedAt, old.followedAt),
      starredAt: earlier(status.starredAt, old.starredAt),
      visitedAt: later(status.visitedAt, old.visitedAt),
      seen: [...new Set([...status.seen, ...old.seen])],
      digestSeen: status.digestSeen ?? old.digestSeen,
    });
  }

  /** Saves a status, or removes one that is neither followed nor starred. */
  #save(publicId: string, status: StoryStatus): void {
    if (status.followedAt === null && status.starredAt === null) {
      this.#remove.run(publicId);
      return;
    }
    const { followedAt, starredAt, visitedAt, seen, digestSeen } = status;
    this.#put.run(publicId, followedAt, starredAt, visitedAt, JSON.stringify(seen), digestSeen);
  }
}

/** What is new in a followed story since the last visit. */
export function freshIn(story: Story, status: StoryStatus | null): { reportIds: string[]; digest: boolean } {
  if (!status || status.followedAt === null) return { reportIds: [], digest: false };
  const ids = story.reports.map(({ id }) => id);
  return {
    reportIds: freshReportsOf(ids, status),
    digest: story.digest !== null && digestHash(story.digest) !== status.digestSeen,
  };
}

/** The reports of a followed story that were not there at the last visit. */
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

/** The hash that is saved in place of a digest. */
export function digestHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function toStatus(row: StatusRow): StoryStatus {
  return {
    followedAt: row.followed_at,
    starredAt: row.starred_at,
    visitedAt: row.visited_at,
    seen: readStored(row.seen, z.array(z.string())) ?? [],
    digestSeen: row.digest_seen,
  };
}
