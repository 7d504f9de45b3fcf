import type { Clock } from '../../contract/ports.ts';
import { openStore, type Store } from '../../store/index.ts';
import { catalogueName, type EngineGateway } from './gateway-source.ts';
import { Indexing, type IndexingPorts } from './indexing.ts';

interface OpeningPorts extends Omit<IndexingPorts, 'owner'> {
  gateway: EngineGateway | null;
}

/** The files and what follows them. What cannot be opened is closed again, so that its folder is free. Errors: the store's. */
export function openEngineStore(
  folder: string,
  mirror: string,
  clock: Clock,
  { gateway, ...ports }: OpeningPorts,
): { store: Store; indexing: Indexing } {
  const store = openStore({ folder, source: mirror, now: () => clock.now() });
  try {
    const owner = gateway ? catalogueName(gateway.source) : '';
    // Without one, what is stored stays that of the last one: it may only not be named yet.
    if (gateway) {
      store.transaction(({ schedule }) => {
        schedule.nameGateway(owner);
      });
    }
    return { store, indexing: new Indexing(store, { ...ports, owner }) };
  } catch (error) {
    store.close();
    throw error;
  }
}
