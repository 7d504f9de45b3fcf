import { asTime } from '../../common/time.ts';
import type { HotTopic, HotTopics, RankHistory, RankedTopic } from '../../contract/model/story.ts';
import { readOrNull } from '../database/stored-json.ts';
import * as documents from '../documents.ts';
import { get } from '../records.ts';
import { arrays, rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';
import type { Changes } from '../tx.ts';
import { resolveStory } from './story-statuses.ts';

/** Rankings are kept this long (docs/decisions/011). */
const KEPT_MS = 30 * 24 * 3_600_000;

export interface LinkedTopic {
  topic: HotTopic;
  storyId: string | null;
}

/** One of the current ranking; `key` names it in earlier ones. */
interface SavedTopic extends LinkedTopic {
  key: string;
}

interface Sighting {
  index: number;
  rank: number;
}

type Ranking = [id: number, at: number];
type Entry = [ranking: number, rank: number];

const FIRSTS = sql`SELECT topic, at FROM ranking CROSS JOIN ranking_entry ON ranking_entry.ranking = ranking.id
  WHERE ranking.at > ? AND ranking.at < ? AND rank = 1 ORDER BY ranking.id`;

/** Names its stories. Returns null for an identical ranking. Deletes what has expired at `nowForDeleting`. */
export function replace(
  db: WritableDb,
  topics: readonly LinkedTopic[],
  now: number,
  nowForDeleting = now,
): Changes | null {
  const storyIds = topics.flatMap(({ storyId }) => storyId ?? []);
  documents.name(db, 'story', storyIds);
  const before = current(db);
  const after = withKeys(db, topics, before);
  const hasRanking = value<number>(db, 'SELECT 1 FROM ranking LIMIT 1') !== undefined;
  if (hasRanking && isSame(after, before)) return null;
  save(db, after, now);
  joinHistories(db, after);
  if (!hasRanking || !isSame(after.map(placeOf), before.map(placeOf))) keep(db, after, now, nowForDeleting);
  return changeBetween(before, after);
}

export function isSaved(db: Db): boolean {
  return saved(db) !== null;
}

export function storyIds(db: Db): string[] {
  return [...new Set(current(db).flatMap(({ storyId }) => (storyId === null ? [] : [resolveStory(db, storyId)])))];
}

export function topics(db: Db): { rank: number; id: string; title: string; storyId: string | null }[] {
  return current(db).map(({ topic: { rank, id, title }, storyId }) => {
    return { rank, id, title, storyId: storyId === null ? null : resolveStory(db, storyId) };
  });
}

export function current(db: Db): SavedTopic[] {
  return saved(db) ?? [];
}

export function list(db: Db): HotTopics {
  const rankings = arrays<Ranking>(db, 'SELECT id, at FROM ranking ORDER BY id');
  const indexes = new Map(rankings.map(([id], index) => [id, index]));
  const timeOf = (index: number): number => rankings[index]?.[1] ?? 0;
  const ranked = current(db).map((topic) => {
    const entries = arrays<Entry>(
      db,
      'SELECT ranking, rank FROM ranking_entry WHERE topic = ? ORDER BY ranking',
      topic.key,
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
  const topics = current(db);
  if (!topics.some(({ key }) => key === from)) return;
  const fetchedAt = documents.find(db, 'hotTopics', '')?.fetchedAt ?? null;
  const moved = topics.map((topic) => (topic.key === from ? { ...topic, key: to } : topic));
  save(db, moved, fetchedAt);
}

function saved(db: Db): SavedTopic[] | null {
  const body = documents.find(db, 'hotTopics', '')?.body ?? null;
  return body === null ? null : readOrNull(db, () => JSON.parse(body) as SavedTopic[]);
}

function save(db: WritableDb, topics: readonly SavedTopic[], fetchedAt: number | null): void {
  documents.put(db, 'hotTopics', '', { head: null, body: JSON.stringify(topics), fetchedAt });
}

/** One article can lead two topics: without a story, each has its own key, by rank. */
function withKeys(db: Db, linked: readonly LinkedTopic[], before: readonly SavedTopic[]): SavedTopic[] {
  const stories = linked.map(({ storyId }) => storyId && keyOfStory(resolveStory(db, storyId)));
  const taken = new Set(stories);
  const keyOf = ({ id }: HotTopic): string => {
    // A topic whose story link is missing for a while stays the same.
    const known = before.find(({ key, topic }) => !taken.has(key) && topic.id === id)?.key;
    let key = known ?? keyOfItem(id);
    for (let n = 2; taken.has(key); n += 1) key = `${keyOfItem(id)} ${String(n)}`;
    taken.add(key);
    return key;
  };
  return linked.map(({ topic, storyId }, index) => ({ key: stories[index] ?? keyOf(topic), storyId, topic }));
}

function joinHistories(db: WritableDb, after: readonly SavedTopic[]): void {
  for (const { topic, storyId, key } of after) {
    const own = keyOfItem(topic.id);
    // The same article may lead another topic, with this key.
    const isFree = after.every((other) => other.key !== own);
    if (storyId !== null && isFree) moveHistory(db, own, key);
  }
}

function moveHistory(db: WritableDb, from: string, to: string): void {
  run(db, 'UPDATE OR IGNORE ranking_entry SET topic = ? WHERE topic = ?', to, from);
  run(db, 'DELETE FROM ranking_entry WHERE topic = ?', from);
}

function keep(db: WritableDb, after: readonly SavedTopic[], now: number, nowForDeleting: number): void {
  const { lastInsertRowid: ranking } = run(db, 'INSERT INTO ranking (at) VALUES (?)', now);
  for (const { key, rank } of after.map(placeOf)) {
    // If two topics belong to one story, the better rank counts.
    run(db, 'INSERT OR IGNORE INTO ranking_entry (ranking, topic, rank) VALUES (?, ?, ?)', ranking, key, rank);
  }
  const expiry = nowForDeleting - KEPT_MS;
  for (const id of values<number>(db, 'SELECT id FROM ranking WHERE at < ? AND id <> ?', expiry, ranking)) {
    run(db, 'DELETE FROM ranking_entry WHERE ranking = ?', id);
    run(db, 'DELETE FROM ranking WHERE id = ?', id);
  }
}

function toRanked(
  db: Db,
  { topic, storyId }: SavedTopic,
  sightings: readonly Sighting[],
  timeOf: (index: number) => number,
): RankedTopic {
  const read = get(db, 'read', topic.id);
  const story = storyId === null ? undefined : documents.line(db, 'story', resolveStory(db, storyId));
  return {
    ...topic,
    storyId,
    storyGoneAt: asTime(story?.goneAt ?? null),
    storySaved: story?.stored === 1,
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

function placeOf({ topic: { rank }, key }: SavedTopic): { rank: number; key: string } {
  return { rank, key };
}

function isSame(one: readonly object[], other: readonly object[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function changeBetween(before: readonly SavedTopic[], after: readonly SavedTopic[]): Changes {
  const known = new Map(before.map((topic) => [topic.key, topic]));
  const stays = after.filter(({ key }) => known.has(key));
  return {
    added: after.length - stays.length,
    revised: stays.filter((one) => !isSame([one.topic], [known.get(one.key)?.topic ?? {}])).length,
    withdrawn: before.filter(({ key }) => !after.some((one) => one.key === key)).length,
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
