import type { ServiceError } from '../../clients/http/service-error.ts';
import type { StoryFailure, StoryRecord } from '../../store/index.ts';
import type { Run, JobResult } from './sync-context.ts';
import { fetchesValid, type Urgency } from '../schedule/types.ts';
import { fetchStory, type StoryNews } from './fetch-story.ts';
import { FailuresInARow, isOfOneRecord, recordBackoff } from './record-failures.ts';

const HOUR = 3_600_000;
const AFTER_MAKING_WAY = 5_000;
/** The rest waits for the next sync; the least recently fetched come first. */
const MOST_A_ROUND = 20;
/** Minimum time between fetches of a story that isn't expected to change. */
const SETTLED = HOUR;
const GONE = 6 * HOUR;

/** Saves the ranking's stories and those that the user follows, for offline reading (document 1 section 4.3). */
export async function syncStories(run: Run): Promise<JobResult> {
  const { ids, all } = storiesToFetch(run);
  const inARow = new FailuresInARow();
  const failed: ServiceError[] = [];
  for (const [index, id] of ids.entries()) {
    if (run.makesWay() || run.isSpent) return { modified: isModified(run), lifetime: 0, again: AFTER_MAKING_WAY };
    // A story that was merged into this one may have brought it.
    if (!isStoryDue(run.store.queries.stories.record(id), run.now(), run.urgency)) continue;
    try {
      account(run, await run.fetch(() => fetchStory(run, id)));
      inARow.end();
    } catch (error) {
      if (!isOfOneRecord(error)) throw error;
      recordFailure(run, id, error);
      failed.push(error);
      inARow.add(error);
    }
    run.advance(index + 1, ids.length);
  }
  // If all failed, the cause is hardly a single story.
  if (failed[0] && failed.length === all) throw failed[0];
  run.write(({ stories }) => {
    stories.prune(run.expiryTime);
  });
  // Each story has its own lifetime, which was checked above.
  return { modified: isModified(run), lifetime: 0 };
}

function isModified({ account: { added, revised, withdrawn } }: Run): boolean {
  return added + revised + withdrawn > 0;
}

function account(run: Run, { kind, changed, skipped }: StoryNews): void {
  run.noteSkipped(skipped);
  run.count({
    added: Number(kind === 'added'),
    revised: Number(kind === 'revised'),
    withdrawn: Number(kind === 'gone'),
  });
  if (changed.length > 0) run.emit('stories.changed', { publicIds: changed });
}

function recordFailure(run: Run, id: string, error: ServiceError): void {
  run.noteMissed(id, error);
  const failures = (run.store.queries.stories.failure(id)?.failures ?? 0) + 1;
  run.write(({ stories }) => stories.recordFailure(id, recordBackoff(error, failures), run.now()));
}

function storiesToFetch(run: Run): { ids: string[]; all: number } {
  const { stories } = run.store.queries;
  const all = stories.toRefresh();
  const ids = all
    .map((id) => ({ id, record: stories.record(id), failure: stories.failure(id) }))
    .filter(
      ({ record, failure }) => mayTry(failure, run.urgency, run.now()) && isStoryDue(record, run.now(), run.urgency),
    )
    .sort((a, b) => triesOf(a) - triesOf(b) || (a.record?.requestedAt ?? 0) - (b.record?.requestedAt ?? 0))
    .slice(0, MOST_A_ROUND)
    .map(({ id }) => id);
  return { ids, all: all.length };
}

function triesOf({ failure }: { failure: StoryFailure | null }): number {
  return failure?.failures ?? 0;
}

/** If the clock was set back, the distance counts either way. */
function mayTry(failure: StoryFailure | null, urgency: Urgency, now: number): boolean {
  return failure === null || fetchesValid(urgency) || Math.abs(now - failure.at) >= failure.backoff;
}

export function isStoryDue(record: StoryRecord | null, now: number, urgency: Urgency): boolean {
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
