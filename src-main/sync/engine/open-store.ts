import type { Clock } from '../../contract/ports.ts';
import { noteCorruption } from '../../store/database/corruption.ts';
import { explainStoreError } from '../../store/database/errors.ts';
import { StoreWriter } from '../../store/writer.ts';
import { catalogueName, type EngineGateway } from './gateway-source.ts';
import { Indexing, type IndexingPorts } from './indexing.ts';

interface OpeningPorts extends Omit<IndexingPorts, 'owner'> {
  gateway: EngineGateway | null;
}

/** The files and what follows them. What cannot be opened is closed again, so that its folder is free. Errors: the store's. */
export function openStore(
  folder: string,
  mirror: string,
  clock: Clock,
  { gateway, ...ports }: OpeningPorts,
): { store: StoreWriter; indexing: Indexing } {
  const store = new StoreWriter(folder, mirror, () => clock.now());
  try {
    const owner = gateway ? catalogueName(gateway.source) : '';
    // Without one, what is stored stays that of the last one: it may only not be named yet.
    if (gateway) store.nameGateway(owner);
    return { store, indexing: new Indexing(store, { ...ports, owner }) };
  } catch (error) {
    noteCorruption(error, store.database);
    store.close();
    throw explainStoreError(error);
  }
}
