import { catalogueName } from '../sync/engine/gateway-source.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type ModelsMethod = Extract<keyof Handlers, `models.${string}` | `workloads.${string}`>;

export function modelsHandlers(session: Session): Pick<Handlers, ModelsMethod> {
  return {
    'models.list': ({ modelList }) => session.queries.models.list(ownerOf(session), modelList),
    'models.get': ({ modelList, id }) => session.queries.models.get(ownerOf(session), modelList, id),
    'models.changes': ({ limit, model }) => ({
      refreshes: session.queries.models.refreshes(ownerOf(session), limit, model),
    }),
    'models.news': ({ id, limit }) => ({ rows: session.queries.items.naming(id, limit) }),
    'models.favourite': (args) => session.engine.call('models.favourite', args),
    'models.setAliases': (args) => session.engine.call('models.setAliases', args),
    'workloads.list': () => ({ workloads: session.queries.models.workloads() }),
    'workloads.save': (args) => session.engine.call('workloads.save', args),
    'workloads.remove': (args) => session.engine.call('workloads.remove', args),
  };
}

/** Under which name the model lists of the configured gateway are kept; '' where there is none, and then nothing is stored. */
function ownerOf({ gateway }: Session): string {
  const { source } = gateway.gateway;
  return source ? catalogueName(source) : '';
}
