import type { Database } from 'better-sqlite3';
import type { HotTopic, HotTopics, RankedTopic } from '../../contract/model/hot-topic.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { rankHistoryOf, type Sighting } from './rank-history.ts';
import { asTime } from '../../common/timestamp.ts';

/** How long rankings are kept (docs/decisions/011). */
const KEPT_MS = 30 * 24 * 3_600_000;

/** The front page's charts show this many rankings: with one every five minutes, about a day. */
const FRONT_RANKINGS = 300;

/** A topic with the id from its story link; null without one. */
export interface LinkedTopic {
  topic: HotTopic;
  storyId: string | null;
}

/** The differences from the previous ranking: topics added, changed and removed. */
export interface RankingChange {
  added: number;
  revised: number;
  withdrawn: number;
}

interface TopicRow {
  rank: number;
  /** The key of its rank history. */
  topic: string;
  story_id: string | null;
  body: string;
}

/** The tables `hot_topic`, `ranking` and `ranking_entry`: the current ranking, and the rank history of its topics. */
export class RankingsTable {
  readonly #database: Database;
  readonly #current;
  readonly #survivor;
  readonly #story;
  readonly #addTopic;
  readonly #rankings;
  readonly #latest;
  readonly #entries;
  readonly #newestRankings;
  readonly #newestEntries;
  readonly #addRanking;
  readonly #addEntry;
  readonly #isOutdated;
  readonly #rename;
  readonly #readAt;

  constructor(database: Database) {
    this.#database = database;
    this.#current = database.prepare<[], TopicRow>('SELECT rank, topic, story_id, body FROM hot_topic ORDER BY rank');
    this.#survivor = database.prepare<[string], string>('SELECT survivor FROM story_alias WHERE public_id = ?').pluck();
    this.#story = database.prepare<[string], { gone_at: number | null; saved: number }>(
      'SELECT gone_at, body IS NOT NULL AS saved FROM story WHERE public_id = ?',
    );
    this.#addTopic = database.prepare('INSERT INTO hot_topic (rank, topic, story_id, body) VALUES (?, ?, ?, ?)');
    this.#rankings = database.prepare<[], [number, number]>('SELECT id, at FROM ranking ORDER BY id').raw();
    this.#latest = database.prepare<[], { id: number; at: number }>(
      'SELECT id, at FROM ranking ORDER BY id DESC LIMIT 1',
    );
    this.#entries = database
      .prepare<[string], [number, number]>('SELECT ranking, rank FROM ranking_entry WHERE topic = ? ORDER BY ranking')
      .raw();
    this.#newestRankings = database
      .prepare<[number], [number, number]>(
        'SELECT id, at FROM (SELECT id, at FROM ranking ORDER BY id DESC LIMIT ?) ORDER BY id',
      )
      .raw();
    this.#newestEntries = database
      .prepare<[string, number], [number, number]>(
        'SELECT ranking, rank FROM ranking_entry WHERE topic = ? AND ranking >= ? ORDER BY ranking',
      )
      .raw();
    this.#addRanking = database.prepare('INSERT INTO ranking (at) VALUES (?)');
    // If two topics belong to one story, the better rank counts.
    this.#addEntry = database.prepare('INSERT OR IGNORE INTO ranking_entry (ranking, topic, rank) VALUES (?, ?, ?)');
    this.#isOutdated = database.prepare<[number], number>('SELECT 1 FROM ranking WHERE at < ? LIMIT 1').pluck();
    this.#rename = database.prepare('UPDATE OR IGNORE ranking_entry SET topic = ? WHERE topic = ?');
    this.#readAt = database
      .prepare<[string], number | null>(
        `SELECT read_at FROM user.item_status WHERE mirror = ${THIS_MIRROR} AND item_id = ?`,
      )
      .pluck();
  }

  /**
   * Within a transaction. Returns null, without writing, if the ranking is identical to the saved one. What has expired at
   * `expiryTime` is deleted.
   */
  replace(topics: readonly LinkedTopic[], now: number, expiryTime = now): RankingChange | null {
    const before = this.#current.all();
    const rows = this.#rowsOf(topics, before);
    const latest = this.#latest.get();
    if (latest && isSame(rows, before)) return null;
    this.#database.exec('DELETE FROM hot_topic');
    for (const { rank, topic, story_id, body } of rows) this.#addTopic.run(rank, topic, story_id, body);
    this.#joinHistories(topics, rows);
    if (!latest || !isSame(rows.map(placeOf), before.map(placeOf))) this.#keep(rows, now, expiryTime);
    return changeBetween(before, rows);
  }

  /** The stories that the current ranking links to, by their surviving ids. */
  storyIds(): string[] {
    const ids = this.#current.all().flatMap(({ story_id: id }) => (id === null ? [] : [this.#survivor.get(id) ?? id]));
    return [...new Set(ids)];
  }

  /** The topics of the current ranking by rank, with the surviving ids of their stories. */
  topics(): { rank: number; id: string; title: string; storyId: string | null }[] {
    return readable(this.#database, this.#current.all(), ({ rank, story_id: story, body }) => {
      const { id, title } = JSON.parse(body) as HotTopic;
      return { rank, id, title, storyId: story === null ? null : (this.#survivor.get(story) ?? story) };
    });
  }

  /** The topics of the current ranking as they were received. */
  current(): LinkedTopic[] {
    return readable(this.#database, this.#current.all(), ({ story_id: storyId, body }) => ({
      topic: JSON.parse(body) as HotTopic,
      storyId,
    }));
  }

  /** The current ranking, and since when it has been unchanged. */
  list(): HotTopics {
    return this.#listOf(this.#rankings.all(), (topic) => this.#entries.all(topic));
  }

  /** Like {@link list}, of the newest rankings only: bounded work, and histories that go back about a day. */
  front(): HotTopics {
    const rankings = this.#newestRankings.all(FRONT_RANKINGS);
    const oldest = rankings[0]?.[0] ?? 0;
    return this.#listOf(rankings, (topic) => this.#newestEntries.all(topic, oldest));
  }

  #listOf(rankings: readonly [id: number, at: number][], entriesOf: (topic: string) => [number, number][]): HotTopics {
    const indexes = new Map(rankings.map(([id], index) => [id, index]));
    const timeOf = (index: number): number => rankings[index]?.[1] ?? 0;
    const topics = readable(this.#database, this.#current.all(), (row) => {
      const sightings = entriesOf(row.topic).flatMap(([ranking, rank]) => {
        const index = indexes.get(ranking);
        return index === undefined ? [] : { index, rank };
      });
      return this.#ranked(row, sightings, timeOf);
    });
    return { topics, since: asTime(rankings.at(-1)?.[1] ?? null) };
  }

  /** Within a transaction: moves the rank history of a merged story to its survivor. */
  mergeStory(merged: string, survivor: string): void {
    this.#move(keyOfStory(merged), keyOfStory(survivor));
    this.#database
      .prepare('UPDATE hot_topic SET topic = ? WHERE topic = ?')
      .run(keyOfStory(survivor), keyOfStory(merged));
  }

  /** One article can lead two topics: those without a story then have keys of their own, in the order of their ranks. */
  #rowsOf(topics: readonly LinkedTopic[], before: readonly TopicRow[]): TopicRow[] {
    const stories = topics.map(({ storyId }) => storyId && keyOfStory(this.#survivor.get(storyId) ?? storyId));
    const taken = new Set(stories);
    const keyOf = ({ id }: HotTopic): string => {
      // A topic whose story link is missing for a while stays the same topic.
      const known = before.find(({ topic, body }) => !taken.has(topic) && this.#idOf(body) === id)?.topic;
      let key = known ?? keyOfItem(id);
      for (let n = 2; taken.has(key); n += 1) key = `${keyOfItem(id)} ${String(n)}`;
      taken.add(key);
      return key;
    };
    return topics.map(({ topic, storyId }, index) => ({
      rank: topic.rank,
      topic: stories[index] ?? keyOf(topic),
      story_id: storyId,
      body: JSON.stringify(topic),
    }));
  }

  #idOf(body: string): string | null {
    return readOrNull(this.#database, () => (JSON.parse(body) as HotTopic).id);
  }

  /** Joins the history of a topic that had no story before to that of its story. */
  #joinHistories(topics: readonly LinkedTopic[], rows: readonly TopicRow[]): void {
    topics.forEach(({ topic, storyId }, index) => {
      const key = rows[index]?.topic;
      const own = keyOfItem(topic.id);
      // It may be the key of another topic that the same article leads.
      const isFree = rows.every((row) => row.topic !== own);
      if (storyId !== null && key !== undefined && isFree) this.#move(own, key);
    });
  }

  #move(from: string, to: string): void {
    this.#rename.run(to, from);
    this.#database.prepare('DELETE FROM ranking_entry WHERE topic = ?').run(from);
  }

  #keep(rows: readonly TopicRow[], now: number, expiryTime: number): void {
    const { lastInsertRowid } = this.#addRanking.run(now);
    for (const { topic, rank } of rows) this.#addEntry.run(lastInsertRowid, topic, rank);
    if (this.#isOutdated.get(expiryTime - KEPT_MS) === undefined) return;
    const outdated = this.#database
      .prepare<[number, number | bigint], number>('SELECT id FROM ranking WHERE at < ? AND id <> ?')
      .pluck()
      .all(expiryTime - KEPT_MS, lastInsertRowid);
    for (const id of outdated) {
      this.#database.prepare('DELETE FROM ranking_entry WHERE ranking = ?').run(id);
      this.#database.prepare('DELETE FROM ranking WHERE id = ?').run(id);
    }
  }

  #ranked(row: TopicRow, sightings: readonly Sighting[], timeOf: (index: number) => number): RankedTopic {
    const topic = JSON.parse(row.body) as HotTopic;
    const story = row.story_id === null ? undefined : this.#story.get(this.#survivor.get(row.story_id) ?? row.story_id);
    return {
      ...topic,
      storyId: row.story_id,
      storyGoneAt: asTime(story?.gone_at ?? null),
      storySaved: story?.saved === 1,
      ...rankHistoryOf(sightings, timeOf),
      readAt: asTime(this.#readAt.get(topic.id) ?? null),
    };
  }
}

function keyOfStory(publicId: string): string {
  return `story:${publicId}`;
}

function keyOfItem(id: string): string {
  return `item:${id}`;
}

function placeOf({ rank, topic }: TopicRow): { rank: number; topic: string } {
  return { rank, topic };
}

function isSame(one: readonly object[], other: readonly object[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function changeBetween(before: readonly TopicRow[], after: readonly TopicRow[]): RankingChange {
  const bodies = new Map(before.map(({ topic, body }) => [topic, body]));
  const stays = after.filter(({ topic }) => bodies.has(topic));
  return {
    added: after.length - stays.length,
    revised: stays.filter(({ topic, body }) => bodies.get(topic) !== body).length,
    withdrawn: before.filter(({ topic }) => !after.some((row) => row.topic === topic)).length,
  };
}
