import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type GatewayMethod = 'gateway.get' | 'gateway.test' | 'gateway.setKey' | 'gateway.allowKey' | 'gateway.removeKey';

export function gatewayHandlers(session: Session): Pick<Handlers, GatewayMethod> {
  return {
    'gateway.get': () => session.gateway.gateway,
    'gateway.test': (args) => session.engine.call('gateway.test', args),
    'gateway.setKey': ({ key }) => session.gateway.setKey(key),
    'gateway.allowKey': () => session.gateway.allowKey(),
    'gateway.removeKey': () => session.gateway.removeKey(),
  };
}
