import type { Handlers, Session } from './types.ts';

export function notificationsHandlers(session: Session) {
  return {
    'notifications.list': ({ limit }) => ({ notifications: session.reader.notifications(limit) }),
  } satisfies Partial<Handlers>;
}
