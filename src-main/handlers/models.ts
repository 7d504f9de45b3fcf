import { catalogueName } from '../sync/engine/gateway-source.ts';
import type { Handlers, Session } from './types.ts';

export function modelsHandlers(session: Session) {
  return {
    'models.list': ({ modelList }) => session.reader.models.list(ownerOf(session), modelList),
    'models.get': ({ modelList, id }) => session.reader.models.model(ownerOf(session), modelList, id),
    'models.changes': ({ limit, model }) => ({
      refreshes: session.reader.models.refreshes(ownerOf(session), limit, model),
    }),
    'models.news': ({ id, limit }) => ({ rows: session.reader.newsOf(id, limit) }),
    'workloads.list': () => ({ workloads: session.reader.workloads() }),
  } satisfies Partial<Handlers>;
}

/** Under which name the model lists of the configured gateway are kept; '' where there is none, and then nothing is stored. */
function ownerOf({ gateway }: Session): string {
  const { source } = gateway.gateway;
  return source ? catalogueName(source) : '';
}
