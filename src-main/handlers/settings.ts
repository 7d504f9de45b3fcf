import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

export function settingsHandlers(session: Session): Pick<Handlers, 'settings.get' | 'settings.set'> {
  const { settings: store } = session.ports;
  return {
    'settings.get': () => store.get(),
    'settings.set': async ({ patch }) => {
      const settings = { ...store.get(), ...patch };
      await session.changeSettings(settings);
      return settings;
    },
  };
}
