import { DEFAULT_SETTINGS, type Settings } from '../../../contract/settings.ts';
import type { SettingsStore } from '../../../contract/ports.ts';
import { checkArgs } from '../../../contract/methods.ts';
import { readSettingsFile } from '../../../core/settings/open-settings.ts';
import { withSettings } from '../../../core/settings/change-settings.ts';
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
  meantBy,
  patchFor,
  SETTING_PLACES,
  settingNamed,
  settingText,
  spelling,
  valueAt,
  type SettingPlace,
} from './setting-values.ts';

/** Prints every setting, in the order of settings.json, and what is saved of the key. */
export async function listSettings(invocation: Invocation): Promise<ExitCode> {
  const settings = await readSaved(invocation);
  const { shell, json } = invocation;
  for (const place of SETTING_PLACES)
    await shell.out.line(json ? jsonLine(record(settings, place)) : settingLine(settings, place));
  const key = keyRecord(invocation);
  await shell.out.line(json ? jsonLine(key) : line`${dim(API_KEY.padEnd(WIDTH))}${keyText(key.value)}`);
  return EXIT.well;
}

/** Errors: `UsageError` for an unknown name. */
export async function getSetting(invocation: Invocation, name: string): Promise<ExitCode> {
  const { shell, json } = invocation;
  const place = isKey(name) ? null : placeNamed(name);
  const settings = await readSaved(invocation);
  if (place === null) {
    const key = keyRecord(invocation);
    await shell.out.line(json ? jsonLine(key) : keyText(key.value));
  } else
    await shell.out.line(json ? jsonLine(record(settings, place)) : oneLine(settingText(valueAt(settings, place))));
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
  const place = placeNamed(name);
  if (text === undefined) throw new UsageError("missing required argument 'value'");
  const meant = meantBy(text, place);
  if (!meant) throw new UsageError(`${place.name} can't have this value. Use ${allowedText(place)}`);
  return change(invocation, place, meant.value);
}

/** Goes back to the default. Errors: as {@link setSetting}. */
export async function unsetSetting(invocation: Invocation, name: string): Promise<ExitCode> {
  if (isKey(name)) return removeKey(invocation);
  const place = placeNamed(name);
  return change(invocation, place, valueAt(DEFAULT_SETTINGS, place));
}

async function change(invocation: Invocation, place: SettingPlace, value: unknown): Promise<ExitCode> {
  const { dataFolder: folder, shell, json } = invocation;
  const log = createStderrLog(shell);
  const { openSettingsStore } = await import('../../settings-store.ts');
  const save = (store: SettingsStore): { settings: Settings; warnings: string[] } => {
    const current = store.get();
    const { patch } = checkArgs('settings.set', { patch: patchFor(current, place, value) });
    store.set({ ...current, ...patch });
    return { settings: store.get(), warnings: (store.storageWarnings ?? []).map(warningText) };
  };
  const open = (): SettingsStore => openSettingsStore({ folder, clock: systemClock, log });
  const { settings, warnings } = await retryWhileInUse(async () => withSettings(folder, open, save), RETRY_LIMIT);
  for (const warning of warnings) await sayWarning(shell, warning);
  await sayOverriding(invocation, place);
  const saved = `${place.name}: ${settingText(valueAt(settings, place))}`;
  await shell.out.line(json ? jsonLine(record(settings, place)) : oneLine(saved));
  return EXIT.well;
}

/** A change that seems to have no effect would be a riddle. */
async function sayOverriding({ shell, ...given }: Invocation, { setting }: SettingPlace): Promise<void> {
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

function placeNamed(name: string): SettingPlace {
  const place = settingNamed(name);
  if (place) return place;
  throw new UsageError(`there is no setting '${name}': see settings list`);
}

function isKey(name: string): boolean {
  return spelling(name) === spelling(API_KEY);
}

function record(settings: Settings, place: SettingPlace): object {
  return { name: place.name, value: valueAt(settings, place), default: valueAt(DEFAULT_SETTINGS, place) };
}

const WIDTH = Math.max(...SETTING_PLACES.map(({ name }) => name.length)) + 2;

function settingLine(settings: Settings, place: SettingPlace): Text {
  const [value, usual] = [settings, DEFAULT_SETTINGS].map((all) => settingText(valueAt(all, place)));
  const changed = value === usual ? '' : dim(`  (default: ${usual ?? ''})`);
  return line`${dim(place.name.padEnd(WIDTH))}${value === usual ? (value ?? '') : bold(value ?? '')}${changed}`;
}
