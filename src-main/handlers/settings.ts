import type { Handlers, Session } from './types.ts';

export function settingsHandlers(session: Session) {
  return {
    'app.capabilities': () => session.ports.capabilities,
    'source.get': () => session.source,
    'settings.get': () => session.ports.settings.get(),
    'settings.set': ({ patch }) => session.changeSettings(patch),
  } satisfies Partial<Handlers>;
}
