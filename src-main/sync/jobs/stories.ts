import type { Answer } from '../../clients/http/client.ts';
import { addRequests } from '../../clients/http/service-error.ts';
import { storyAt, type StoryAnswer } from '../../clients/news/stories.ts';
import type { Queries, ScheduleState } from '../../store/index.ts';
import { emptiedOf } from './confirmation.ts';
import { fetchName, NO_CHANGE, savedAs, syncDocuments, type DocumentKind, type FetchPorts } from './documents.ts';
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
  const isStillDue = (id: string): boolean => isStoryDue(context, stories.resolve(id));
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
  const { stories, fetches } = store.queries;
  const now = context.now();
  const all = stories.toRefresh();
  const ids = all
    .map((id) => ({ id, fetch: fetches.state(fetchName(STORY, id)) }))
    .filter(({ id, fetch }) => mayTry(fetch, urgency, now) && isStoryDue(context, id))
    .sort((a, b) => triesOf(a) - triesOf(b) || (a.fetch?.answeredAt ?? 0) - (b.fetch?.answeredAt ?? 0))
    .slice(0, MAX_A_ROUND)
    .map(({ id }) => id);
  return { ids, all: all.length };
}

function triesOf({ fetch }: { fetch: ScheduleState | null }): number {
  return fetch?.failures ?? 0;
}

function mayTry(fetch: ScheduleState | null, urgency: Urgency, now: number): boolean {
  if (fetch === null || fetch.failures === 0 || fetchesValid(urgency)) return true;
  return Math.abs(now - fetch.requestedAt) >= fetch.dueAt - fetch.requestedAt;
}

function isStoryDue(context: SyncContext, id: string): boolean {
  const { urgency, store } = context;
  return fetchesValid(urgency) || hasExpired(store.queries, id, context.now(), urgency === 'due');
}

/** A story that is settled or gone may rest longer than its lifetime. */
export function hasExpired({ stories, fetches }: Queries, id: string, now: number, mayRest = false): boolean {
  const record = stories.record(id);
  const fetch = fetches.state(fetchName(STORY, id));
  if (!record || !fetch || fetch.answeredAt === null) return true;
  const { goneAt, story } = record;
  const rest = goneAt !== null ? GONE : story?.status === 'settled' ? SETTLED : 0;
  return now < fetch.answeredAt || now >= fetch.answeredAt + Math.max(fetch.lifetime, mayRest ? rest : 0);
}

/** Document 1 sections 3 and 4.3. Only for ids that came from the service. */
export const STORY: DocumentKind<StoryAnswer> = {
  name: 'story',
  get: requestStory,
  address: ({ stories }, id) => {
    const saved = stories.record(id);
    return saved?.story && saved.goneAt === null ? '' : null;
  },
  idOf: ({ story }) => story.publicId,
  size: ({ story }) => story.reports.length,
  lossIn: ({ stories }, { story }) =>
    emptiedOf('reports', stories.record(story.publicId)?.story?.reports.length ?? 0, story.reports.length),
  save: ({ stories }, id, { story }, now) => {
    const merged = story.publicId === id ? [] : [id];
    for (const one of merged) stories.merge(one, story.publicId);
    const outcome = stories.store(story, now);
    const changed = outcome === 'unchanged' ? merged : [story.publicId, ...merged];
    return savedAs(merged.length > 0 && outcome === 'unchanged' ? 'revised' : outcome, changed);
  },
  setGone: ({ documents }, id, now) =>
    documents.setGone('story', id, now) ? { ...NO_CHANGE, withdrawn: 1, changed: [id] } : NO_CHANGE,
  announce: (emit, publicIds) => emit('stories.changed', { publicIds }),
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
