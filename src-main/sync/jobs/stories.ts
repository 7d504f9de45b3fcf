import { ServiceError } from '../../clients/http/service-error.ts';
import type { StoryRecord } from '../../store/index.ts';
import type { Run, JobResult } from './sync-context.ts';
import type { Urgency } from '../schedule/types.ts';
import { askForStory, type StoryNews } from './fetch-story.ts';

const HOUR = 3_600_000;
/** Before a round that made way for a reader goes on. */
const AFTER_MAKING_WAY = 5_000;
/** Stories a round: more wait for the next one, the longest unasked first. */
const MOST_A_ROUND = 20;
/** How long a story that is not expected to change is left alone, where its own lifetime is not longer. */
const SETTLED = HOUR;
const GONE = 6 * HOUR;

/** Failures of one story, which say nothing of the next. Any other ends the round. */
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
 * Keeps the stories for offline reading that the current ranking links to, and those that the reader follows (document 1
 * section 4.3): one request each, where the lifetime of what is stored has run out.
 */
export async function syncStories(run: Run): Promise<JobResult> {
  const asked = storiesToAsk(run);
  let failed: ServiceError | null = null;
  let answered = 0;
  for (const [index, id] of asked.entries()) {
    if (run.makesWay()) return { modified: isModified(run), lifetime: 0, again: AFTER_MAKING_WAY };
    try {
      account(run, await run.ask(() => askForStory(run, id)));
      answered += 1;
    } catch (error) {
      if (!(error instanceof ServiceError) || !OF_ONE_STORY.has(error.code)) throw error;
      run.noteSkipped([{ id, reason: error.message }]);
      failed ??= error;
    }
    run.advance(index + 1, asked.length);
  }
  if (failed && answered === 0) throw failed;
  run.write(({ stories }) => {
    stories.prune(run.now());
  });
  // Each story has a lifetime of its own, which was looked at above.
  return { modified: isModified(run), lifetime: 0 };
}

function isModified({ account: { added, revised, withdrawn } }: Run): boolean {
  return added + revised + withdrawn > 0;
}

function account(run: Run, { kind, changed, skipped }: StoryNews): void {
  run.noteSkipped(skipped);
  run.tally({
    added: Number(kind === 'added'),
    revised: Number(kind === 'revised'),
    withdrawn: Number(kind === 'gone'),
  });
  if (changed.length > 0) run.emit('stories.changed', { publicIds: changed });
}

function storiesToAsk(run: Run): string[] {
  const { stories } = run.store.queries;
  return stories
    .toRefresh()
    .map((id) => ({ id, record: stories.record(id) }))
    .filter(({ record }) => isStoryDue(record, run.now(), run.urgency))
    .sort((a, b) => (a.record?.requestedAt ?? 0) - (b.record?.requestedAt ?? 0))
    .slice(0, MOST_A_ROUND)
    .map(({ id }) => id);
}

/** Whether a round asks for a story again. `now` in ms since 1970. */
export function isStoryDue(record: StoryRecord | null, now: number, urgency: Urgency): boolean {
  if (record === null || urgency === 'now') return true;
  const rest = urgency === 'due' ? restOf(record) : 0;
  return hasExpired(record, now, rest);
}

/** Whether the answer that is stored is no longer good, and its story has rested for `rest` ms. */
export function hasExpired({ requestedAt, lifetime }: StoryRecord, now: number, rest = 0): boolean {
  // A clock that was set back has made the answer one of the future.
  return now < requestedAt || now >= requestedAt + Math.max(lifetime, rest);
}

function restOf({ goneAt, story }: StoryRecord): number {
  if (goneAt !== null) return GONE;
  return story?.status === 'settled' ? SETTLED : 0;
}
