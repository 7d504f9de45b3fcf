import type { Answer } from '../../clients/http/client.ts';
import { addRequests } from '../../clients/http/service-error.ts';
import { storyAt, type StoryAnswer } from '../../clients/news/stories.ts';
import type { StoryFailure, StoryRecord } from '../../store/index.ts';
import { isEmptied, NO_CHANGE, savedAs, syncDocuments, type FetchPorts, type RecordKind } from './documents.ts';
import { fetchesValid, type JobResult, type SyncContext, type Urgency } from './sync-context.ts';

const HOUR = 3_600_000;
const AFTER_YIELDING = 5_000;
/** The rest waits for the next sync; the least recently fetched come first. */
const MAX_A_ROUND = 20;
const SETTLED = HOUR;
const GONE = 6 * HOUR;

/** Saves the ranking's stories and those that the user follows, for offline reading (document 1 section 4.3). */
export async function syncStories(context: SyncContext): Promise<JobResult> {
  const { ids, all } = storiesToFetch(context);
  const { stories } = context.store.queries;
  // A story that was merged into another one may have brought that.
  const isStillDue = (id: string): boolean =>
    isStoryDue(stories.record(stories.resolve(id)), context.now(), context.urgency);
  const { modified, failed, isWhole } = await syncDocuments(context, STORY, ids, isStillDue);
  if (!isWhole) return { modified, lifetime: 0, again: AFTER_YIELDING };
  // If all failed, the cause is hardly a single story.
  if (failed[0] && failed.length === all) throw failed[0];
  context.write((tx) => {
    tx.stories.prune(context.nowForDeleting);
  });
  // Each story has its own lifetime.
  return { modified, lifetime: 0 };
}

function storiesToFetch(context: SyncContext): { ids: string[]; all: number } {
  const { urgency, store } = context;
  const { stories } = store.queries;
  const now = context.now();
  const all = stories.toRefresh();
  const ids = all
    .map((id) => ({ id, record: stories.record(id), failure: stories.failure(id) }))
    .filter(({ record, failure }) => mayTry(failure, urgency, now) && isStoryDue(record, now, urgency))
    .sort((a, b) => triesOf(a) - triesOf(b) || (a.record?.requestedAt ?? 0) - (b.record?.requestedAt ?? 0))
    .slice(0, MAX_A_ROUND)
    .map(({ id }) => id);
  return { ids, all: all.length };
}

function triesOf({ failure }: { failure: StoryFailure | null }): number {
  return failure?.failures ?? 0;
}

function mayTry(failure: StoryFailure | null, urgency: Urgency, now: number): boolean {
  return failure === null || fetchesValid(urgency) || Math.abs(now - failure.at) >= failure.backoff;
}

function isStoryDue(record: StoryRecord | null, now: number, urgency: Urgency): boolean {
  if (record === null || fetchesValid(urgency)) return true;
  const rest = urgency === 'due' ? restOf(record) : 0;
  return hasExpired(record, now, rest);
}

export function hasExpired({ requestedAt, lifetime }: StoryRecord, now: number, rest = 0): boolean {
  return now < requestedAt || now >= requestedAt + Math.max(lifetime, rest);
}

function restOf({ goneAt, story }: StoryRecord): number {
  if (goneAt !== null) return GONE;
  return story?.status === 'settled' ? SETTLED : 0;
}

/** Document 1 sections 3 and 4.3. Only for ids that came from the service. */
export const STORY: RecordKind<StoryAnswer> = {
  name: 'story',
  get: requestStory,
  etag: ({ stories }, id) => {
    const saved = stories.record(id);
    return saved?.story && saved.goneAt === null ? saved.etag : null;
  },
  size: ({ story }) => story.reports.length,
  parts: {
    noun: 'reports',
    saved: ({ stories }, { story }) => stories.record(story.publicId)?.story?.reports.length ?? 0,
    isLoss: isEmptied,
  },
  save: ({ stories }, id, { story }, terms) => {
    const merged = story.publicId === id ? [] : [id];
    for (const one of merged) stories.merge(one, story.publicId);
    const outcome = stories.store(story, terms);
    const changed = outcome === 'unchanged' ? merged : [story.publicId, ...merged];
    return savedAs(merged.length > 0 && outcome === 'unchanged' ? 'revised' : outcome, changed);
  },
  confirm: ({ stories }, id, terms) => stories.confirm(id, terms),
  setGone: ({ stories }, id, now) =>
    stories.setGone(id, now) ? { ...NO_CHANGE, withdrawn: 1, changed: [id] } : NO_CHANGE,
  announce: (emit, publicIds) => emit('stories.changed', { publicIds }),
  failures: ({ stories }, id) => stories.failure(id)?.failures ?? 0,
  recordFailure: ({ stories }, id, backoff, now) => stories.recordFailure(id, backoff, now),
};

async function requestStory(
  { news, isSync: bulk }: FetchPorts,
  id: string,
  validator: string | undefined,
): Promise<Answer<StoryAnswer>> {
  const answer = await news.story(id, { validator, bulk });
  if (answer.kind === 'fresh' || (storyAt(answer.address) ?? id) === id) return answer;
  // "Not modified" refers to another story than the saved one.
  return addRequests(answer.requests, news.story(id, { bulk }));
}
