import type { NewsClient } from '../../clients/news/client.ts';
import { toFailure } from '../../contract/errors.ts';
import type { GuidePage } from '../../contract/model/sync-status.ts';
import { answeredAt, type Queries, type TextPage } from '../../store/index.ts';
import { unexpectedNotModified } from '../jobs/record-failures.ts';
import type { EngineBase } from './types.ts';

interface GuidePorts extends EngineBase {
  news: NewsClient;
}

const NAME = 'agent';
const FETCH = `page/${NAME}`;

/** The service's guide for agents as it was last read, or null (document 1 section 4.7). */
export function readGuide({ textPages }: Queries): GuidePage | null {
  const stored = textPages.get(NAME);
  return stored && toGuidePage(stored);
}

/** Document 1 section 4.7. Errors: the client's, if no saved copy can be shown instead. */
export async function openGuide(ports: GuidePorts): Promise<GuidePage> {
  const { textPages, fetches } = ports.store.queries;
  const stored = textPages.get(NAME);
  const fetch = stored && fetches.state(FETCH);
  const age = fetch ? ports.clock.now() - fetch.requestedAt : -1;
  if (stored && fetch && age >= 0 && age < fetch.lifetime) return toGuidePage(stored);
  try {
    return toGuidePage(await fetchGuide(ports, stored));
  } catch (error) {
    if (!stored) throw error;
    return { ...toGuidePage(stored), stale: toFailure(error) };
  }
}

async function fetchGuide({ store, news, clock, log }: GuidePorts, stored: TextPage | null): Promise<TextPage> {
  const validator = stored ? store.queries.fetches.etag(FETCH, '') : undefined;
  const answer = await news.agentGuide({ validator });
  const now = clock.now();
  const page = answer.kind === 'fresh' ? { text: answer.value, fetchedAt: now } : stored;
  if (!page) throw unexpectedNotModified();
  const fetch = { ...answeredAt(now, answer.lifetimeMs), etag: answer.validator };
  try {
    store.transaction(({ textPages, fetches }) => {
      if (answer.kind === 'notModified') fetches.confirm(FETCH, fetch);
      else {
        textPages.put(NAME, page);
        fetches.put(FETCH, fetch);
      }
    });
  } catch (error) {
    // On a full disk, the text can still be shown.
    const { code, message } = toFailure(error);
    log('warn', message, { resource: NAME, code });
  }
  return page;
}

function toGuidePage({ text, fetchedAt }: TextPage): GuidePage {
  return { text, fetchedAt: new Date(fetchedAt).toISOString(), stale: null };
}
