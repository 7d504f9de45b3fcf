import type { NewsClient } from '../../clients/news/client.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { GuidePage } from '../../contract/model/sync-status.ts';
import type { Store, TextPage } from '../../store/index.ts';

export const GUIDE = 'agent';

interface GuidePorts {
  store: Store;
  news: NewsClient;
  clock: Clock;
  log: Log;
}

/**
 * Fetches the service's guide for agents (document 1 section 4.7) only when it is opened; the saved copy is shown if
 * the service is unreachable.
 */
export class Guide {
  readonly #ports: GuidePorts;
  #opening: Promise<GuidePage> | null = null;

  constructor(ports: GuidePorts) {
    this.#ports = ports;
  }

  /** Errors: the client's, if no saved copy can be shown instead. */
  open(): Promise<GuidePage> {
    this.#opening ??= this.#open().finally(() => (this.#opening = null));
    return this.#opening;
  }

  async #open(): Promise<GuidePage> {
    const { store, clock } = this.#ports;
    const stored = store.queries.textPages.get(GUIDE);
    const age = stored ? clock.now() - stored.requestedAt : -1;
    if (stored && age >= 0 && age < stored.lifetime) return guidePage(stored);
    try {
      return guidePage(await this.#fetch(stored));
    } catch (error) {
      if (!stored) throw error;
      return { ...guidePage(stored), stale: toFailure(error) };
    }
  }

  async #fetch(stored: TextPage | null): Promise<TextPage> {
    const { news, clock } = this.#ports;
    const answer = await news.agentGuide({ validator: stored?.etag ?? undefined });
    const now = clock.now();
    const facts = { etag: answer.validator, lifetime: answer.lifetimeMs, requestedAt: now };
    if (answer.kind === 'fresh') return this.#save({ ...facts, text: answer.value, fetchedAt: now });
    if (!stored)
      throw new ServiceError('invalid_body', 'The service answered "not modified" to an unconditional request.');
    return this.#save({ ...stored, ...facts });
  }

  /** If saving fails, for example on a full disk, the text can still be shown. */
  #save(page: TextPage): TextPage {
    try {
      this.#ports.store.transaction(({ textPages }) => {
        textPages.put(GUIDE, page);
      });
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('warn', message, { resource: GUIDE, code });
    }
    return page;
  }
}

export function guidePage({ text, fetchedAt }: TextPage): GuidePage {
  return { text, fetchedAt: new Date(fetchedAt).toISOString(), stale: null };
}
