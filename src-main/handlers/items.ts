import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type ItemsMethods =
  'items.page' | 'items.count' | 'items.get' | 'items.mark' | 'items.markAllRead' | 'items.undoMark' | 'counts.get';

export function itemsHandlers(session: Session): Pick<Handlers, ItemsMethods> {
  const now = (): number => session.ports.clock.now();
  return {
    'items.page': ({ query, cursor, limit }) => session.queries.items.page(query, cursor, limit, now()),
    'items.count': ({ query }) => ({ count: session.queries.items.count(query, now()) }),
    'items.get': ({ id }) => session.queries.items.get(id),
    'items.mark': (args) => session.engine.call('items.mark', args),
    'items.markAllRead': (args) => session.engine.call('items.markAllRead', args),
    'items.undoMark': (args) => session.engine.call('items.undoMark', args),
    'counts.get': () => session.queries.items.counts(),
  };
}
