import { dataHealth } from '../sync/health.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

export function healthHandlers(session: Session): Pick<Handlers, 'health.get' | 'health.check'> {
  return {
    'health.get': async () => {
      const { health, journal } = session.reader;
      return dataHealth({ health, journal, status: await session.engine.call('sync.status', {}) });
    },
    'health.check': (args) => session.engine.call('health.check', args),
  };
}
