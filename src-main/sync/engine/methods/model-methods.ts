import type { Api } from '../../../contract/api.ts';
import { MODEL_LISTS } from '../../../contract/model/resource.ts';
import type { StoreWriter } from '../../../store/writer.ts';
import type { Emit } from '../../../contract/events.ts';
import type { GatewayConnection } from '../gateway-connection.ts';
import type { EngineBodies } from '../types.ts';

interface MethodPorts {
  store: StoreWriter;
  gateway: Pick<GatewayConnection, 'test'>;
  emit: Emit;
  /** The reader calls models otherwise. */
  namesChanged(): void;
}

/** What the reader does with models, and whether a gateway answers. */
export function modelMethods({ store, gateway, emit, namesChanged }: MethodPorts) {
  const changed = (): Record<string, never> => {
    emit('models.changed', { modelLists: [...MODEL_LISTS] });
    return {};
  };
  const workloadsChanged = (): Api['workloads.save']['result'] => {
    const workloads = store.workloads();
    emit('workloads.changed', { workloads });
    return { workloads };
  };
  return {
    'models.favourite': ({ id, favourite }) => (store.favouriteModel(id, favourite) ? changed() : {}),
    'models.setAliases': ({ id, aliases }) => {
      store.setAliases(id, aliases);
      namesChanged();
      return changed();
    },
    'workloads.save': ({ workload }) => {
      store.saveWorkload(workload);
      return workloadsChanged();
    },
    'workloads.remove': ({ id }) => {
      store.removeWorkload(id);
      return workloadsChanged();
    },
    'gateway.test': async ({ address }) => ({ embeddings: await gateway.test(address) }),
  } satisfies Partial<EngineBodies>;
}
