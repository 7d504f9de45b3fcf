import type { Handlers, Session } from './types.ts';

export function visitsHandlers(session: Session) {
  return {
    'visits.sinceLast': () => session.queries.visits.sinceLast(),
    'visits.list': ({ which }) => session.queries.visits.list(which),
    'items.revisions': ({ id }) => ({ revisions: session.queries.items.revisions(id) }),
  } satisfies Partial<Handlers>;
}
