import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type SyncMethods = 'sync.status' | 'sync.run' | 'sync.runs' | 'source.get' | 'source.test';

export function syncHandlers(session: Session): Pick<Handlers, SyncMethods> {
  return {
    'sync.status': (args) => session.engine.call('sync.status', args),
    'sync.run': (args) => session.engine.call('sync.run', args),
    'sync.runs': ({ resource, limit }) => ({ runs: session.reader.runs(resource, limit) }),
    'source.get': () => session.source,
    'source.test': (args) => session.engine.call('source.test', args),
  };
}
