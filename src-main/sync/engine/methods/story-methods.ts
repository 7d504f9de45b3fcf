import { BroadsheetError } from '../../../contract/errors.ts';
import type { StoredStory } from '../../../contract/model/story.ts';
import type { Log } from '../../../contract/ports.ts';
import type { Emit } from '../../../contract/events.ts';
import type { Transaction } from '../../../store/index.ts';
import type { EngineBodies } from '../types.ts';
import { hasExpired } from '../../jobs/stories.ts';
import { fetchStory, type StoryPorts } from '../../jobs/fetch-story.ts';

interface MethodPorts extends StoryPorts {
  log: Log;
  emit: Emit;
  /** Sends a request that the user is waiting for, unless a Retry-After applies. */
  fetchOnDemand<T>(send: () => Promise<T>): Promise<T>;
}

/** Methods to open, follow and star stories. */
export function storyMethods(ports: MethodPorts) {
  const { store, emit, now } = ports;
  const { stories } = store.queries;

  /** Errors: `not_found` for an id that did not come from the service. */
  function given(publicId: string): string {
    if (!stories.isGiven(publicId) && !stories.isGiven(stories.resolve(publicId))) throw unknownStory();
    return stories.resolve(publicId);
  }

  function mark(publicId: string, change: (tx: Transaction, id: string) => boolean): Record<string, never> {
    const id = given(publicId);
    if (store.transaction((tx) => change(tx, id))) emit('stories.changed', { publicIds: [id] });
    return {};
  }

  return {
    'stories.open': async ({ publicId }) => {
      const id = given(publicId);
      const failure = await refresh(ports, id);
      const opened = stories.find(id);
      if (!opened) throw failure ?? unknownStory();
      markSeen(ports, opened);
      return opened;
    },
    'stories.follow': ({ publicId, follow }) =>
      mark(publicId, (tx, id) => tx.storyStatuses.follow(id, follow, tx.stories.find(id)?.story ?? null, now())),
    'stories.star': ({ publicId, star }) => mark(publicId, (tx, id) => tx.storyStatuses.star(id, star, now())),
  } satisfies Partial<EngineBodies>;
}

/** Fetches the story if its lifetime is over. A failure is returned, because the saved story may be good enough. */
async function refresh(ports: MethodPorts, id: string): Promise<BroadsheetError | null> {
  const stored = ports.store.queries.stories.record(id);
  if (stored && !hasExpired(stored, ports.now())) return null;
  try {
    const { changed } = await ports.fetchOnDemand(() => fetchStory(ports, id));
    if (changed.length > 0) ports.emit('stories.changed', { publicIds: changed });
    return null;
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    ports.log('info', 'Fetching a story failed; showing the saved copy', { code: error.code });
    return error;
  }
}

/** Called after building the reply, which still has to mark the updates as new. */
function markSeen({ store, now, emit }: MethodPorts, { fresh, publicId }: StoredStory): void {
  if (fresh.reportIds.length === 0 && !fresh.digest) return;
  store.transaction(({ stories, storyStatuses }) => {
    const story = stories.find(publicId)?.story;
    if (story) storyStatuses.visit(story, now());
  });
  emit('stories.changed', { publicIds: [publicId] });
}

function unknownStory(): BroadsheetError {
  return new BroadsheetError('not_found', 'The news service has no such story, or never listed it.');
}
