import { dataHealth } from '../sync/engine/health.ts';
import type { Handlers, Session } from './types.ts';

export function healthHandlers(session: Session) {
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
  } satisfies Partial<Handlers>;
}
