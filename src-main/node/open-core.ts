import type { Args, MethodName, Result } from '../contract/methods.ts';
import { BroadsheetError, fromFailure } from '../contract/errors.ts';
import type { Log, Ports } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { createCore, createReadingCore } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Invocation } from './invocation.ts';
import { sayWarning } from './shell.ts';
import { createNodePorts, NO_DEMO_ADDRESS } from './ports.ts';
import { warningText } from './terminal-text.ts';
import { RETRY_LIMIT, retryWhileInUse } from './retry-while-in-use.ts';

export interface OpenCore {
  core: Core;
  wire: Wire;
  log: Log;
  /** Closes the core, then the services that it uses. Can be called again. */
  close: () => Promise<void>;
}

interface WritingOptions {
  /** False for commands that only change saved data, which must not switch the data folder to another service. */
  fetches: boolean;
  engineModule?: URL;
  /** Waits while another process uses the folder; for short commands. */
  waits: boolean;
  keepsLog?: boolean;
  /** For the command that saves the gateway's key in a file: the gateway is asked, whatever `fetches` says. */
  savesKey?: boolean;
  savesMarksKeys?: boolean;
  keepsService?: boolean;
  gaveUp?: (error: unknown) => void;
}

/** Opens a core that can write. Errors: `data_in_use`, and those of opening the files. */
export async function openCore(invocation: Invocation, { waits, ...options }: WritingOptions): Promise<OpenCore> {
  const { keepsService = false } = options;
  const { ports, close } = await createNodePorts(invocation, { ...options, writable: true });
  const chosen = options.fetches
    ? { ...ports, keepsService }
    : { ...ports, ...withoutFetching(invocation, ports, options) };
  try {
    const core = await retryWhileInUse(() => createCore(chosen), waits ? RETRY_LIMIT : 0);
    await printStorageWarnings(invocation, core.wire);
    return opened(core, ports.log, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Prints what happened to files, in every run until it is restored or dismissed. */
async function printStorageWarnings({ shell }: Invocation, wire: Wire): Promise<void> {
  const { storageWarnings } = await call(wire, 'sync.status', {});
  for (const warning of storageWarnings) await sayWarning(shell, warningText(warning));
}

/** The saved data stays that of its service. */
function withoutFetching(
  invocation: Invocation,
  ports: Ports,
  { savesKey = false }: { savesKey?: boolean },
): Partial<Ports> {
  const source = storedSourceOr(invocation, ports);
  // With a new key the core begins to fetch the model lists. That closing cancels it is not worth a warning.
  return savesKey ? { source, log: () => undefined } : { source, gateway: () => null };
}

function storedSourceOr(invocation: Invocation, ports: Ports): Ports['source'] {
  return async (settings) => {
    const reading = await openReadingCore(invocation).catch(() => undefined);
    if (!reading) return ports.source(settings);
    const stored = await call(reading.wire, 'source.get', {}).finally(reading.close);
    return stored.demo ? { ...stored, address: NO_DEMO_ADDRESS } : stored;
  };
}

interface ReadingOptions {
  opensLinks?: boolean;
  /** Only the service in use, even if it never sent anything. */
  current?: boolean;
}

/** Opens a core that only reads, even while another process writes. Undefined if nothing is saved yet. */
export async function openReadingCore(
  invocation: Invocation,
  { current = false, ...options }: ReadingOptions = {},
): Promise<OpenCore | undefined> {
  const { ports, close } = await createNodePorts(invocation, { ...options, writable: false, fetches: false });
  try {
    const core = await createReadingCore(ports, { current });
    if (core.insteadOf !== null) await sayWhoseNews(invocation, core.insteadOf, core.wire);
    return opened(core, ports.log, close);
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Opens the same core, for something that must be there. Errors: `not_found` if nothing is saved yet. */
export async function openStored(invocation: Invocation, options: ReadingOptions = {}): Promise<OpenCore> {
  const opened = await openReadingCore(invocation, options);
  if (opened) return opened;
  throw new BroadsheetError('not_found', nothingSaved(invocation));
}

export function nothingSaved({ dataFolder }: Invocation): string {
  return `Nothing saved yet in ${dataFolder}: run \`broadsheet sync\`.`;
}

async function sayWhoseNews({ shell }: Invocation, inUse: string, wire: Wire): Promise<void> {
  const { demo, address } = await call(wire, 'source.get', {});
  await shell.err.line(
    `Nothing complete from ${inUse} yet. Showing what was saved from ${demo ? 'the demo' : address}.`,
  );
}

export async function call<M extends MethodName>(wire: Wire, method: M, args: Args<M>): Promise<Result<M>> {
  const reply = await wire.call(method, args);
  if (reply.ok) return reply.value;
  throw fromFailure(reply.error);
}

function opened(core: Core, log: Log, closeHost: () => Promise<void>): OpenCore {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= core.close().then(closeHost));
  return { core, wire: core.wire, log, close };
}
