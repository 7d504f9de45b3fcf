import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { flag, option, ownCommand, whole, withDefault } from '../command.ts';
import { ownFolders, type Invocation } from '../invocation.ts';
import { CLI_MODULE } from '../project.ts';
import { print } from '../run-command.ts';
import { EXIT, isAgreed, MachineError, type ExitCode } from '../shell.ts';
import { oneLine, severalLines } from '../terminal-text.ts';
import { unitFor, type ServicePlace, type ServiceSystem, type Step, type Unit } from './service-units.ts';

/** Registered for nothing, and not among the ephemeral ports of systems. */
export const DEFAULT_PORT = 7311;
const HELP = `
It runs \`serve\` for you alone, from your login on, with the saved settings. On Linux, to keep it without a login:
  loginctl enable-linger`;

export const SERVICE_COMMANDS = {
  'service install': ownCommand({
    about: 'show the unit, ask, write it and start the service',
    options: {
      port: withDefault(option('n', whole('the port on 127.0.0.1', 1024, 65_535)), DEFAULT_PORT),
      yes: flag('do not ask'),
    },
    help: HELP,
    run: ({ port, yes = false }, invocation) => installService(invocation, { port, yes }),
  }),
  'service remove': ownCommand({
    about: 'stop the service and remove its unit; your data stays',
    run: (_given, invocation) => removeService(invocation),
  }),
  'service status': ownCommand({
    about: 'say whether the service is installed and running',
    run: (_given, invocation) => serviceStatus(invocation),
  }),
};

export interface Manager {
  place: ServicePlace;
  node: string;
  cli: string;
  /** Returns null, or why the program failed. */
  run(step: Step): Promise<string | null>;
}

const SYSTEMS: readonly string[] = ['linux', 'darwin', 'win32'] satisfies ServiceSystem[];

/** Exits with 1 if the reader or the service manager refuses. Errors: `UsageError` without a terminal and `--yes`. */
export async function installService(
  invocation: Invocation,
  { port, yes }: { port: number; yes: boolean },
  manager: Manager = thisManager(),
): Promise<ExitCode> {
  const { shell, json, dataFolder } = invocation;
  const unit = unitOf(invocation, port, manager, await sharedFolders(invocation));
  const shown = json ? shell.err : shell.out;
  await shown.line(`${oneLine(unit.file)}:\n`);
  await shown.line(severalLines(unit.text));
  await shown.line(oneLine(`Then: ${unit.install.map((step) => step.join(' ')).join('; ')}`));
  await printLeftOut(invocation);
  if (!yes && !(await isAgreed(shell, 'Write this file and start the service?'))) return EXIT.failed;
  (await import('../../core/core.ts')).makeDataFolder(dataFolder);
  await mkdir(path.dirname(unit.file), { recursive: true });
  const [{ writeAtomically }, { fileToWrite }] = await Promise.all([
    import('../../core/files/atomic-write.ts'),
    import('../../core/files/chosen-file.ts'),
  ]);
  const file = await fileToWrite(unit.file, ownFolders(invocation));
  const before = await readFile(file).catch(() => null);
  await writeAtomically(file, unit.content);
  const problem = await startUnit(unit, manager);
  if (problem !== null) {
    if (before === null) await removeUnit(unit, manager);
    else {
      await writeAtomically(file, before);
      await startUnit(unit, manager);
    }
    const left = before === null ? 'Nothing is installed.' : 'The service is installed as it was before.';
    throw new MachineError(`${problem.replace(/\.?$/, '.')} ${left}`);
  }
  const text = `Installed. It serves http://127.0.0.1:${String(port)} to this computer only; broadsheet service status shows its address.`;
  await print(invocation, { installed: unit.file, port }, text);
  return EXIT.well;
}

export async function removeService(invocation: Invocation, manager: Manager = thisManager()): Promise<ExitCode> {
  const { shell } = invocation;
  const unit = unitOf(invocation, 0, manager);
  if (!existsSync(unit.file)) {
    await shell.err.line('No service is installed.');
    return EXIT.well;
  }
  await removeUnit(unit, manager);
  await print(invocation, { removed: unit.file }, 'Service removed. Your data is unchanged.');
  return EXIT.well;
}

async function removeUnit(unit: Unit, manager: Manager): Promise<void> {
  // Stopping fails if the service is not running.
  for (const step of unit.remove) await manager.run(step);
  await rm(unit.file, { force: true });
  for (const step of unit.afterRemove) await manager.run(step);
}

/** Exits with 3, as of other services, if it does not run. */
export async function serviceStatus(invocation: Invocation, manager: Manager = thisManager()): Promise<ExitCode> {
  const { dataFolder } = invocation;
  const unit = unitOf(invocation, 0, manager);
  const installed = existsSync(unit.file);
  const running = installed && (await manager.run(unit.status)) === null;
  const text = !installed
    ? 'not installed'
    : running
      ? `running (${unit.file})`
      : `installed, not running (${unit.file})`;
  const { rememberedAddress } = await import('../serving.ts');
  const address = running ? rememberedAddress(dataFolder) : null;
  const texts = [oneLine(text), ...(address === null ? [] : [address])];
  await print(invocation, { installed: installed ? unit.file : null, running, address }, texts);
  return running ? EXIT.well : EXIT.stopped;
}

function unitOf({ dataFolder }: Invocation, port: number, { place, node, cli }: Manager, shared: string[] = []): Unit {
  return unitFor({ node, cli, dataFolder, port, shared }, place);
}

async function sharedFolders(invocation: Invocation): Promise<string[]> {
  const { openReadingCore } = await import('../open-core.ts');
  const opened = await openReadingCore(invocation).catch(() => undefined);
  if (!opened) return [];
  const { folder } = await opened.call('devices.get', {}).finally(opened.close);
  return folder === null ? [] : [folder];
}

/** Options and the environment of this command are not in the unit: everyone can read the arguments of a service. */
async function printLeftOut({ shell, ...given }: Invocation): Promise<void> {
  const { newsOption, newsEnvironment, modelsOption, modelsEnvironment, modelsKey, demo } = given;
  const services = [newsOption, newsEnvironment, modelsOption, modelsEnvironment, demo];
  if (services.some((one) => one !== undefined)) {
    await shell.err.line('The service uses the saved settings, and not the services given here: see settings set.');
  }
  if (modelsKey !== undefined) await shell.err.line('The key is not in the unit: save it with settings set api-key.');
}

async function startUnit(unit: Unit, manager: Manager): Promise<string | null> {
  if (manager.place.system === 'darwin') for (const step of unit.remove) await manager.run(step);
  for (const step of unit.install) {
    const problem = await manager.run(step);
    if (problem !== null) return `\`${step.join(' ')}\` failed: ${problem}`;
  }
  return null;
}

function thisManager(): Manager {
  const { platform, execPath } = process;
  if (!isServiceSystem(platform)) throw new MachineError(`Services are not supported on ${platform}.`);
  const { uid, homedir: home } = userInfo();
  return {
    place: { system: platform, home: homedir() || home, environment: process.env, uid },
    node: execPath,
    cli: CLI_MODULE,
    run: runProgramStep,
  };
}

function isServiceSystem(platform: NodeJS.Platform): platform is ServiceSystem {
  return SYSTEMS.includes(platform);
}

function runProgramStep([program, ...args]: Step): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 30_000, windowsHide: true }, (error, _out, errors) => {
      if (!error) resolve(null);
      else resolve(oneLine(errors.trim()) || (error.code === 'ENOENT' ? `${program} is missing` : error.message));
    });
  });
}
