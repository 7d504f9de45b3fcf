import type { Handlers, Session } from './types.ts';

export function itemsHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  return {
    // Only a search can be slow.
    'items.page': (args) => {
      const { query, cursor, limit } = args;
      if (query.text?.trim()) return session.longRead('page', { ...args, now: now() });
      return session.queries.items.page(query, cursor, limit, now());
    },
    'items.places': (args) => session.longRead('places', { ...args, now: now() }),
    'items.rows': (args) => {
      if (args.query.text?.trim()) return session.longRead('rows', { ...args, now: now() });
      return { rows: session.queries.items.rows(args.query, args.places, now(), args.ids) };
    },
    'items.count': ({ query }) => {
      // The category of each folded item is looked up.
      const isLong = query.foldStories === true && query.category !== undefined;
      const counted = isLong ? null : session.queries.items.counted(query);
      return counted ?? session.longRead('count', { query, now: now() });
    },
    'items.get': ({ id }) => session.queries.items.get(id),
    'items.withdrawal': ({ id }) => ({ withdrawnAt: session.queries.items.withdrawnAt(id) }),
    'items.folded': ({ query, id }) => ({ rows: session.queries.items.folded(query, id, now()) }),
    'items.context': ({ id }) => session.queries.itemContext.of(id),
    'counts.get': () => session.queries.items.counts(),
    'saved.list': () => ({ searches: session.queries.rules.saved(), progress: session.queries.rules.progress() }),
    'mutes.list': () => ({ rules: session.queries.rules.mutes(), progress: session.queries.rules.progress() }),
  } satisfies Partial<Handlers>;
}
