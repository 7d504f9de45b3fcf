import { catalogueName } from '../sync/engine/gateway-source.ts';
import type { Handlers, Session } from './types.ts';

export function modelsHandlers(session: Session) {
  return {
    'models.list': ({ modelList }) => session.queries.models.list(ownerOf(session), modelList),
    'models.get': ({ modelList, id }) => session.queries.models.get(ownerOf(session), modelList, id),
    'models.changes': ({ limit, model }) => ({
      refreshes: session.queries.models.refreshes(ownerOf(session), limit, model),
    }),
    'models.news': ({ id, limit }) => ({ rows: session.queries.items.naming(id, limit) }),
    'workloads.list': () => ({ workloads: session.queries.models.workloads() }),
  } satisfies Partial<Handlers>;
}

/** Name under which the configured gateway's model lists are saved; '' without one, which has no rows. */
export function ownerOf({ gateway }: Session): string {
  const { source } = gateway.gateway;
  return source ? catalogueName(source) : '';
}
