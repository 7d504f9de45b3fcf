import { setTimeout as wait } from 'node:timers/promises';
import type { Args, MethodName, Result } from '../contract/api.ts';
import { BroadsheetError, fromFailure } from '../contract/errors.ts';
import type { StorageWarning } from '../contract/model/sync-status.ts';
import type { Log, Ports } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { createCore, createReadingCore } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Invocation } from './invocation.ts';
import { createNodePorts, NO_DEMO_ADDRESS } from './ports.ts';

/** Milliseconds that a short command waits for another one to leave the data folder, and between two tries. */
const PATIENCE = 10_000;
const BETWEEN_TRIES = 200;

/** A core with everything that its host started for it. */
export interface OpenCore {
  core: Core;
  wire: Wire;
  log: Log;
  /** Closes the core first, then what it was using. Calling it again does no more. */
  close: () => Promise<void>;
}

interface WritingOptions {
  /** False for commands that only change what is stored: they leave the folder with the services it mirrors. */
  fetches: boolean;
  engineModule?: URL;
  /** Whether to wait while another process owns the folder, as commands do that come and go. */
  waits: boolean;
  /** Whether what is logged goes into the data folder's log file too. */
  keepsLog?: boolean;
}

/** The core that owns the data folder. Errors: `data_in_use`, and what opening the files can end in. */
export async function openCore(invocation: Invocation, { waits, ...options }: WritingOptions): Promise<OpenCore> {
  const { ports, close } = await createNodePorts(invocation, { ...options, writable: true });
  const chosen = options.fetches ? ports : { ...ports, source: storedSourceOr(invocation, ports), gateway: () => null };
  try {
    const core = await retryWhileInUse(() => createCore(chosen), waits ? PATIENCE : 0);
    await tellNotifications(invocation, core.wire);
    return opened(core, ports.log, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stored files that were set aside on the way in: nobody else tells of them after this process. */
async function tellNotifications({ shell }: Invocation, wire: Wire): Promise<void> {
  const { storageWarnings } = await ask(wire, 'sync.status', {});
  for (const warning of storageWarnings) await shell.err.line(`broadsheet: warn: ${warningInWords(warning)}`);
}

function warningInWords({ file, reason, setAsideAs, backup }: StorageWarning): string {
  // Only settings of a newer version stay where they are.
  if (setAsideAs === null && reason === 'newer') {
    return `${file} was written by a newer Broadsheet: what is understood of it holds, and it is not changed.`;
  }
  const aside = setAsideAs === null ? '' : ` It is kept as ${setAsideAs}.`;
  const copy =
    backup === undefined ? '' : ` There is a copy of it: \`broadsheet data restore ${backup}\` puts it back.`;
  return `${file} could not be used (${reason}) and was made anew.${aside}${copy}`;
}

/** The service whose mirror is stored; where there is none, or it cannot be read, the one that would be fetched from. */
function storedSourceOr(invocation: Invocation, ports: Ports): Ports['source'] {
  return async (settings) => {
    const reading = await openReadingCore(invocation).catch(() => undefined);
    if (!reading) return ports.source(settings);
    const stored = await ask(reading.wire, 'source.get', {}).finally(reading.close);
    return stored.demo ? { ...stored, address: NO_DEMO_ADDRESS } : stored;
  };
}

/** A core that only reads, beside whatever else runs on the folder. Undefined where nothing is stored yet. */
export async function openReadingCore(invocation: Invocation): Promise<OpenCore | undefined> {
  const { ports, close } = await createNodePorts(invocation, { writable: false, fetches: false });
  try {
    return opened(await createReadingCore(ports), ports.log, close);
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** A call whose failure is thrown. */
export async function ask<M extends MethodName>(wire: Wire, method: M, args: Args<M>): Promise<Result<M>> {
  const reply = await wire.call(method, args);
  if (reply.ok) return reply.value;
  throw fromFailure(reply.error);
}

function opened(core: Core, log: Log, closeHost: () => Promise<void>): OpenCore {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= core.close().then(closeHost));
  return { core, wire: core.wire, log, close };
}

async function retryWhileInUse<T>(attempt: () => Promise<T>, patience: number): Promise<T> {
  for (let waited = 0; ; waited += BETWEEN_TRIES) {
    try {
      return await attempt();
    } catch (error) {
      const inUse = error instanceof BroadsheetError && error.code === 'data_in_use';
      if (!inUse || waited >= patience) throw error;
      await wait(BETWEEN_TRIES);
    }
  }
}
