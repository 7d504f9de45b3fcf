import { guardOfShape } from '../../../contract/guards.ts';
import type { Settings, Shape } from '../../../contract/settings.ts';
import { checkArgs } from '../../../contract/methods.ts';
import { inLockedFolder, readSettingsFile } from '../../../core/settings/settings-file.ts';
import { systemClock } from '../../../core/system-clock.ts';
import type { Invocation } from '../../invocation.ts';
import { createStderrLog, sayWarning } from '../../log.ts';
import { bold, dim, line, type Text } from '../../styled-text.ts';
import { RETRY_LIMIT, retryWhileInUse } from '../../retry-while-in-use.ts';
import { EXIT, UsageError, type ExitCode } from '../../shell.ts';
import { jsonLine, oneLine } from '../../terminal.ts';
import { warningText } from '../../warning-text.ts';
import { keyRecord, keyText, removeKey, setKey } from './api-key.ts';
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

/** Prints every setting, in the order of settings.json, and what is saved of the key. */
export async function listSettings(invocation: Invocation): Promise<ExitCode> {
  const settings = await readSaved(invocation);
  const { shell, json } = invocation;
  for (const path of SETTING_PATHS)
    await shell.out.line(json ? jsonLine(record(settings, path)) : settingLine(settings, path));
  const key = keyRecord(invocation);
  await shell.out.line(json ? jsonLine(key) : line`${dim(API_KEY.padEnd(WIDTH))}${keyText(key.value)}`);
  return EXIT.well;
}

/** Errors: `UsageError` for an unknown name. */
export async function getSetting(invocation: Invocation, name: string): Promise<ExitCode> {
  const { shell, json } = invocation;
  const path = isKey(name) ? null : pathNamed(name);
  const settings = await readSaved(invocation);
  if (path === null) {
    const key = keyRecord(invocation);
    await shell.out.line(json ? jsonLine(key) : keyText(key.value));
  } else await shell.out.line(json ? jsonLine(record(settings, path)) : oneLine(settingText(valueAt(settings, path))));
  return EXIT.well;
}

/**
 * Saves one setting, with the checks of the window. Errors: `UsageError` for an unknown name or a value that it can't have;
 * `data_in_use`, and those of writing settings.
 */
export async function setSetting(invocation: Invocation, name: string, text: string | undefined): Promise<ExitCode> {
  if (isKey(name)) {
    if (text === undefined) return setKey(invocation);
    // The value is not repeated: it is probably the key.
    throw new UsageError(
      "'settings set api-key' takes no value, because other programs can read arguments. It reads the key from standard input",
    );
  }
  const path = pathNamed(name);
  if (text === undefined) throw new UsageError("missing required argument 'value'");
  const meant = valueOfText(text, path.shape);
  if (!meant) throw new UsageError(`${path.name} can't have this value. Use ${allowedText(path.shape)}`);
  return change(invocation, path, meant.value);
}

/** Goes back to the default. Errors: as {@link setSetting}. */
export async function unsetSetting(invocation: Invocation, name: string): Promise<ExitCode> {
  if (isKey(name)) return removeKey(invocation);
  const path = pathNamed(name);
  return change(invocation, path, defaultAt(path));
}

async function change(invocation: Invocation, path: SettingPath, value: unknown): Promise<ExitCode> {
  const { dataFolder: folder, shell, json } = invocation;
  const log = createStderrLog(shell);
  const { openSettingsStore } = await import('../../settings-store.ts');
  const save = (): { settings: Settings; warnings: string[] } => {
    // Read only in the locked folder.
    const store = openSettingsStore({ folder, clock: systemClock, log });
    const current = store.get();
    const { patch } = checkArgs('settings.set', { patch: patchFor(current, path, value) });
    store.set({ ...current, ...patch });
    return { settings: store.get(), warnings: (store.storageWarnings ?? []).map(warningText) };
  };
  const { settings, warnings } = await retryWhileInUse(async () => inLockedFolder(folder, save), RETRY_LIMIT);
  for (const warning of warnings) await sayWarning(shell, warning);
  await sayOverriding(invocation, path);
  const saved = `${path.name}: ${settingText(valueAt(settings, path))}`;
  await shell.out.line(json ? jsonLine(record(settings, path)) : oneLine(saved));
  return EXIT.well;
}

/** A change that seems to have no effect would be a riddle. */
async function sayOverriding({ shell, ...given }: Invocation, { setting }: SettingPath): Promise<void> {
  const [variable, value] =
    setting === 'newsAddress'
      ? ['BROADSHEET_NEWS_URL', given.newsEnvironment]
      : setting === 'modelsAddress'
        ? ['BROADSHEET_MODELS_URL', given.modelsEnvironment]
        : ['', undefined];
  if (value !== undefined) await shell.err.line(`${variable} is set, and overrides this setting where it is.`);
}

/** Nothing is changed, so it works while Broadsheet is running. */
async function readSaved({ dataFolder: folder, shell }: Invocation): Promise<Settings> {
  const { settings, wrong } = readSettingsFile({ folder, log: createStderrLog(shell) });
  if (wrong.length > 0) {
    const text = warningText({ file: 'settings.json', setAsideAs: null, reason: 'invalid-values', members: wrong });
    await sayWarning(shell, text);
  }
  return settings;
}

function pathNamed(name: string): SettingPath {
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

/**
 * Reads a text as a value of this shape: the first meaning that the contract's guard accepts, which is the check of the window,
 * too. Undefined if there is none.
 */
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
    // Most values are words.
  }
  const word = text.toLowerCase();
  if (Object.hasOwn(SWITCHES, word)) yield SWITCHES[word];
  if (NOTHING.includes(word)) yield null;
  yield text.split(',').map((part) => part.trim());
}
