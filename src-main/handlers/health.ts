import { dataHealth } from '../sync/engine/health.ts';
import type { Handlers, Session } from './types.ts';

export function healthHandlers(session: Session) {
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
  } satisfies Partial<Handlers>;
}
