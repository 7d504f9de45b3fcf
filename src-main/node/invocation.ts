import { InvalidArgumentError } from 'commander';
import { isServiceAddress } from '../contract/addresses.ts';
import { DEMO_KINDS, isDemoKind, type DemoKind } from '../contract/model/sync-status.ts';
import type { Call } from '../contract/wire.ts';
import { dataFolderOf, defaultDataFolder, folderProblem } from '../core/files/data-folder.ts';
import { keyFrom } from '../core/credentials/key-stores.ts';
import { UsageError, type Shell } from './shell.ts';

export interface CommonOptions {
  data?: string;
  news?: string;
  models?: string;
  demo?: DemoKind;
  json?: boolean;
}

export interface Invocation {
  shell: Shell;
  dataFolder: string;
  /** Separate from the environment, because the page shows which of them overrides the settings. */
  newsOption: string | undefined;
  newsEnvironment: string | undefined;
  demo: DemoKind | undefined;
  modelsOption: string | undefined;
  modelsEnvironment: string | undefined;
  /** Only from the environment: every program on this computer could read an option. */
  modelsKey: string | undefined;
  json: boolean;
  /** Set where a standing export runs, which has no core and no signals of its own. */
  within?: { call: Call; stop: AbortSignal };
}

/** Errors: `UsageError` for a wrong environment, `data_unreadable` if the folder chosen in the app doesn't exist. */
export function resolveInvocation(options: CommonOptions, shell: Shell): Invocation {
  const problem = folderProblem(options.data, shell.environment);
  if (problem) throw problem;
  return {
    shell,
    dataFolder: dataFolderOf(options.data, shell.environment),
    newsOption: options.news,
    newsEnvironment: addressFrom(shell, 'BROADSHEET_NEWS_URL'),
    demo: options.demo ?? (options.news === undefined ? demoFrom(shell) : undefined),
    modelsOption: options.models,
    modelsEnvironment: addressFrom(shell, 'BROADSHEET_MODELS_URL'),
    modelsKey: modelsKeyFrom(shell),
    json: options.json ?? false,
  };
}

export function parseAddress(text: string): string {
  if (isServiceAddress(text)) return text;
  throw new InvalidArgumentError('It must be an http or https address without user name, query and fragment.');
}

function addressFrom(shell: Shell, name: string): string | undefined {
  const text = readVariable(shell, name);
  if (text === undefined || isServiceAddress(text)) return text;
  throw new UsageError(`${name} must be an http or https address without user name, query and fragment.`);
}

function demoFrom(shell: Shell): DemoKind | undefined {
  const text = readVariable(shell, 'BROADSHEET_DEMO');
  if (text === undefined || isDemoKind(text)) return text;
  throw new UsageError(`BROADSHEET_DEMO must be one of ${DEMO_KINDS.join(', ')}.`);
}

function modelsKeyFrom({ environment }: Shell): string | undefined {
  try {
    return keyFrom(environment);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** An empty variable counts as not set. */
function readVariable(shell: Shell, name: string): string | undefined {
  return shell.environment[name] || undefined;
}

/** Folders for Broadsheet's own files only. The default one has a file with the path of the data folder. */
export function ownFolders({ dataFolder, shell }: Invocation): string[] {
  return [dataFolder, defaultDataFolder(shell.environment)];
}
