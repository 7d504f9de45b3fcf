import type { Database } from 'better-sqlite3';
import type { Story } from '../../contract/model/story.ts';
import { logSchema } from '../database/corruption.ts';
import * as notifications from '../notifications/notifications.ts';
import type { Properties } from '../database/properties.ts';
import { readOrNull } from '../database/stored-json.ts';
import { reportersOf } from '../sources/reporters.ts';
import { writing } from '../sql.ts';
import * as notes from '../user-data/notes.ts';
import type { CoverageTable } from './coverage-table.ts';
import * as rankings from './rankings.ts';
import { addStoryAlias, resolveStory } from './story-aliases.ts';
import * as storyStatuses from './story-statuses.ts';

/** How long a story that is not followed, starred or ranked is kept after its last download (docs/decisions/011). */
const KEPT_MS = 30 * 24 * 3_600_000;

/** A saved story and its fetch times. Times are ms since 1970, lifetime is in ms. */
export interface StoryRecord {
  publicId: string;
  /** Null if the story was gone before its first download. */
  story: Story | null;
  etag: string | null;
  lifetime: number;
  requestedAt: number;
  fetchedAt: number;
  goneAt: number | null;
}

/** Failed requests for a story in a row: the time of the last one, and how long to wait after it. In ms. */
export interface StoryFailure {
  at: number;
  failures: number;
  backoff: number;
}

interface StoryRow {
  body: string | null;
  etag: string | null;
  lifetime: number;
  requested_at: number;
  fetched_at: number;
  gone_at: number | null;
}

/** Caching data of the response that contained the story. */
export interface StoryTerms {
  etag: string | null;
  lifetime: number;
  now: number;
}

interface StoryTables {
  coverage: CoverageTable;
  /** The properties of mirror.db. */
  mirror: Properties;
}

/**
 * The tables `story`, `story_alias` and `story_reference`. "Not modified" responses are only remembered in memory, so
 * there is one instance per connection. Write within a transaction.
 */
export class StoriesTable {
  readonly #database: Database;
  readonly #tables: StoryTables;
  /** Time and lifetime of "not modified" responses. They are not worth a write. */
  readonly #confirmed = new Map<string, { requestedAt: number; lifetime: number }>();
  readonly #find;
  readonly #put;
  readonly #putGone;
  readonly #isGiven;
  readonly #refer;
  readonly #failure;
  readonly #setFailure;
  readonly #clearFailure;

  constructor(database: Database, tables: StoryTables) {
    this.#database = database;
    this.#tables = tables;
    this.#find = database.prepare<[string], StoryRow>(
      'SELECT body, etag, lifetime, requested_at, fetched_at, gone_at FROM story WHERE public_id = ?',
    );
    this.#put = database.prepare(
      `INSERT OR REPLACE INTO story (public_id, body, etag, lifetime, requested_at, fetched_at,
         title, status, latest, latest_at, source_count, report_count, report_ids, reporters)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#putGone = database.prepare<[string, number, number, number]>(
      `INSERT INTO story (public_id, lifetime, requested_at, fetched_at, gone_at) VALUES (?, 0, ?, ?, ?)
       ON CONFLICT (public_id) DO UPDATE SET etag = NULL, lifetime = 0, requested_at = excluded.requested_at,
         gone_at = coalesce(gone_at, excluded.gone_at)`,
    );
    this.#isGiven = database
      .prepare<[string, string], number>(
        'SELECT EXISTS (SELECT 1 FROM story_reference WHERE public_id = ? UNION SELECT 1 FROM story WHERE public_id = ?)',
      )
      .pluck();
    this.#refer = database.prepare('INSERT OR IGNORE INTO story_reference (public_id) VALUES (?)');
    this.#failure = database.prepare<[string], StoryFailure>(
      `SELECT failed_at AS at, failures, backoff FROM ${logSchema(database)}.story_failure WHERE public_id = ?`,
    );
    this.#setFailure = database.prepare<[string, number, number, number]>(
      'INSERT OR REPLACE INTO fetchLog.story_failure (public_id, failed_at, failures, backoff) VALUES (?, ?, ?, ?)',
    );
    this.#clearFailure = database.prepare<[string]>('DELETE FROM fetchLog.story_failure WHERE public_id = ?');
  }

  /** Whether this id came from the service, so that it may be requested (document 1 section 4.3). */
  isGiven(publicId: string): boolean {
    return this.#isGiven.get(publicId, publicId) === 1 || storyStatuses.get(this.#database, publicId) !== null;
  }

  /** Null also for a saved story that can't be read. */
  find(publicId: string): StoryRecord | null {
    const row = this.#find.get(publicId);
    if (!row) return null;
    const { body } = row;
    const story = body === null ? null : readOrNull(this.#database, () => toStory(body));
    // Without a record, it is fetched whole.
    if (body !== null && story === null) return null;
    return {
      publicId,
      story,
      etag: row.etag,
      lifetime: row.lifetime,
      requestedAt: row.requested_at,
      fetchedAt: row.fetched_at,
      goneAt: row.gone_at,
      ...this.#confirmed.get(publicId),
    };
  }

  /** The stories to refresh: those that the current ranking links to, and those that are followed. */
  toRefresh(): string[] {
    const followed = [...storyStatuses.all(this.#database)].filter(([, { followedAt }]) => followedAt !== null);
    return [
      ...new Set([...rankings.storyIds(this.#database), ...followed.map(([id]) => resolveStory(this.#database, id))]),
    ];
  }

  /** Records ids that came from the service. */
  refer(publicIds: Iterable<string>): void {
    for (const id of publicIds) this.#refer.run(id);
  }

  /** Saves a story and the ids that it refers to. */
  store(story: Story, { etag, lifetime, now }: StoryTerms): 'added' | 'revised' | 'unchanged' {
    const before = this.#find.get(story.publicId);
    const body = JSON.stringify(story);
    this.#confirmed.delete(story.publicId);
    this.#forgive(story.publicId);
    const { title, status, latest, latestAt, sourceCount, reportCount, reports } = story;
    const ids = JSON.stringify(reports.map(({ id }) => id));
    const line = [title, status, latest, latestAt, sourceCount, reportCount, ids, JSON.stringify(reportersOf(reports))];
    this.#put.run(story.publicId, body, etag, lifetime, now, now, ...line);
    this.#tables.coverage.setStory(story);
    this.refer([story.publicId, ...[...story.storyline, ...story.related].map(({ publicId }) => publicId)]);
    if (!before || before.body === null) return 'added';
    const { body: text } = before;
    const isSame = before.gone_at === null && readOrNull(this.#database, () => isSameToReaders(text, body));
    return isSame ? 'unchanged' : 'revised';
  }

  /** The failures since the story was last fetched; null if there are none. */
  failure(publicId: string): StoryFailure | null {
    return this.#failure.get(publicId) ?? null;
  }

  /** Records another failed request, after which the story is left alone for `backoff` ms. */
  recordFailure(publicId: string, backoff: number, now: number): void {
    this.#setFailure.run(publicId, now, (this.failure(publicId)?.failures ?? 0) + 1, backoff);
  }

  /** Ends the failures of a story. Without any, nothing is written. */
  #forgive(publicId: string): void {
    if (this.failure(publicId)) this.#clearFailure.run(publicId);
  }

  /** Records that the saved story is unchanged. */
  confirm(publicId: string, { lifetime, now }: { lifetime: number; now: number }): void {
    this.#confirmed.set(publicId, { requestedAt: now, lifetime });
    this.#forgive(publicId);
  }

  /** Records that the service no longer has the story; the saved one stays. Returns false if that was known. */
  setGone(publicId: string, now: number): boolean {
    const before = this.#find.get(publicId);
    this.#confirmed.delete(publicId);
    this.#forgive(publicId);
    this.#putGone.run(publicId, now, now, now);
    return (before?.gone_at ?? null) === null;
  }

  /** Merges a story into another: its id now leads there, and its status, note and rank history move there. */
  merge(merged: string, survivor: string): void {
    this.#confirmed.delete(merged);
    this.#forgive(merged);
    this.refer([merged, survivor]);
    const db = writing(this.#database);
    addStoryAlias(db, merged, survivor);
    this.#remove(merged);
    const { mirror } = this.#tables;
    storyStatuses.move(db, merged, survivor);
    notes.moveStory(db, merged, survivor);
    rankings.mergeStory(db, merged, survivor);
    notifications.moveStory(db, mirror.get('source') ?? '', merged, survivor);
  }

  /** Removes old stories that are not followed, starred or ranked. */
  prune(now: number): void {
    const kept = new Set([...rankings.storyIds(this.#database), ...storyStatuses.all(this.#database).keys()]);
    const old = this.#database
      .prepare<[number], string>('SELECT public_id FROM story WHERE fetched_at < ?')
      .pluck()
      .all(now - KEPT_MS);
    for (const id of old) if (!kept.has(id)) this.#remove(id);
    this.#database.prepare<[number]>('DELETE FROM fetchLog.story_failure WHERE failed_at < ?').run(now - KEPT_MS);
  }

  #remove(publicId: string): void {
    this.#run('DELETE FROM story WHERE public_id = ?', publicId);
    this.#tables.coverage.removeStory(publicId);
  }

  #run(sql: string, ...bound: string[]): void {
    this.#database.prepare(sql).run(...bound);
  }
}

/** API links are ignored: they are not shown, and the demo service has another port after every start. */
function isSameToReaders(one: string, other: string): boolean {
  return one === other || withoutApiLinks(one) === withoutApiLinks(other);
}

function withoutApiLinks(body: string): string {
  const { storyline, related, ...story } = JSON.parse(body) as Story;
  const bare = [...storyline, ...related].map((neighbor) => ({ ...neighbor, links: { ...neighbor.links, api: null } }));
  return JSON.stringify([story, storyline.length, bare]);
}

/** A story that was saved before its lists were checked may have a report or a neighbour twice. */
function toStory(body: string): Story {
  const story = JSON.parse(body) as Story;
  return {
    ...story,
    reports: distinct(story.reports, ({ id }) => id),
    storyline: distinct(story.storyline, ({ publicId }) => publicId),
    related: distinct(story.related, ({ publicId }) => publicId),
  };
}

function distinct<T>(records: readonly T[], keyOf: (record: T) => string): T[] {
  const keys = new Set<string>();
  return records.filter((record) => !keys.has(keyOf(record)) && keys.add(keyOf(record)));
}
