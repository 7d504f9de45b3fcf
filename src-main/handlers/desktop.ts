import type { Result } from '../contract/methods.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { Desktop, Ports } from '../contract/ports.ts';
import type { Handlers, Session } from './types.ts';

/** Methods for desktop features that a browser doesn't have. */
export function desktopHandlers(session: Session) {
  const { ports } = session;
  return {
    'app.takeTarget': () => ({ target: session.takeTarget() }),
    'app.painted': () => {
      ports.desktop?.painted?.();
      return {};
    },
    'app.openWindow': async ({ target }) => {
      await can(ports.desktop?.openWindow)(target);
      return {};
    },
    'notifications.test': () => can(ports.desktop?.testNotification)(),
    'updates.check': async () => ({ newest: await can(ports.desktop?.checkForUpdates)() }),
    'mcp.command': () => mcpCommand(ports),
    'data.folder': () => ({ folder: ports.dataFolder }),
    'data.showFolder': async () => {
      await can(ports.desktop?.showFolder)(ports.dataFolder);
      return {};
    },
    'marksFolder.choose': async () => ({ folder: await can(ports.desktop?.chooseSyncedFolder)() }),
    'data.chooseFolder': async () => ({ folder: await can(ports.desktop?.chooseFolder)() }),
  } satisfies Partial<Handlers>;
}

function can<Ability extends Desktop[keyof Desktop]>(ability: Ability): NonNullable<Ability> {
  if (ability) return ability;
  throw new BroadsheetError('not_supported', 'Only the desktop app can do this.');
}

/** Without a command line of its own, an installation names the one that people install. */
function mcpCommand({ commandLine, dataFolder }: Ports): Result<'mcp.command'> {
  const [command, ...script] = commandLine ?? ['broadsheet'];
  return { command, args: [...script, 'mcp', '--data', dataFolder], found: commandLine !== undefined };
}
