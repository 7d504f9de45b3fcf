import type { Handlers, Session } from './types.ts';

export function gatewayHandlers(session: Session) {
  return {
    'gateway.get': () => session.gateway.gateway,
    'gateway.setKey': ({ key }) => session.gateway.setKey(key),
    'gateway.allowKey': () => session.gateway.allowKey(),
    'gateway.removeKey': () => session.gateway.removeKey(),
  } satisfies Partial<Handlers>;
}
