import { dataHealth } from '../sync/engine/health.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type HealthMethod = 'health.get' | 'health.check' | 'problems.report' | 'problems.dismiss';

export function healthHandlers(session: Session): Pick<Handlers, HealthMethod> {
  const { problems } = session;
  return {
    'health.get': async () => {
      const { health, fetchLog } = session.reader;
      const status = await session.engine.call('sync.status', {});
      const known = session.reader.explained(() => dataHealth({ health, fetchLog, status }));
      return { ...known, problems: problems.list() };
    },
    'health.check': async (args) => ({
      ...(await session.engine.call('health.check', args)),
      problems: problems.list(),
    }),
    'problems.report': ({ message, trace }) => {
      problems.report('page', message, trace);
      return {};
    },
    'problems.dismiss': () => {
      problems.dismiss();
      return {};
    },
  };
}
