import { BroadsheetError } from '../contract/errors.ts';
import type { Desktop } from '../contract/ports.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type DesktopMethod =
  'app.takeTarget' | 'app.openWindow' | 'updates.check' | 'data.folder' | 'data.showFolder' | 'data.chooseFolder';

/** What a desktop does and a browser cannot. */
export function desktopHandlers(session: Session): Pick<Handlers, DesktopMethod> {
  const { ports } = session;
  return {
    'app.takeTarget': () => ({ target: session.takeTarget() }),
    'app.openWindow': async ({ target }) => {
      await can(ports.desktop?.openWindow)(target);
      return {};
    },
    'updates.check': async () => ({ newest: await can(ports.desktop?.checkForUpdates)() }),
    'data.folder': () => ({ folder: ports.dataFolder }),
    'data.showFolder': async () => {
      await can(ports.desktop?.showFolder)(ports.dataFolder);
      return {};
    },
    'data.chooseFolder': async () => ({ folder: await can(ports.desktop?.chooseFolder)() }),
  };
}

function can<Ability extends Desktop[keyof Desktop]>(ability: Ability): NonNullable<Ability> {
  if (ability) return ability;
  throw new BroadsheetError('not_supported', 'Only the desktop app can do this.');
}
