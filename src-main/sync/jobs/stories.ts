import { ServiceError } from '../../clients/http/service-error.ts';
import type { StoryRecord } from '../../store/index.ts';
import type { Run, JobResult } from './sync-context.ts';
import type { Urgency } from '../schedule/types.ts';
import { fetchStory, type StoryNews } from './fetch-story.ts';

const HOUR = 3_600_000;
/** Delay before a sync that gave way to the user continues. */
const AFTER_MAKING_WAY = 5_000;
/** Stories per sync. The rest waits for the next one; the least recently fetched come first. */
const MOST_A_ROUND = 20;
/** Minimum time between fetches of a story that isn't expected to change, if its lifetime isn't longer. */
const SETTLED = HOUR;
const GONE = 6 * HOUR;

/** Failures of a single story. Any other failure ends the sync. */
const OF_ONE_STORY = new Set([
  'invalid_body',
  'wrong_content_type',
  'too_large',
  'cut_short',
  'invalid_request',
  'redirect_refused',
  'too_many_redirects',
]);

/**
 * Saves the stories that the current ranking links to and those that the user follows, for offline reading (document 1
 * section 4.3): one request each, when the saved copy's lifetime is over.
 */
export async function syncStories(run: Run): Promise<JobResult> {
  const ids = storiesToFetch(run);
  let failed: ServiceError | null = null;
  let answered = 0;
  for (const [index, id] of ids.entries()) {
    if (run.makesWay()) return { modified: isModified(run), lifetime: 0, again: AFTER_MAKING_WAY };
    try {
      account(run, await run.fetch(() => fetchStory(run, id)));
      answered += 1;
    } catch (error) {
      if (!(error instanceof ServiceError) || !OF_ONE_STORY.has(error.code)) throw error;
      run.noteSkipped([{ id, reason: error.message }]);
      failed ??= error;
    }
    run.advance(index + 1, ids.length);
  }
  if (failed && answered === 0) throw failed;
  run.write(({ stories }) => {
    stories.prune(run.now());
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

function storiesToFetch(run: Run): string[] {
  const { stories } = run.store.queries;
  return stories
    .toRefresh()
    .map((id) => ({ id, record: stories.record(id) }))
    .filter(({ record }) => isStoryDue(record, run.now(), run.urgency))
    .sort((a, b) => (a.record?.requestedAt ?? 0) - (b.record?.requestedAt ?? 0))
    .slice(0, MOST_A_ROUND)
    .map(({ id }) => id);
}

/** Whether a sync fetches a story again. `now` is ms since 1970. */
export function isStoryDue(record: StoryRecord | null, now: number, urgency: Urgency): boolean {
  if (record === null || urgency === 'now') return true;
  const rest = urgency === 'due' ? restOf(record) : 0;
  return hasExpired(record, now, rest);
}

/** Whether the saved response has expired and at least `rest` ms have passed. */
export function hasExpired({ requestedAt, lifetime }: StoryRecord, now: number, rest = 0): boolean {
  // `now` can be earlier if the clock was set back.
  return now < requestedAt || now >= requestedAt + Math.max(lifetime, rest);
}

function restOf({ goneAt, story }: StoryRecord): number {
  if (goneAt !== null) return GONE;
  return story?.status === 'settled' ? SETTLED : 0;
}
