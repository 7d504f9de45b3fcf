import { LAST_RANK, storyAt, type HotTopicsAnswer } from '../../clients/news/stories.ts';
import { hidesIds, type Skipped } from '../../clients/parsing/records.ts';
import type { LinkedTopic } from '../../store/index.ts';
import { doubtAbout, saveDoubt, readDoubt } from './confirmation.ts';
import type { SyncContext, JobResult } from './sync-context.ts';

const RESOURCE = 'hotTopics';
const ADDRESS = '';

/** Document 1 section 4.2. A second answer must confirm a ranking without topics (docs/decisions/032). */
export async function syncHotTopics(context: SyncContext): Promise<JobResult> {
  const validator = context.store.queries.schedule.validator(RESOURCE, ADDRESS);
  const answer = await context.fetch(() => context.news.hotTopics({ validator }));
  const isEmpty = answer.kind === 'fresh' && answer.value.topics.length === 0;
  if (isDoubted(context, isEmpty) || answer.kind === 'notModified') {
    return { modified: false, lifetime: answer.lifetimeMs };
  }
  const topics = addUnreadable(linkTopics(answer.value), answer.value.skipped, context);
  context.recordSkipped(answer.value.skipped);
  const done = context.write(({ rankings, stories, schedule }) => {
    const change = rankings.replace(topics, context.now(), context.nowForDeleting);
    stories.refer(topics.flatMap(({ storyId }) => storyId ?? []));
    schedule.setValidator(RESOURCE, ADDRESS, answer.validator);
    return change;
  });
  context.advance(topics.length, topics.length);
  if (done) {
    context.count(done);
    context.emit('hotTopics.changed', {});
  }
  return { modified: true, lifetime: answer.lifetimeMs };
}

function isDoubted(context: SyncContext, isEmpty: boolean): boolean {
  const { queries } = context.store;
  const earlier = readDoubt(RESOURCE, queries.mirror);
  if (!isEmpty && earlier === null) return false;
  const stored = isEmpty ? queries.rankings.list().topics.length : 0;
  const doubt = doubtAbout({ stored, missing: stored, received: 0 }, earlier, context.now());
  context.write((tx) => saveDoubt(RESOURCE, doubt, tx));
  return doubt !== null;
}

/** Keeps saved topics whose records can't be read: nothing else has their ranks. */
function addUnreadable(topics: LinkedTopic[], skipped: readonly Skipped[], context: SyncContext): LinkedTopic[] {
  const unread = new Set(skipped.map(({ id }) => id));
  const hides = hidesIds(skipped);
  const isIn = ({ topic, storyId }: LinkedTopic): boolean =>
    topics.some(
      (other) =>
        other.topic.rank === topic.rank ||
        other.topic.id === topic.id ||
        (storyId !== null && other.storyId === storyId),
    );
  const lacked = context.store.queries.rankings
    .current()
    // An earlier version saved any rank.
    .filter((saved) => saved.topic.rank <= LAST_RANK && (hides || unread.has(saved.topic.id)) && !isIn(saved));
  return [...topics, ...lacked].sort((a, b) => a.topic.rank - b.topic.rank);
}

function linkTopics({ topics }: HotTopicsAnswer): LinkedTopic[] {
  return topics.map((topic) => ({ topic, storyId: storyAt(topic.links.story) }));
}
