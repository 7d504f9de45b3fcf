import { BroadsheetError } from '../contract/errors.ts';
import type { Capabilities } from '../contract/model/capabilities.ts';
import { callOf, type Call, type Wire } from '../contract/wire.ts';
import { callsOfRunning } from '../core/endpoint.ts';
import type { HookRunner } from '../core/hook.ts';
import type { Invocation } from './invocation.ts';
import { openCore, type WritingOptions } from './open-core.ts';
import { retryWhileInUse } from './retry-while-in-use.ts';
import { MachineError } from './shell.ts';

export interface Writer {
  wire: Wire;
  call: Call;
  close: () => Promise<void>;
  /** The process that has the folder, unless it is this one. */
  through?: Capabilities['host'];
  hook?: HookRunner | undefined;
}

/**
 * Opens the data folder through the app or `serve` if one of them has it, else a core of its own, as soon as no other command has
 * it. Keys are saved by a core of its own only. Errors: `data_in_use`, those of opening the files, and `MachineError` if the
 * other one uses another service than the one asked for.
 */
export function openToWrite(invocation: Invocation, options: WritingOptions): Promise<Writer> {
  const savesKeys = options.savesKey === true || options.savesFolderKeys === true;
  return retryWhileInUse(async () => {
    const running = savesKeys ? null : await throughRunning(invocation, options);
    return running ?? (await openCore(invocation, options));
  });
}

export async function throughRunning(
  invocation: Invocation,
  { fetches }: Pick<WritingOptions, 'fetches'>,
): Promise<Writer | null> {
  const running = await callsOfRunning(invocation.dataFolder);
  if (running === null) return null;
  const { wire, close } = running;
  const call = callOf(wire);
  try {
    if (fetches) await assertSameServices(invocation, call);
    const { host } = await call('app.capabilities', {});
    return { wire, call, close: async () => close(), through: host };
  } catch (error) {
    close();
    // It was just closed: the folder is free in a moment.
    if (error instanceof BroadsheetError && error.code === 'closed') return null;
    throw error;
  }
}

async function assertSameServices(given: Invocation, call: Call): Promise<void> {
  const [news, { source: models }] = await Promise.all([call('source.get', {}), call('gateway.get', {})]);
  const wantedNews = given.newsOption ?? given.newsEnvironment;
  const wantedModels = given.modelsOption ?? given.modelsEnvironment;
  const isSame =
    (given.demo
      ? news.demo && (given.demo === 'harsh') === (news.harsh === true)
      : wantedNews === undefined || [news.address, news.awaited].includes(wantedNews)) &&
    (wantedModels === undefined || wantedModels === models?.address);
  if (isSame) return;
  throw new MachineError(
    'Broadsheet is running with this data folder and other services. Close it, or leave out --news, --models and --demo.',
  );
}
