import type { Handlers, Session } from './types.ts';

export function visitsHandlers(session: Session) {
  return {
    'visits.sinceLast': () => session.reader.caughtUp(),
    'visits.list': ({ which }) => session.reader.visitList(which),
    'items.revisions': ({ id }) => ({ revisions: session.reader.revisions(id) }),
  } satisfies Partial<Handlers>;
}
