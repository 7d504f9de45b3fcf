import { ownerOf } from './models.ts';
import type { Handlers, Session } from './types.ts';

export function searchHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  return {
    'search.find': (args) => session.longRead('search', { ...args, now: now(), owner: ownerOf(session) }),
    'search.suggest': (args) => session.longRead('suggest', args),
  } satisfies Partial<Handlers>;
}
