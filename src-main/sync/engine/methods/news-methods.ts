import type { NewsClient } from '../../../clients/news/client.ts';
import type { Guide } from '../guide.ts';
import type { OnlineSearch } from '../online-search.ts';
import type { EngineBodies } from '../types.ts';
import type { Visits } from '../visits.ts';

interface MethodPorts {
  visits: Visits;
  search: OnlineSearch;
  guide: Guide;
  /** Creates a client for another news service than the synced one. */
  newsAt(address: string): NewsClient;
}

/** Methods for visits, and for requests to the news service outside a sync. */
export const newsMethods = ({ visits, search, guide, newsAt }: MethodPorts) =>
  ({
    'visits.end': () => visits.end(),
    'items.searchOnline': (args) => search.search(args),
    'guide.open': () => guide.open(),
    'source.test': async ({ address }) => {
      const answer = await newsAt(address).items({ limit: 1 });
      return { items: answer.kind === 'fresh' ? answer.value.items.length : 0 };
    },
  }) satisfies Partial<EngineBodies>;
