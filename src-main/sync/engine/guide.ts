import type { NewsClient } from '../../clients/news/client.ts';
import { toFailure } from '../../contract/errors.ts';
import type { GuidePage } from '../../contract/model/sync-status.ts';
import { answeredAt, type Queries } from '../../store/index.ts';
import { unexpectedNotModified } from '../jobs/record-failures.ts';
import type { EngineBase } from './types.ts';

interface GuidePorts extends EngineBase {
  news: NewsClient;
}

interface SavedText {
  text: string;
  fetchedAt: number;
}

const ID = 'agent';
const FETCH = `page/${ID}`;

/** The service's guide for agents as it was last read, or null (document 1 section 4.7). */
export function readGuide(queries: Queries): GuidePage | null {
  const stored = savedGuide(queries);
  return stored && toGuidePage(stored);
}

function savedGuide({ documents }: Queries): SavedText | null {
  const { body = null, fetchedAt = null } = documents.find('page', ID) ?? {};
  return body === null || fetchedAt === null ? null : { text: body, fetchedAt };
}

/** Document 1 section 4.7. Errors: the client's, if no saved copy can be shown instead. */
export async function openGuide(ports: GuidePorts): Promise<GuidePage> {
  const { queries } = ports.store;
  const stored = savedGuide(queries);
  const fetch = stored && queries.fetches.state(FETCH);
  const age = fetch ? ports.clock.now() - fetch.requestedAt : -1;
  if (stored && fetch && age >= 0 && age < fetch.lifetime) return toGuidePage(stored);
  try {
    return toGuidePage(await fetchGuide(ports, stored));
  } catch (error) {
    if (!stored) throw error;
    return { ...toGuidePage(stored), stale: toFailure(error) };
  }
}

async function fetchGuide({ store, news, clock, log }: GuidePorts, stored: SavedText | null): Promise<SavedText> {
  const validator = stored ? store.queries.fetches.etag(FETCH, '') : undefined;
  const answer = await news.agentGuide({ validator });
  const now = clock.now();
  const page = answer.kind === 'fresh' ? { text: answer.value, fetchedAt: now } : stored;
  if (!page) throw unexpectedNotModified();
  const fetch = { ...answeredAt(now, answer.lifetimeMs), etag: answer.validator };
  try {
    store.transaction(({ documents, fetches }) => {
      if (answer.kind === 'notModified') fetches.confirm(FETCH, fetch);
      else {
        documents.put('page', ID, { head: null, body: page.text, fetchedAt: now });
        fetches.put(FETCH, fetch);
      }
    });
  } catch (error) {
    // On a full disk, the text can still be shown.
    const { code, message } = toFailure(error);
    log('warn', message, { resource: ID, code });
  }
  return page;
}

function toGuidePage({ text, fetchedAt }: SavedText): GuidePage {
  return { text, fetchedAt: new Date(fetchedAt).toISOString(), stale: null };
}
