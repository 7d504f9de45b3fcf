import type { Result } from '../../../contract/methods.ts';
import { MODEL_LISTS } from '../../../contract/model/resource.ts';
import type { Store } from '../../../store/index.ts';
import type { Emit } from '../../../contract/events.ts';
import type { GatewayConnection } from '../gateway-connection.ts';
import type { EngineBodies } from '../types.ts';

interface MethodPorts {
  store: Store;
  gateway: Pick<GatewayConnection, 'test'>;
  emit: Emit;
  /** Called when the user's aliases have changed. */
  namesChanged(): void;
}

/** Methods for the user's model data, and the gateway test. */
export function modelMethods({ store, gateway, emit, namesChanged }: MethodPorts) {
  const changed = (): Record<string, never> => {
    emit('models.changed', { modelLists: [...MODEL_LISTS] });
    return {};
  };
  const workloadsChanged = (): Result<'workloads.save'> => {
    const workloads = store.queries.models.workloads();
    emit('workloads.changed', { workloads });
    return { workloads };
  };
  return {
    'models.favourite': ({ id, favourite }) =>
      store.transaction(({ modelStatuses, now }) => modelStatuses.favourite(id, favourite, now)) ? changed() : {},
    'models.setAliases': ({ id, aliases }) => {
      store.transaction(({ modelStatuses }) => {
        modelStatuses.setAliases(id, aliases);
      });
      namesChanged();
      return changed();
    },
    'workloads.save': ({ workload }) => {
      store.transaction(({ modelStatuses, now }) => {
        modelStatuses.saveWorkload(workload, now);
      });
      return workloadsChanged();
    },
    'workloads.remove': ({ id }) => {
      store.transaction(({ modelStatuses }) => {
        modelStatuses.removeWorkload(id);
      });
      return workloadsChanged();
    },
    'gateway.test': async ({ address }) => ({ embeddings: await gateway.test(address) }),
  } satisfies Partial<EngineBodies>;
}
