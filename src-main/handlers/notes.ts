import type { Handlers, Session } from './types.ts';

export function notesHandlers(session: Session) {
  return {
    'notes.get': ({ kind, id }) => session.queries.notes.get({ kind, id }),
    'notes.keys': () => ({ keys: session.queries.notes.keys() }),
    'notes.list': ({ limit, offset }) => session.queries.notes.list(limit, offset),
  } satisfies Partial<Handlers>;
}
