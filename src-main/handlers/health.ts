import { dataHealth } from '../sync/health.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

export function healthHandlers(session: Session): Pick<Handlers, 'health.get' | 'health.check'> {
  return {
    'health.get': async () => {
      const status = await session.engine.call('sync.status', {});
      const { reader } = session;
      return reader.explained(() => dataHealth({ health: reader.health, journal: reader.journal, status }));
    },
    'health.check': (args) => session.engine.call('health.check', args),
  };
}
