import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

export function notificationsHandlers(session: Session): Pick<Handlers, 'notifications.list'> {
  return {
    'notifications.list': ({ limit }) => ({ notifications: session.queries.notifications.list(limit) }),
  };
}
