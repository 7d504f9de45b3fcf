import type { NewsClient } from '../../clients/news/client.ts';
import { toFailure } from '../../contract/errors.ts';
import type { GuidePage } from '../../contract/model/sync-status.ts';
import type { Queries, TextPage } from '../../store/index.ts';
import { unexpectedNotModified } from '../jobs/record-failures.ts';
import type { EngineBase } from './types.ts';

interface GuidePorts extends EngineBase {
  news: NewsClient;
}

const NAME = 'agent';

/** The service's guide for agents as it was last read, or null (document 1 section 4.7). */
export function readGuide({ textPages }: Queries): GuidePage | null {
  const stored = textPages.get(NAME);
  return stored && toGuidePage(stored);
}

/** Document 1 section 4.7. Errors: the client's, if no saved copy can be shown instead. */
export async function openGuide(ports: GuidePorts): Promise<GuidePage> {
  const { store, clock } = ports;
  const stored = store.queries.textPages.get(NAME);
  const age = stored ? clock.now() - stored.requestedAt : -1;
  if (stored && age >= 0 && age < stored.lifetime) return toGuidePage(stored);
  try {
    return toGuidePage(await fetchGuide(ports, stored));
  } catch (error) {
    if (!stored) throw error;
    return { ...toGuidePage(stored), stale: toFailure(error) };
  }
}

async function fetchGuide({ store, news, clock, log }: GuidePorts, stored: TextPage | null): Promise<TextPage> {
  const answer = await news.agentGuide({ validator: stored?.etag ?? undefined });
  const now = clock.now();
  const content = answer.kind === 'fresh' ? { text: answer.value, fetchedAt: now } : stored;
  if (!content) throw unexpectedNotModified();
  const page = { ...content, etag: answer.validator, lifetime: answer.lifetimeMs, requestedAt: now };
  try {
    store.transaction(({ textPages }) => {
      textPages.put(NAME, page);
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
