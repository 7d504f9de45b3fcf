import { asTime } from '../../common/time.ts';
import type { HotTopic, HotTopics, RankHistory, RankedTopic } from '../../contract/model/story.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { get } from '../records.ts';
import { arrays, row, rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';
import type { Changes } from '../tx.ts';
import { resolveStory } from './story-aliases.ts';

/** Rankings are kept this long (docs/decisions/011). */
const KEPT_MS = 30 * 24 * 3_600_000;

export interface LinkedTopic {
  topic: HotTopic;
  storyId: string | null;
}

interface TopicRow {
  rank: number;
  topic: string;
  story_id: string | null;
  body: string;
}

interface Sighting {
  index: number;
  rank: number;
}

type Ranking = [id: number, at: number];
type Entry = [ranking: number, rank: number];

const FIRSTS = sql`SELECT topic, at FROM ranking CROSS JOIN ranking_entry ON ranking_entry.ranking = ranking.id
  WHERE ranking.at > ? AND ranking.at < ? AND rank = 1 ORDER BY ranking.id`;

/** Returns null, without writing, for an identical ranking. Deletes what has expired at `nowForDeleting`. */
export function replace(
  db: WritableDb,
  topics: readonly LinkedTopic[],
  now: number,
  nowForDeleting = now,
): Changes | null {
  const before = currentRows(db);
  const after = rowsOf(db, topics, before);
  const hasRanking = value<number>(db, 'SELECT 1 FROM ranking LIMIT 1') !== undefined;
  if (hasRanking && isSame(after, before)) return null;
  run(db, 'DELETE FROM hot_topic');
  for (const { rank, topic, story_id, body } of after) {
    run(db, 'INSERT INTO hot_topic (rank, topic, story_id, body) VALUES (?, ?, ?, ?)', rank, topic, story_id, body);
  }
  joinHistories(db, topics, after);
  if (!hasRanking || !isSame(after.map(placeOf), before.map(placeOf))) keep(db, after, now, nowForDeleting);
  return changeBetween(before, after);
}

export function storyIds(db: Db): string[] {
  return [...new Set(currentRows(db).flatMap(({ story_id: id }) => (id === null ? [] : [resolveStory(db, id)])))];
}

export function topics(db: Db): { rank: number; id: string; title: string; storyId: string | null }[] {
  return readable(db, currentRows(db), ({ rank, story_id: story, body }) => {
    const { id, title } = JSON.parse(body) as HotTopic;
    return { rank, id, title, storyId: story === null ? null : resolveStory(db, story) };
  });
}

export function current(db: Db): LinkedTopic[] {
  return readable(db, currentRows(db), ({ story_id: storyId, body }) => ({
    topic: JSON.parse(body) as HotTopic,
    storyId,
  }));
}

export function list(db: Db): HotTopics {
  const rankings = arrays<Ranking>(db, 'SELECT id, at FROM ranking ORDER BY id');
  const indexes = new Map(rankings.map(([id], index) => [id, index]));
  const timeOf = (index: number): number => rankings[index]?.[1] ?? 0;
  const ranked = readable(db, currentRows(db), (topic) => {
    const entries = arrays<Entry>(
      db,
      'SELECT ranking, rank FROM ranking_entry WHERE topic = ? ORDER BY ranking',
      topic.topic,
    );
    const sightings = entries.flatMap(([ranking, rank]) => {
      const index = indexes.get(ranking);
      return index === undefined ? [] : { index, rank };
    });
    return toRanked(db, topic, sightings, timeOf);
  });
  return { topics: ranked, since: asTime(rankings.at(-1)?.[1] ?? null) };
}

/** Returns the topics that were first in a time, those that were on most days first. Times are ms since 1970. */
export function leaders(
  db: Db,
  from: number,
  to: number,
  limit: number,
): { storyId: string | null; itemId: string; days: number; lastAt: number }[] {
  const firsts = rows<{ topic: string; at: number }>(db, FIRSTS, from, to);
  const byTopic = [...Map.groupBy(firsts, ({ topic }) => topic)].map(([topic, sightings]) => {
    const [, kind, id = ''] = /^(story|item):([^ ]*)/.exec(topic) ?? [];
    const days = new Set(sightings.map(({ at }) => new Date(at).toDateString())).size;
    const lastAt = Math.max(...sightings.map(({ at }) => at));
    return { storyId: kind === 'story' ? id : null, itemId: id, days, lastAt };
  });
  return byTopic.sort((a, b) => b.days - a.days || b.lastAt - a.lastAt).slice(0, limit);
}

export function mergeStory(db: WritableDb, merged: string, survivor: string): void {
  const [from, to] = [keyOfStory(merged), keyOfStory(survivor)];
  moveHistory(db, from, to);
  run(db, 'UPDATE hot_topic SET topic = ? WHERE topic = ?', to, from);
}

function currentRows(db: Db): TopicRow[] {
  return rows<TopicRow>(db, 'SELECT rank, topic, story_id, body FROM hot_topic ORDER BY rank');
}

/** One article can lead two topics: without a story, each has its own key, by rank. */
function rowsOf(db: Db, linked: readonly LinkedTopic[], before: readonly TopicRow[]): TopicRow[] {
  const stories = linked.map(({ storyId }) => storyId && keyOfStory(resolveStory(db, storyId)));
  const taken = new Set(stories);
  const idOf = (body: string): string | null => readOrNull(db, () => (JSON.parse(body) as HotTopic).id);
  const keyOf = ({ id }: HotTopic): string => {
    // A topic whose story link is missing for a while stays the same.
    const known = before.find(({ topic, body }) => !taken.has(topic) && idOf(body) === id)?.topic;
    let key = known ?? keyOfItem(id);
    for (let n = 2; taken.has(key); n += 1) key = `${keyOfItem(id)} ${String(n)}`;
    taken.add(key);
    return key;
  };
  return linked.map(({ topic, storyId }, index) => ({
    rank: topic.rank,
    topic: stories[index] ?? keyOf(topic),
    story_id: storyId,
    body: JSON.stringify(topic),
  }));
}

function joinHistories(db: WritableDb, linked: readonly LinkedTopic[], after: readonly TopicRow[]): void {
  linked.forEach(({ topic, storyId }, index) => {
    const key = after[index]?.topic;
    const own = keyOfItem(topic.id);
    // The same article may lead another topic, with this key.
    const isFree = after.every((other) => other.topic !== own);
    if (storyId !== null && key !== undefined && isFree) moveHistory(db, own, key);
  });
}

function moveHistory(db: WritableDb, from: string, to: string): void {
  run(db, 'UPDATE OR IGNORE ranking_entry SET topic = ? WHERE topic = ?', to, from);
  run(db, 'DELETE FROM ranking_entry WHERE topic = ?', from);
}

function keep(db: WritableDb, after: readonly TopicRow[], now: number, nowForDeleting: number): void {
  const { lastInsertRowid: ranking } = run(db, 'INSERT INTO ranking (at) VALUES (?)', now);
  for (const { topic, rank } of after) {
    // If two topics belong to one story, the better rank counts.
    run(db, 'INSERT OR IGNORE INTO ranking_entry (ranking, topic, rank) VALUES (?, ?, ?)', ranking, topic, rank);
  }
  const expiry = nowForDeleting - KEPT_MS;
  for (const id of values<number>(db, 'SELECT id FROM ranking WHERE at < ? AND id <> ?', expiry, ranking)) {
    run(db, 'DELETE FROM ranking_entry WHERE ranking = ?', id);
    run(db, 'DELETE FROM ranking WHERE id = ?', id);
  }
}

function toRanked(
  db: Db,
  found: TopicRow,
  sightings: readonly Sighting[],
  timeOf: (index: number) => number,
): RankedTopic {
  const topic = JSON.parse(found.body) as HotTopic;
  const read = get(db, 'read', topic.id);
  const story =
    found.story_id === null
      ? undefined
      : row<{ gone_at: number | null; saved: number }>(
          db,
          'SELECT gone_at, body IS NOT NULL AS saved FROM story WHERE public_id = ?',
          resolveStory(db, found.story_id),
        );
  return {
    ...topic,
    storyId: found.story_id,
    storyGoneAt: asTime(story?.gone_at ?? null),
    storySaved: story?.saved === 1,
    ...rankHistoryOf(sightings, timeOf),
    readAt: asTime(read !== null && read >= 0 ? read : null),
  };
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

function changeBetween(before: readonly TopicRow[], after: readonly TopicRow[]): Changes {
  const bodies = new Map(before.map(({ topic, body }) => [topic, body]));
  const stays = after.filter(({ topic }) => bodies.has(topic));
  return {
    added: after.length - stays.length,
    revised: stays.filter(({ topic, body }) => bodies.get(topic) !== body).length,
    withdrawn: before.filter(({ topic }) => !after.some((row) => row.topic === topic)).length,
  };
}

/** Takes sightings oldest first, the last one in the current ranking. Without the previous one, `moved` is null. */
export function rankHistoryOf(
  sightings: readonly Sighting[],
  timeOf: (index: number) => number,
): { history: RankHistory; moved: number | null } {
  const toTime = (index: number): string => asTime(timeOf(index)) ?? '';
  const points: RankHistory['points'] = [];
  const add = (index: number, rank: number | null): void => void points.push({ at: toTime(index), rank });
  let peak: Sighting | undefined;
  let reentries = 0;
  for (const [place, sighting] of sightings.entries()) {
    const { index, rank } = sighting;
    const [before, after] = [sightings[place - 1], sightings[place + 1]];
    if (!peak || rank < peak.rank) peak = sighting;
    const isBack = before !== undefined && before.index < index - 1;
    if (isBack) reentries += 1;
    const isLast = after === undefined || after.index > index + 1;
    const isTurn = isBack || isLast || before?.rank !== rank || after.rank !== rank;
    if (isTurn) add(index, rank);
    if (after === undefined || !isLast) continue;
    add(index + 1, null);
    if (after.index > index + 2) add(after.index - 1, null);
  }
  const [first, current] = [sightings[0], sightings.at(-1)];
  const previous = sightings.at(-2);
  const stayed = previous !== undefined && previous.index + 1 === current?.index;
  return {
    history: {
      firstSeenAt: toTime(first?.index ?? 0),
      peak: { rank: peak?.rank ?? 0, at: toTime(peak?.index ?? 0) },
      reentries,
      points,
    },
    moved: stayed ? previous.rank - current.rank : null,
  };
}
