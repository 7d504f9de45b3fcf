import { ServiceError } from '../../clients/http/service-error.ts';
import type { NewsClient } from '../../clients/news/client.ts';
import { storyAt } from '../../clients/news/stories.ts';
import type { Skipped } from '../../clients/parsing/records.ts';
import { countOf } from '../../common/numbers.ts';
import type { Story } from '../../contract/model/story.ts';
import type { FetchTerms, Store, StoryFailure, StoryRecord } from '../../store/index.ts';
import { doubtAbout, readDoubt, saveDoubt } from './confirmation.ts';
import { recordBackoff } from './record-failures.ts';
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
  const failed = await context.fetchEach(ids, {
    fetch: async (id) => {
      // A story that was merged into this one may have brought it.
      if (!isStoryDue(context.store.queries.stories.record(id), context.now(), context.urgency)) return false;
      account(context, await context.fetch(() => fetchStory(context, id)));
      return true;
    },
    onFailure: (id, error) => recordFailure(context, id, error),
  });
  if (failed === null) return { modified: isModified(context), lifetime: 0, again: AFTER_YIELDING };
  // If all failed, the cause is hardly a single story.
  if (failed[0] && failed.length === all) throw failed[0];
  context.write(({ stories }) => {
    stories.prune(context.nowForDeleting);
  });
  // Each story has its own lifetime.
  return { modified: isModified(context), lifetime: 0 };
}

function isModified({ account: { added, revised, withdrawn } }: SyncContext): boolean {
  return added + revised + withdrawn > 0;
}

function account(context: SyncContext, { kind, changed, skipped }: StoryNews): void {
  context.recordSkipped(skipped);
  context.count({
    added: Number(kind === 'added'),
    revised: Number(kind === 'revised'),
    withdrawn: Number(kind === 'gone'),
  });
  if (changed.length > 0) context.emit('stories.changed', { publicIds: changed });
}

function recordFailure(context: SyncContext, id: string, error: ServiceError): void {
  const failures = (context.store.queries.stories.failure(id)?.failures ?? 0) + 1;
  context.write(({ stories }) => stories.recordFailure(id, recordBackoff(error, failures), context.now()));
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

export interface StoryPorts {
  store: Store;
  news: NewsClient;
  now(): number;
  isSync?: boolean;
}

interface StoryNews {
  kind: 'added' | 'revised' | 'unchanged' | 'gone';
  /** Also has the story that was merged into this one. */
  changed: string[];
  requests: number;
  skipped: readonly Skipped[];
}

/** A sync and the user share one request. */
const pending = new WeakMap<NewsClient, Map<string, Promise<StoryNews>>>();

/** Document 1 sections 3 and 4.3. Only for ids that came from the service. Errors: the client's, except `not_found`. */
export function fetchStory(ports: StoryPorts, publicId: string): Promise<StoryNews> {
  const id = ports.store.queries.stories.resolve(publicId);
  const calls = pending.get(ports.news) ?? new Map<string, Promise<StoryNews>>();
  pending.set(ports.news, calls);
  const going = calls.get(id);
  // Requests are counted once, for the caller that sent them.
  if (going) return going.then((news) => ({ ...news, requests: 0, skipped: [] }));
  const call = request(ports, id).finally(() => calls.delete(id));
  calls.set(id, call);
  return call;
}

async function request(ports: StoryPorts, id: string): Promise<StoryNews> {
  const stored = ports.store.queries.stories.record(id);
  try {
    return await revalidate(ports, id, validatorOf(stored));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    return setGone(ports, id, error.requests);
  }
}

function validatorOf(stored: StoryRecord | null): string | undefined {
  return stored?.story && stored.goneAt === null ? (stored.etag ?? undefined) : undefined;
}

async function revalidate(ports: StoryPorts, id: string, validator: string | undefined): Promise<StoryNews> {
  const answer = await ports.news.story(id, { validator, bulk: ports.isSync });
  const now = ports.now();
  const { requests, lifetimeMs: lifetime } = answer;
  if (answer.kind === 'fresh') {
    const { story, skipped } = answer.value;
    const merged = story.publicId === id ? [] : [id];
    const kind = storeStory(ports, merged, story, { etag: answer.validator, lifetime, now });
    const changed = kind === 'unchanged' ? merged : [story.publicId, ...merged];
    return { kind: merged.length > 0 && kind === 'unchanged' ? 'revised' : kind, changed, requests, skipped };
  }
  if ((storyAt(answer.address) ?? id) !== id) {
    // "Not modified" refers to another story than the saved one.
    const whole = await revalidate(ports, id, undefined);
    return { ...whole, requests: requests + whole.requests };
  }
  ports.store.transaction((tx) => {
    tx.stories.confirm(id, { lifetime, now });
    saveDoubt(doubtName(id), null, tx);
  });
  return { kind: 'unchanged', changed: [], requests, skipped: [] };
}

/** Errors: `invalid_body` if it lacks the saved coverage, until a second answer confirms that. */
function storeStory(
  { store }: StoryPorts,
  merged: readonly string[],
  story: Story,
  terms: FetchTerms,
): 'added' | 'revised' | 'unchanged' {
  const { publicId, reports } = story;
  const name = doubtName(publicId);
  const stored = reports.length > 0 ? 0 : (store.queries.stories.record(publicId)?.story?.reports.length ?? 0);
  const size = { saved: stored, received: 0 };
  const doubt = doubtAbout(stored > 0, size, readDoubt(name, store.queries.mirror), terms.now);
  const kind = store.transaction((tx) => {
    saveDoubt(name, doubt, tx);
    if (doubt) return null;
    for (const id of merged) tx.stories.merge(id, publicId);
    return tx.stories.store(story, terms);
  });
  if (kind !== null) return kind;
  const why = `it has none of its ${countOf(stored, 'report')}, which a later answer must confirm`;
  throw new ServiceError('invalid_body', `The story was not replaced: ${why}. The saved one stays.`, { status: 200 });
}

function doubtName(publicId: string): string {
  return `story ${publicId}`;
}

function setGone(ports: StoryPorts, id: string, requests: number): StoryNews {
  const isNew = ports.store.transaction(({ stories }) => stories.setGone(id, ports.now()));
  return { kind: isNew ? 'gone' : 'unchanged', changed: isNew ? [id] : [], requests, skipped: [] };
}
