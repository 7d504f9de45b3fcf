import { isDeepStrictEqual } from 'node:util';
import { safeLink } from '../contract/addresses.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { Args, MethodsOf, Result } from '../contract/methods.ts';
import type { MarksKey } from '../contract/model/marks-folder.ts';
import type { Desktop, Ports } from '../contract/ports.ts';
import { listBackups, listParkedMirrors } from '../store/index.ts';
import type { Session } from './types.ts';

type HostMethods = {
  [M in MethodsOf<'host'>]: (args: Args<M>, session: Session) => Promise<Result<M>> | Result<M>;
};

export const HOST_METHODS: HostMethods = {
  'app.capabilities': (_args, { ports }) => ports.capabilities,
  'app.takeTarget': (_args, session) => ({ target: session.takeTarget() }),
  'app.lastPlace': async (_args, { lastPlace }) => ({ place: await lastPlace.get() }),
  'app.savePlace': async ({ place }, { lastPlace }) => {
    await lastPlace.save(place);
    return {};
  },
  'app.painted': (_args, { ports }) => {
    ports.desktop?.painted?.();
    return {};
  },
  'app.openWindow': async ({ target }, { ports }) => {
    await can(ports.desktop?.openWindow)(target);
    return {};
  },
  'page.savePdf': ({ name }, { ports }) => {
    if (ports.savePdf) return ports.savePdf(name);
    throw new BroadsheetError(
      'not_supported',
      'PDF export is only available in the desktop app. Print the page in your browser instead.',
    );
  },
  // The only way to open links: in the user's browser, never in the app's window.
  'links.open': async ({ url }, { ports }) => {
    const link = safeLink(url);
    if (link === null) throw new BroadsheetError('link_refused', 'Only http and https links can be opened.');
    await ports.openExternal(link);
    return {};
  },
  'notifications.test': (_args, { ports }) => can(ports.desktop?.testNotification)(),
  'updates.check': async (_args, { ports }) => ({ newest: await can(ports.desktop?.checkForUpdates)() }),
  'mcp.command': (_args, { ports }) => mcpCommand(ports),

  'settings.get': (_args, { ports }) => ports.settings.get(),
  'settings.set': ({ patch }, session) => session.changeSettings(patch),
  'source.get': (_args, { source }) => source,
  'gateway.get': (_args, { gateway }) => gateway.gateway,
  'gateway.setKey': ({ key }, { gateway }) => gateway.setKey(key),
  'gateway.allowKey': (_args, { gateway }) => gateway.allowKey(),
  'gateway.removeKey': (_args, { gateway }) => gateway.removeKey(),

  'marksFolder.choose': async (_args, { ports }) => ({ folder: await can(ports.desktop?.chooseSyncedFolder)() }),
  'marksFolder.set': async (choice, { engine, ports }) => {
    const { status, keys } = await engine.call('shareMarks', choice);
    await saveMarksKeys(ports, keys);
    return status;
  },
  'marksFolder.off': async (args, { engine, ports }) => {
    const status = await engine.call('marksFolder.off', args);
    await saveMarksKeys(ports, []);
    return status;
  },

  // The engine includes recent syncs that are not saved yet.
  'health.get': async (args, { engine, problems }) => ({
    ...(await engine.call('health.get', args)),
    problems: problems.list(),
  }),
  'health.check': async (args, { engine, problems }) => ({
    ...(await engine.call('health.check', args)),
    problems: problems.list(),
  }),
  'problems.report': ({ message, trace }, { problems }) => {
    problems.report('page', message, trace);
    return {};
  },
  'problems.dismiss': (_args, { problems }) => {
    problems.dismiss();
    return {};
  },

  'data.import': ({ text }, { data }) => data.import(text),
  'data.backups': (_args, { ports }) => ({ backups: listBackups(ports.dataFolder) }),
  'data.backUp': (args, { engine }) => engine.call('data.backUp', args),
  'data.restore': async ({ name }, { data }) => {
    await data.restore(name);
    return {};
  },
  'data.rebuildMirror': async (_args, { data }) => {
    await data.rebuildMirror();
    return {};
  },
  'data.parkedMirrors': (_args, { ports }) => ({ mirrors: listParkedMirrors(ports.dataFolder) }),
  'data.folder': (_args, { ports }) => ({ folder: ports.dataFolder }),
  'data.showFolder': async (_args, { ports }) => {
    await can(ports.desktop?.showFolder)(ports.dataFolder);
    return {};
  },
  'data.chooseFolder': async (_args, { ports }) => ({ folder: await can(ports.desktop?.chooseFolder)() }),
};

function can<Ability extends Desktop[keyof Desktop]>(ability: Ability): NonNullable<Ability> {
  if (ability) return ability;
  throw new BroadsheetError('not_supported', 'Only the desktop app can do this.');
}

/** Falls back to the command that people install. */
function mcpCommand({ commandLine, dataFolder }: Ports): Result<'mcp.command'> {
  const [command, ...script] = commandLine ?? ['broadsheet'];
  return { command, args: [...script, 'mcp', '--data', dataFolder], found: commandLine !== undefined };
}

async function saveMarksKeys({ marksKeys }: Ports, keys: readonly MarksKey[]): Promise<void> {
  // Saving may prompt, as the keychain encrypts.
  if (marksKeys && !isDeepStrictEqual(marksKeys.get(), keys)) await marksKeys.save(keys);
}
