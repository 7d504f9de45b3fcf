import type { Api } from '../../../contract/api.ts';
import { MODEL_LISTS } from '../../../contract/model/resource.ts';
import type { StoreWriter } from '../../../store/writer.ts';
import type { Emit } from '../engine.ts';
import type { GatewayMethods } from './gateway-methods.ts';

export const MODELS_METHODS = [
  'models.favourite',
  'models.setAliases',
  'workloads.save',
  'workloads.remove',
  'gateway.test',
] as const satisfies readonly (keyof Api)[];
type ModelsMethod = (typeof MODELS_METHODS)[number];
type Bodies = { [M in ModelsMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'] };

interface MethodPorts {
  store: StoreWriter;
  gateway: GatewayMethods;
  emit: Emit;
  /** The reader calls models otherwise. */
  namesChanged(): void;
}

/** What the reader does with models, and whether a gateway answers. */
export function modelMethods({ store, gateway, emit, namesChanged }: MethodPorts): Bodies {
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
  };
}
