import { storyAt, type HotTopicsAnswer } from '../../clients/news/stories.ts';
import { hidesIds, type Skipped } from '../../clients/parsing/records.ts';
import type { LinkedTopic } from '../../store/index.ts';
import { emptiedOf } from './confirmation.ts';
import { NO_CHANGE, syncDocument } from './documents.ts';
import type { SyncContext, JobResult } from './sync-context.ts';

const RESOURCE = 'hotTopics';

/** Document 1 section 4.2. A second answer must confirm a ranking without topics (docs/decisions/144). */
export function syncHotTopics(context: SyncContext): Promise<JobResult> {
  return syncDocument<HotTopicsAnswer>(context, {
    name: RESOURCE,
    get: ({ news }, _id, validator) => news.hotTopics({ validator }),
    address: ({ rankings }) => (rankings.isSaved() ? '' : null),
    size: ({ topics }) => topics.length,
    lossIn: ({ rankings }, { topics }) => emptiedOf('topics', rankings.current().length, topics.length),
    save: ({ rankings }, _id, answer, now) => {
      const topics = addUnreadable(linkTopics(answer), answer.skipped, context);
      const change = rankings.replace(topics, now, context.nowForDeleting);
      return { ...NO_CHANGE, ...change, changed: change === null ? [] : [RESOURCE] };
    },
    announce: (emit) => emit('hotTopics.changed', {}),
  });
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
    .filter((saved) => (hides || unread.has(saved.topic.id)) && !isIn(saved));
  return [...topics, ...lacked].sort((a, b) => a.topic.rank - b.topic.rank);
}

function linkTopics({ topics }: HotTopicsAnswer): LinkedTopic[] {
  return topics.map((topic) => ({ topic, storyId: storyAt(topic.links.story) }));
}
