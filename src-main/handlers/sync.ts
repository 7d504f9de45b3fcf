import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type SyncMethods =
  'sync.status' | 'sync.run' | 'sync.pause' | 'sync.resume' | 'sync.attend' | 'source.get' | 'source.test';

export function syncHandlers(session: Session): Pick<Handlers, SyncMethods> {
  return {
    'sync.status': (args) => session.engine.call('sync.status', args),
    'sync.run': (args) => session.engine.call('sync.run', args),
    'sync.pause': (args) => session.engine.call('sync.pause', args),
    'sync.resume': (args) => session.engine.call('sync.resume', args),
    'sync.attend': (args) => session.engine.call('sync.attend', args),
    'source.get': () => session.source,
    'source.test': (args) => session.engine.call('source.test', args),
  };
}
