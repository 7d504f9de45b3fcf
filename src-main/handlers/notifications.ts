import type { Handlers, Session } from './types.ts';

export function notificationsHandlers(session: Session) {
  return {
    'notifications.list': ({ limit }) => ({ notifications: session.queries.notifications.list(limit) }),
  } satisfies Partial<Handlers>;
}
