import type { Handlers, Session } from './types.ts';

export function healthHandlers(session: Session) {
  const { problems } = session;
  return {
    // The engine knows recent syncs that are not saved yet.
    'health.get': async (args) => ({ ...(await session.engine.call('health.get', args)), problems: problems.list() }),
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
