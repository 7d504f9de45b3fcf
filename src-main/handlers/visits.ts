import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type VisitsMethods =
  'visits.sinceLast' | 'visits.list' | 'visits.end' | 'items.revisions' | 'items.searchOnline' | 'guide.open';

export function visitsHandlers(session: Session): Pick<Handlers, VisitsMethods> {
  return {
    'visits.sinceLast': () => session.queries.visits.sinceLast(),
    'visits.list': ({ which }) => session.queries.visits.list(which),
    'visits.end': (args) => session.engine.call('visits.end', args),
    'items.revisions': ({ id }) => ({ revisions: session.queries.items.revisions(id) }),
    'items.searchOnline': (args) => session.engine.call('items.searchOnline', args),
    'guide.open': (args) => session.engine.call('guide.open', args),
  };
}
