import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

export function noticesHandlers(session: Session): Pick<Handlers, 'notices.list'> {
  return {
    'notices.list': ({ limit }) => ({ notices: session.reader.notices(limit) }),
  };
}
