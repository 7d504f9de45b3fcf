import type { Handlers, Session } from './types.ts';

export function itemsHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  return {
    'items.page': ({ query, cursor, limit }) => session.queries.items.page(query, cursor, limit, now()),
    'items.count': ({ query }) => ({ count: session.queries.items.count(query, now()) }),
    'items.get': ({ id }) => session.queries.items.get(id),
    'counts.get': () => session.queries.items.counts(),
  } satisfies Partial<Handlers>;
}
