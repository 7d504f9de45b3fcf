import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

export function settingsHandlers(session: Session): Pick<Handlers, 'settings.get' | 'settings.set'> {
  return {
    'settings.get': () => session.ports.settings.get(),
    'settings.set': ({ patch }) => session.changeSettings(patch),
  };
}
