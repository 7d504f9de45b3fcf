import { isGatewayKey, MIN_LENGTH_TO_SHOW } from '../../../contract/model/gateway.ts';
import type { Credential } from '../../../contract/ports.ts';
import { keyInFile, removeKeyFile } from '../../../core/credentials/key-file.ts';
import { KEY_VARIABLE } from '../../../core/credentials/run-credentials.ts';
import { inLockedFolder } from '../../../core/settings/settings-file.ts';
import type { Invocation } from '../../invocation.ts';
import { createStderrLog } from '../../log.ts';
import { call, openCore } from '../../open-core.ts';
import { RETRY_LIMIT, retryWhileInUse } from '../../retry-while-in-use.ts';
import { EXIT, MachineError, UsageError, type ExitCode } from '../../shell.ts';
import { jsonLine, oneLine } from '../../terminal.ts';
import { API_KEY } from './setting-values.ts';

/** More than the longest key, so that a longer one is refused and not cut. */
const LONGEST_LINE = 4096;

/** What may be shown of a saved key. */
interface SavedKey {
  lastFour: string | null;
  /** The only one that it is sent to. */
  origin: string;
}

export interface KeyRecord {
  name: typeof API_KEY;
  value: SavedKey | null;
}

/** The key in the data folder's file. */
export function keyRecord({ dataFolder, shell }: Invocation): KeyRecord {
  const saved = keyInFile(dataFolder, createStderrLog(shell));
  return { name: API_KEY, value: saved && shown(saved) };
}

export function keyText(saved: SavedKey | null): string {
  if (!saved) return 'none';
  return oneLine(`${saved.lastFour === null ? 'saved' : `…${saved.lastFour}`}, sent only to ${saved.origin}`);
}

/**
 * Reads the gateway's key from standard input, tests it at the gateway, and saves it. Exit code 1 if the gateway refuses
 * it; it is then not saved. Errors: `UsageError` for what can't be a key; `not_found` without a gateway; `data_in_use`.
 */
export async function setKey(invocation: Invocation): Promise<ExitCode> {
  const { shell, json } = invocation;
  const key = await readKey(invocation);
  const opened = await openCore(invocation, { fetches: false, waits: true, savesKey: true });
  try {
    const { source } = await call(opened.wire, 'gateway.get', {});
    if (source === null) {
      throw new MachineError(
        'A key belongs to a model service, and none is set. Set it first: broadsheet settings set models-address URL',
      );
    }
    const { kept, failure, gateway } = await call(opened.wire, 'gateway.setKey', { key });
    if (!kept) throw new MachineError(`The key was not saved. ${failure?.message ?? ''}`.trimEnd());
    if (failure) await shell.err.line(oneLine(`The key is saved, but could not be tested: ${failure.message}`));
    const { lastFour, origin } = gateway.key;
    const value: SavedKey = { lastFour, origin: origin ?? source.address };
    const record: KeyRecord = { name: API_KEY, value };
    await shell.out.line(json ? jsonLine(record) : `${API_KEY}: ${keyText(value)}`);
    if (!json) await shell.err.line('It is not encrypted: only you can read the file, and programs that you start.');
  } finally {
    await opened.close();
  }
  if (invocation.modelsKey !== undefined) await shell.err.line(`${KEY_VARIABLE} is set, and overrides it where it is.`);
  return EXIT.well;
}

/** Removes the file with the key. Errors: `data_in_use`, `data_read_only`. */
export async function removeKey(invocation: Invocation): Promise<ExitCode> {
  const { shell, json, dataFolder } = invocation;
  await retryWhileInUse(
    async () =>
      inLockedFolder(dataFolder, () => {
        removeKeyFile(dataFolder);
      }),
    RETRY_LIMIT,
  );
  const record: KeyRecord = { name: API_KEY, value: null };
  await shell.out.line(json ? jsonLine(record) : `${API_KEY}: none`);
  return EXIT.well;
}

async function readKey({ shell }: Invocation): Promise<string> {
  const { input, err } = shell;
  const ask = async (): Promise<void> => {
    if (input.isTerminal) await err.line('Enter the key. It is not shown:');
  };
  const key = (await input.line({ longest: LONGEST_LINE, hidden: true, ask }))?.trim() ?? '';
  if (key === '') throw new UsageError('there is no key on standard input');
  if (!isGatewayKey(key)) throw new UsageError('a key has 1 to 512 letters, digits or signs, and no spaces');
  return key;
}

function shown({ key, origin }: Credential): SavedKey {
  return { lastFour: key.length >= MIN_LENGTH_TO_SHOW ? key.slice(-4) : null, origin };
}
