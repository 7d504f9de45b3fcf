import { storyAt } from '../../clients/news/public-id.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import type { NewsClient } from '../../clients/news/client.ts';
import type { Skipped } from '../../clients/parsing/records.ts';
import type { Story } from '../../contract/model/story.ts';
import type { Store, StoryRecord, StoryTerms } from '../../store/index.ts';

/** What asking for a story works with. */
export interface StoryPorts {
  store: Store;
  news: NewsClient;
  /** ms since 1970. */
  now(): number;
}

/** What became of a story that was asked for. */
export interface StoryNews {
  kind: 'added' | 'revised' | 'unchanged' | 'gone';
  /** Ids of which something is stored anew: the survivor's, and that of the story merged into it. */
  changed: string[];
  requests: number;
  skipped: readonly Skipped[];
}

/** Requests that are under way. A reader and a round that want one story at one time want it once. */
const underWay = new WeakMap<NewsClient, Map<string, Promise<StoryNews>>>();

/**
 * Asks for a story and stores what comes (document 1 sections 3 and 4.3): a merged one is followed to its survivor, and the
 * way there remembered; one that is gone is noted, and stays as it is stored. Only for ids that the service gave.
 * Errors: as the client's, save `not_found`; those of the store.
 */
export function askForStory(ports: StoryPorts, publicId: string): Promise<StoryNews> {
  const id = ports.store.queries.stories.resolve(publicId);
  const calls = underWay.get(ports.news) ?? new Map<string, Promise<StoryNews>>();
  underWay.set(ports.news, calls);
  const going = calls.get(id);
  // The requests are counted once, by whoever sent them.
  if (going) return going.then((news) => ({ ...news, requests: 0, skipped: [] }));
  const call = ask(ports, id).finally(() => calls.delete(id));
  calls.set(id, call);
  return call;
}

async function ask(ports: StoryPorts, id: string): Promise<StoryNews> {
  const stored = ports.store.queries.stories.record(id);
  try {
    return await revalidate(ports, id, validatorOf(stored));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    return setGone(ports, id, error.requests);
  }
}

/** Of a story that was gone, the answer has to be a whole one. */
function validatorOf(stored: StoryRecord | null): string | undefined {
  return stored?.story && stored.goneAt === null ? (stored.etag ?? undefined) : undefined;
}

async function revalidate(ports: StoryPorts, id: string, validator: string | undefined): Promise<StoryNews> {
  const answer = await ports.news.story(id, { validator });
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
    // "Not modified" of another story than the one that is held.
    const whole = await revalidate(ports, id, undefined);
    return { ...whole, requests: requests + whole.requests };
  }
  ports.store.transaction(({ stories }) => {
    stories.confirm(id, { lifetime, now });
  });
  return { kind: 'unchanged', changed: [], requests, skipped: [] };
}

function storeStory(
  { store }: StoryPorts,
  merged: readonly string[],
  story: Story,
  terms: StoryTerms,
): 'added' | 'revised' | 'unchanged' {
  return store.transaction(({ stories }) => {
    for (const id of merged) stories.merge(id, story.publicId);
    return stories.store(story, terms);
  });
}

function setGone(ports: StoryPorts, id: string, requests: number): StoryNews {
  const isNew = ports.store.transaction(({ stories }) => stories.setGone(id, ports.now()));
  return { kind: isNew ? 'gone' : 'unchanged', changed: isNew ? [id] : [], requests, skipped: [] };
}
