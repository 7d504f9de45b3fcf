import { ownerOf } from './models.ts';
import type { Handlers, Session } from './types.ts';

export function visitsHandlers(session: Session) {
  return {
    'today.get': () => session.longRead('today', { now: session.ports.clock.now(), owner: ownerOf(session) }),
    'visits.sinceLast': () => session.queries.visits.sinceLast(),
    'visits.list': (args) => session.longRead('visitList', args),
    'items.revisions': ({ id }) => ({ revisions: session.queries.items.revisions(id) }),
  } satisfies Partial<Handlers>;
}
