import { guardOfShape } from '../../contract/guards.ts';
import { checkArgs } from '../../contract/methods.ts';
import { isGatewayKey, MIN_LENGTH_TO_SHOW } from '../../contract/model/model.ts';
import type { Credential } from '../../contract/ports.ts';
import type { SettingName, Settings, Shape } from '../../contract/settings.ts';
import { KEY_VARIABLE, readKeyFile, removeKeyFile } from '../../core/credentials/key-stores.ts';
import { inLockedFolder, readSettings } from '../../core/settings/settings-file.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { Invocation } from '../invocation.ts';
import { createStderrLog, printWarning, EXIT, MachineError, UsageError, type ExitCode } from '../shell.ts';
import { retryWhileInUse } from '../retry-while-in-use.ts';
import { print } from '../run-command.ts';
import { bold, dim, line, type Text, oneLine, warningText } from '../terminal-text.ts';
import {
  allowedText,
  API_KEY,
  defaultAt,
  patchFor,
  SETTING_PATHS,
  settingNamed,
  settingText,
  spelling,
  valueAt,
  type SettingPath,
} from './setting-values.ts';

export async function listSettings(invocation: Invocation): Promise<ExitCode> {
  const settings = await readSaved(invocation);
  for (const path of SETTING_PATHS) await print(invocation, record(settings, path), settingLine(settings, path));
  const key = readSavedKey(invocation);
  await print(invocation, keyRecord(key), line`${dim(API_KEY.padEnd(WIDTH))}${keyText(key)}`);
  return EXIT.well;
}

export async function getSetting(invocation: Invocation, name: string): Promise<ExitCode> {
  const path = isKey(name) ? null : requireSetting(name);
  const settings = await readSaved(invocation);
  if (path === null) {
    const key = readSavedKey(invocation);
    await print(invocation, keyRecord(key), keyText(key));
  } else await print(invocation, record(settings, path), oneLine(settingText(valueAt(settings, path))));
  return EXIT.well;
}

/** Checks like the window. Errors: `UsageError` for an unknown name or wrong value, `data_in_use`, those of writing. */
export async function setSetting(invocation: Invocation, name: string, text: string | undefined): Promise<ExitCode> {
  if (isKey(name)) {
    if (text === undefined) return setKey(invocation);
    // The value is not repeated: it is probably the key.
    throw new UsageError(
      "'settings set api-key' takes no value, because other programs can read arguments. It reads the key from standard input",
    );
  }
  const path = requireSetting(name);
  if (text === undefined) throw new UsageError("missing required argument 'value'");
  const meant = valueOfText(text, path.shape);
  if (!meant) throw new UsageError(`${path.name} can't have this value. Use ${allowedText(path.shape)}`);
  return change(invocation, path, meant.value);
}

export async function unsetSetting(invocation: Invocation, name: string): Promise<ExitCode> {
  if (isKey(name)) return removeKey(invocation);
  const path = requireSetting(name);
  return change(invocation, path, defaultAt(path));
}

async function change(invocation: Invocation, path: SettingPath, value: unknown): Promise<ExitCode> {
  const { dataFolder: folder, shell } = invocation;
  const log = createStderrLog(shell);
  const { openSettingsStore } = await import('../settings-store.ts');
  const save = (): { settings: Settings; warnings: string[]; isRunning: boolean } => {
    // Read only in the locked folder.
    const store = openSettingsStore({ folder, clock: systemClock, log });
    const current = store.get();
    const { patch } = checkArgs('settings.set', { patch: patchFor(current, path, value) });
    store.set({ ...current, ...patch });
    return { settings: store.get(), warnings: (store.storageWarnings ?? []).map(warningText), isRunning: false };
  };
  const { throughRunning } = await import('../open-to-write.ts');
  const { settings, warnings, isRunning } = await retryWhileInUse(async () => {
    const running = await throughRunning(invocation, { fetches: false });
    if (!running) return inLockedFolder(folder, save);
    const { call, close } = running;
    try {
      const patch = patchFor(await call('settings.get', {}), path, value);
      return { settings: await call('settings.set', { patch }), warnings: [], isRunning: true };
    } finally {
      await close();
    }
  });
  for (const warning of warnings) await printWarning(shell, warning);
  await printOverride(invocation, path);
  const text = oneLine(`${path.name}: ${settingText(valueAt(settings, path))}`);
  await print(invocation, record(settings, path), text);
  if (!invocation.json) await shell.err.line(`It applies ${appliesWhen(path, isRunning)}.`);
  return EXIT.well;
}

const AT_SYNC: readonly SettingName[] = ['keepDays', 'keepServicesDays'];
const AT_START: readonly SettingName[] = ['startHidden'];
/** A sync reads them, whoever starts it. */
const OF_SYNC: readonly SettingName[] = [...AT_SYNC, 'newsAddress', 'modelsAddress', 'proxy', 'unreadAtFirst'];

function appliesWhen({ setting }: SettingPath, isRunning: boolean): string {
  const [atStart, atSync] = [AT_START, isRunning ? AT_SYNC : OF_SYNC].map((names) => names.includes(setting));
  if (atSync) return 'at the next sync';
  return isRunning && !atStart ? 'now' : 'at the next start';
}

async function printOverride({ shell, ...given }: Invocation, { setting }: SettingPath): Promise<void> {
  const [variable, value] =
    setting === 'newsAddress'
      ? ['BROADSHEET_NEWS_URL', given.newsEnvironment]
      : setting === 'modelsAddress'
        ? ['BROADSHEET_MODELS_URL', given.modelsEnvironment]
        : ['', undefined];
  if (value !== undefined) await shell.err.line(`${variable} is set, and overrides this setting where it is.`);
}

async function readSaved({ dataFolder: folder, shell }: Invocation): Promise<Settings> {
  const { settings, wrong } = readSettings({ folder, log: createStderrLog(shell) });
  if (wrong.length > 0) {
    const text = warningText({ file: 'settings.json', setAsideAs: null, reason: 'invalid-values', members: wrong });
    await printWarning(shell, text);
  }
  return settings;
}

function requireSetting(name: string): SettingPath {
  const path = settingNamed(name);
  if (path) return path;
  throw new UsageError(`there is no setting '${name}': see settings list`);
}

function isKey(name: string): boolean {
  return spelling(name) === spelling(API_KEY);
}

function record(settings: Settings, path: SettingPath): object {
  return { name: path.name, value: valueAt(settings, path), default: defaultAt(path) };
}

const WIDTH = Math.max(...SETTING_PATHS.map(({ name }) => name.length)) + 2;

function settingLine(settings: Settings, path: SettingPath): Text {
  const value = settingText(valueAt(settings, path));
  const usual = settingText(defaultAt(path));
  const changed = value === usual ? '' : dim(`  (default: ${usual})`);
  return line`${dim(path.name.padEnd(WIDTH))}${value === usual ? value : bold(value)}${changed}`;
}

const SWITCHES: Readonly<Record<string, boolean>> = { on: true, yes: true, off: false, no: false };
const NOTHING = ['none', 'never'];

/** Returns the first meaning that the contract's guard accepts, as the window does. */
export function valueOfText(text: string, shape: Shape): { value: unknown } | undefined {
  const guard = guardOfShape(shape);
  for (const value of meanings(text)) {
    const checked = guard.safeParse(value);
    if (checked.success) return { value: checked.data };
  }
  return undefined;
}

function* meanings(text: string): Generator {
  yield text;
  try {
    yield JSON.parse(text);
  } catch {
    // Not JSON.
  }
  const word = text.toLowerCase();
  if (Object.hasOwn(SWITCHES, word)) yield SWITCHES[word];
  if (NOTHING.includes(word)) yield null;
  yield text.split(',').map((part) => part.trim());
}

/** More than the longest key, so that a longer one is refused, not cut. */
const MAX_LINE = 4096;

interface SavedKey {
  lastFour: string | null;
  origin: string;
}

function readSavedKey({ dataFolder, shell }: Invocation): SavedKey | null {
  const saved = readKeyFile(dataFolder, createStderrLog(shell));
  return saved && { lastFour: lastFourOf(saved), origin: saved.origin };
}

function lastFourOf({ key }: Credential): string | null {
  return key.length >= MIN_LENGTH_TO_SHOW ? key.slice(-4) : null;
}

function keyRecord(value: SavedKey | null): object {
  return { name: API_KEY, value };
}

function keyText(saved: SavedKey | null): string {
  if (!saved) return 'none';
  return oneLine(`${saved.lastFour === null ? 'saved' : `…${saved.lastFour}`}, sent only to ${saved.origin}`);
}

/** Saves only a key that the gateway accepts. Errors: `UsageError`, `not_found` without a gateway, `data_in_use`. */
async function setKey(invocation: Invocation): Promise<ExitCode> {
  const { shell, json } = invocation;
  const key = await readKey(invocation);
  const { openToWrite } = await import('../open-to-write.ts');
  const { call, close } = await openToWrite(invocation, { fetches: false, savesKey: true });
  try {
    const { source } = await call('gateway.get', {});
    if (source === null) {
      throw new MachineError(
        'A key belongs to a model service, and none is set. Set it first: broadsheet settings set models-address URL',
      );
    }
    const { kept, failure, gateway } = await call('gateway.setKey', { key });
    if (!kept) throw new MachineError(`The key was not saved. ${failure?.message ?? ''}`.trimEnd());
    if (failure) await shell.err.line(oneLine(`The key is saved, but could not be tested: ${failure.message}`));
    const { lastFour, origin } = gateway.key;
    const saved = { lastFour, origin: origin ?? source.address };
    await print(invocation, keyRecord(saved), `${API_KEY}: ${keyText(saved)}`);
    if (!json) await shell.err.line('It is not encrypted: only you can read the file, and programs that you start.');
  } finally {
    await close();
  }
  if (invocation.modelsKey !== undefined) await shell.err.line(`${KEY_VARIABLE} is set, and overrides it where it is.`);
  return EXIT.well;
}

/** Errors: `data_in_use`, `data_read_only`. */
async function removeKey(invocation: Invocation): Promise<ExitCode> {
  const { dataFolder } = invocation;
  await retryWhileInUse(async () => inLockedFolder(dataFolder, () => removeKeyFile(dataFolder)));
  await print(invocation, keyRecord(null), `${API_KEY}: ${keyText(null)}`);
  return EXIT.well;
}

async function readKey({ shell }: Invocation): Promise<string> {
  const { input, err } = shell;
  const prompt = async (): Promise<void> => {
    if (input.isTerminal) await err.line('Enter the key. It is not shown:');
  };
  const key = (await input.line({ longest: MAX_LINE, hidden: true, prompt }))?.trim() ?? '';
  if (key === '') throw new UsageError('there is no key on standard input');
  if (!isGatewayKey(key)) throw new UsageError('a key has 1 to 512 letters, digits or signs, and no spaces');
  return key;
}
