import type { Handlers, Session } from './types.ts';

export function visitsHandlers(session: Session) {
  return {
    'visits.sinceLast': () => session.queries.visits.sinceLast(),
    'visits.list': (args) => session.longRead('visitList', args),
    'items.revisions': ({ id }) => ({ revisions: session.queries.items.revisions(id) }),
  } satisfies Partial<Handlers>;
}
