import { LAST_RANK, storyAt, type HotTopicsAnswer } from '../../clients/news/stories.ts';
import { hidesIds, type Skipped } from '../../clients/parsing/records.ts';
import type { LinkedTopic, RankingChange } from '../../store/index.ts';
import { doubtAbout, saveDoubt, savedDoubt } from './confirmation.ts';
import type { Run, JobResult } from './sync-context.ts';

const RESOURCE = 'hotTopics';
const ADDRESS = '';

/**
 * Saves the current ranking and its history (document 1 section 4.2). A ranking without any topic replaces the saved
 * one only when a second answer confirms it (docs/decisions/032).
 */
export async function syncHotTopics(run: Run): Promise<JobResult> {
  const validator = run.store.queries.schedule.validator(RESOURCE, ADDRESS);
  const answer = await run.fetch(() => run.news.hotTopics({ validator }));
  const isEmpty = answer.kind === 'fresh' && answer.value.topics.length === 0;
  if (isDoubted(run, isEmpty) || answer.kind === 'notModified') {
    return { modified: false, lifetime: answer.lifetimeMs };
  }
  const topics = withLacked(linkTopics(answer.value), answer.value.skipped, run);
  run.noteSkipped(answer.value.skipped);
  const done: { change: RankingChange | null } = { change: null };
  run.write(({ rankings, stories, schedule }) => {
    done.change = rankings.replace(topics, run.now(), run.expiryTime);
    stories.refer(topics.flatMap(({ storyId }) => storyId ?? []));
    schedule.setValidator(RESOURCE, ADDRESS, answer.validator);
  });
  run.advance(topics.length, topics.length);
  if (done.change) {
    run.count(done.change);
    run.emit('hotTopics.changed', {});
  }
  return { modified: true, lifetime: answer.lifetimeMs };
}

function isDoubted(run: Run, isEmpty: boolean): boolean {
  const { queries } = run.store;
  const earlier = savedDoubt(RESOURCE, queries.mirror);
  if (!isEmpty && earlier === null) return false;
  const stored = isEmpty ? queries.rankings.list().topics.length : 0;
  const doubt = doubtAbout({ stored, missing: stored, received: 0 }, earlier, run.now());
  run.write((tx) => saveDoubt(RESOURCE, doubt, tx));
  return doubt !== null;
}

/** Keeps saved topics whose records can't be read: nothing else has their ranks. */
function withLacked(topics: LinkedTopic[], skipped: readonly Skipped[], run: Run): LinkedTopic[] {
  const unread = new Set(skipped.map(({ id }) => id));
  const hides = hidesIds(skipped);
  const isIn = ({ topic, storyId }: LinkedTopic): boolean =>
    topics.some(
      (other) =>
        other.topic.rank === topic.rank ||
        other.topic.id === topic.id ||
        (storyId !== null && other.storyId === storyId),
    );
  const lacked = run.store.queries.rankings
    .current()
    // An earlier version saved any rank.
    .filter((saved) => saved.topic.rank <= LAST_RANK && (hides || unread.has(saved.topic.id)) && !isIn(saved));
  return [...topics, ...lacked].sort((a, b) => a.topic.rank - b.topic.rank);
}

function linkTopics({ topics }: HotTopicsAnswer): LinkedTopic[] {
  return topics.map((topic) => ({ topic, storyId: storyAt(topic.links.story) }));
}
