import { ownerOf } from './models.ts';
import type { Handlers, Session } from './types.ts';

export function searchHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  return {
    'search.find': (args) => {
      const search = { ...args, now: now(), owner: ownerOf(session) };
      // Nothing to search for: the page says that a search may follow.
      return session.longRead(args.text.trim() === '' ? 'prepareSearch' : 'search', search);
    },
    'search.suggest': (args) => session.longRead('suggest', args),
  } satisfies Partial<Handlers>;
}
