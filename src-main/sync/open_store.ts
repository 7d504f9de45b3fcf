import type { Clock } from '../contract/ports.ts';
import { noteDamage } from '../store/damage.ts';
import { explainStoreError } from '../store/errors.ts';
import { StoreWriter } from '../store/writer.ts';
import { Indexing, type IndexingPorts } from './indexing.ts';

/** The files and what follows them. What cannot be opened is closed again, so that its folder is free. Errors: the store's. */
export function openStore(
  folder: string,
  mirror: string,
  clock: Clock,
  ports: IndexingPorts,
): { store: StoreWriter; indexing: Indexing } {
  const store = new StoreWriter(folder, mirror, () => clock.now());
  try {
    return { store, indexing: new Indexing(store, ports) };
  } catch (error) {
    noteDamage(error, store.database);
    store.close();
    throw explainStoreError(error);
  }
}
