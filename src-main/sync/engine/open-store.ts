import type { Clock } from '../../contract/ports.ts';
import { openStore, type Store } from '../../store/index.ts';
import { catalogueName, type EngineGateway } from './gateway-source.ts';
import { Indexing, type IndexingPorts } from './indexing.ts';

interface OpeningPorts extends Omit<IndexingPorts, 'owner'> {
  gateway: EngineGateway | null;
  /** The caller holds the lock of the data folder. */
  locked: boolean;
}

/**
 * Opens the store and its indexers. If that fails, everything is closed again so that the folder is free. Errors: the
 * store's.
 */
export function openEngineStore(
  folder: string,
  mirror: string,
  clock: Clock,
  { gateway, locked, ...ports }: OpeningPorts,
): { store: Store; indexing: Indexing } {
  const store = openStore({ folder, source: mirror, now: () => clock.now(), locked });
  try {
    const owner = gateway ? catalogueName(gateway.source) : '';
    // Without a gateway the saved model lists stay: it may just not be configured yet.
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
