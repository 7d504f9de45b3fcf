import { dataHealth } from '../sync/engine/health.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type HealthMethod = 'health.get' | 'health.check' | 'problems.report' | 'problems.dismiss';

export function healthHandlers(session: Session): Pick<Handlers, HealthMethod> {
  const { problems } = session;
  return {
    'health.get': async () => {
      const status = await session.engine.call('sync.status', {});
      const known = dataHealth({ queries: session.queries, status });
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
