import type { Handlers, Session } from './types.ts';

export function itemsHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  return {
    'items.page': ({ query, cursor, limit }) => session.reader.page(query, cursor, limit, now()),
    'items.count': ({ query }) => ({ count: session.reader.count(query, now()) }),
    'items.get': ({ id }) => session.reader.item(id),
    'counts.get': () => session.reader.counts(),
  } satisfies Partial<Handlers>;
}
