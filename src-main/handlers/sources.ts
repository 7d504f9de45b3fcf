import type { Handlers, Session } from './types.ts';

/** Each step is a read of its own, so that other reads come between. */
async function untilDone<T>(step: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const result = await step();
    if (result !== null) return result;
  }
}

export function sourcesHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  return {
    'sources.list': (args) => untilDone(() => session.longRead('sources', { ...args, now: now() })),
    'sources.get': (args) => untilDone(() => session.longRead('source', { ...args, now: now() })),
    'statistics.get': (args) => untilDone(() => session.longRead('statistics', { ...args, now: now() })),
  } satisfies Partial<Handlers>;
}
