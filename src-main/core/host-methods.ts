import { isDeepStrictEqual } from 'node:util';
import { safeLink } from '../contract/addresses.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { Args, MethodsOf, Result } from '../contract/methods.ts';
import type { FolderKey } from '../contract/model/devices.ts';
import type { Desktop, Ports } from '../contract/ports.ts';
import { parseLink } from '../contract/refs.ts';
import type { Settings } from '../contract/settings.ts';
import type { ImportResult } from '../contract/user-data.ts';
import { listBackups, listParkedMirrors, restoreBackup, soundBackup } from '../store/index.ts';
import { parseUserData } from '../sync/engine/user-data-file.ts';
import { explainErrors } from './files/atomic-write.ts';
import { checkSettings } from './settings/settings-file.ts';
import type { Session } from './types.ts';

type HostMethods = {
  [M in MethodsOf<'host'>]: (args: Args<M>, session: Session) => Promise<Result<M>> | Result<M>;
};

export const HOST_METHODS: HostMethods = {
  'app.capabilities': (_args, { ports }) => ports.capabilities,
  'app.takeTarget': (_args, session) => ({ target: session.takeTarget() }),
  'app.lastPlace': (_args, { lastPlace }) => lastPlace.get(),
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
  'app.show': ({ link }, session) => {
    can(session.ports.desktop?.show)();
    const target = link === undefined ? null : parseLink(link);
    if (target) session.goTo(target);
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

  'devices.choose': async (_args, { ports }) => ({ folder: await can(ports.desktop?.chooseSyncedFolder)() }),
  'devices.set': async (choice, { engine, ports }) => {
    const { status, keys } = await engine.call('shareFolder', choice);
    await saveFolderKeys(ports, keys);
    return status;
  },
  'devices.off': async (args, { engine, ports }) => {
    const status = await engine.call('devices.off', args);
    await saveFolderKeys(ports, []);
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

  'data.import': ({ text }, session) => importUserData(text, session),
  'data.backups': (_args, { ports }) => ({ backups: listBackups(ports.dataFolder) }),
  'data.backUp': (args, { engine }) => engine.call('data.backUp', args),
  'data.restore': async ({ name }, session) => {
    await restore(name, session);
    return {};
  },
  'data.rebuildMirror': async (_args, session) => {
    await rebuildMirror(session);
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

function mcpCommand({ commandLine, dataFolder }: Ports): Result<'mcp.command'> {
  const [command, ...script] = commandLine ?? ['broadsheet'];
  return { command, args: [...script, 'mcp', '--data', dataFolder], found: commandLine !== undefined };
}

async function saveFolderKeys({ folderKeys }: Ports, keys: readonly FolderKey[]): Promise<void> {
  // Saving may prompt, as the keychain encrypts.
  if (folderKeys && !isDeepStrictEqual(folderKeys.get(), keys)) await folderKeys.save(keys);
}

/** All or nothing: saves settings first, and restores them if the data, in one transaction, can't be saved. */
async function importUserData(text: string, session: Session): Promise<ImportResult> {
  const { ports } = session;
  const { settings } = parseUserData(text);
  const before = ports.settings.get();
  const patch = changesOf(before, settings);
  const changed = Object.keys(patch) as (keyof Settings)[];
  if (changed.length > 0) await session.changeSettings(patch);
  try {
    const report = await session.engine.call('data.import', { text });
    return { ...report, settings: settings !== undefined };
  } catch (error) {
    const old = Object.fromEntries(changed.map((name) => [name, before[name]]));
    if (changed.length > 0) await session.changeSettings(old).catch(() => ports.log('error', 'Imported settings stay'));
    throw error;
  }
}

function changesOf(now: Settings, file: unknown): Partial<Settings> {
  const wanted = Object.entries(checkSettings(file, now));
  return Object.fromEntries(wanted.filter(([name, value]) => !isDeepStrictEqual(value, now[name as keyof Settings])));
}

async function restore(name: string, session: Session): Promise<void> {
  const { dataFolder, clock } = session.ports;
  ensureFiles(dataFolder);
  // Checked first, so that a wrong name closes no files.
  soundBackup(dataFolder, name);
  await session.withFilesClosed((lock) =>
    explainErrors(dataFolder, () => restoreBackup(dataFolder, name, clock.now(), lock)),
  );
}

/** Keeps the saved news in use until the download is complete. */
async function rebuildMirror(session: Session): Promise<void> {
  ensureFiles(session.ports.dataFolder);
  const built = await session.engine.call('rebuild');
  await session.withFilesClosed(() => null);
  if (session.queries.mirror.get('build') === built) return;
  const message =
    'The news was downloaded again but could not replace what is saved, which is unchanged. Free some space on the disk, close other programs that use the data folder, and try again.';
  throw new BroadsheetError('data_unreadable', message, { retryable: true });
}

function ensureFiles(dataFolder: string): void {
  if (dataFolder !== ':memory:') return;
  throw new BroadsheetError('not_supported', 'All data is in memory only, so there are no files to back up.');
}
