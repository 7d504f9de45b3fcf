import { z } from 'zod';
import { settings as GUARDS } from '../../../contract/guards.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../contract/settings.ts';

/** A setting, or one member of a setting that is an object. */
export interface SettingPlace {
  /** As in settings.json: `theme`, `quietHours.from`. */
  name: string;
  setting: keyof Settings;
  member?: string;
}

/** The name of the gateway's key, which is no setting of settings.json. */
export const API_KEY = 'apiKey';

/** Of an argument. Shortcuts and recent searches are the longest. */
export const LONGEST_VALUE = 8000;
export const LONGEST_NAME = 80;

const MEMBERED = ['notify', 'quietHours'] as const;
const SWITCHES: Readonly<Record<string, boolean>> = { on: true, yes: true, off: false, no: false };
const NOTHING = ['none', 'never'];

/** Every setting that has one value, in the order of settings.json. */
export const SETTING_PLACES: readonly SettingPlace[] = (Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[]).flatMap(
  (setting): SettingPlace[] =>
    isMembered(setting)
      ? Object.keys(DEFAULT_SETTINGS[setting]).map((member) => ({ name: `${setting}.${member}`, setting, member }))
      : [{ name: setting, setting }],
);

/** The setting with a name; `quiet-hours.from` and `QUIETHOURS.FROM` are `quietHours.from`. Null if there is none. */
export function settingNamed(name: string): SettingPlace | null {
  const whole = MEMBERED.map((setting): SettingPlace => ({ name: setting, setting }));
  return [...SETTING_PLACES, ...whole].find((one) => spelling(one.name) === spelling(name)) ?? null;
}

/** A name without what people write differently. */
export function spelling(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

export function valueAt(settings: Settings, { setting, member }: SettingPlace): unknown {
  const value: unknown = settings[setting];
  return member === undefined ? value : (value as Record<string, unknown>)[member];
}

/** The change that gives a setting a value. It is not checked. */
export function patchFor(settings: Settings, { setting, member }: SettingPlace, value: unknown): Partial<Settings> {
  if (member === undefined) return { [setting]: value };
  return { [setting]: { ...(settings[setting] as object), [member]: value } };
}

/**
 * What a text means for a setting: the first meaning that the contract's guard accepts, which is the check of the window,
 * too. Undefined if there is none.
 */
export function meantBy(text: string, place: SettingPlace): { value: unknown } | undefined {
  const guard = guardOf(place);
  for (const value of meanings(text)) {
    const checked = guard.safeParse(value);
    if (checked.success) return { value: checked.data };
  }
  return undefined;
}

/** What a setting may be, in words. Read from its guard. */
export function allowedText(place: SettingPlace): string {
  const schema = schemaOf(place);
  const parts = [...choicesOf(schema), ...rangesOf(schema), ...rulesOf(place)];
  const known = parts.filter((part) => part !== 'none' || parts.length > 1);
  if (known.length === 0) return 'JSON as in settings.json';
  return [known.slice(0, -1).join(', '), known.at(-1)].filter(Boolean).join(' or ');
}

/** What a setting may be, if these are a few words, for completions. */
export function allowedWords(place: SettingPlace): string[] {
  return choicesOf(schemaOf(place));
}

/** As one types it. */
export function settingText(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isMembered(setting: keyof Settings): setting is (typeof MEMBERED)[number] {
  return (MEMBERED as readonly string[]).includes(setting);
}

function guardOf({ setting, member }: SettingPlace): z.ZodType {
  const guard: z.ZodType = GUARDS.shape[setting];
  if (member === undefined) return guard;
  return (guard as unknown as { shape: Record<string, z.ZodType> }).shape[member] ?? z.never();
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

interface Schema {
  anyOf?: Schema[];
  enum?: unknown[];
  type?: string | string[];
  minimum?: number;
  maximum?: number;
}

function schemaOf(place: SettingPlace): Schema {
  return z.toJSONSchema(guardOf(place), { unrepresentable: 'any' });
}

function choicesOf({ anyOf, enum: choices, type }: Schema): string[] {
  if (anyOf) return anyOf.flatMap(choicesOf);
  if (choices) return choices.map(settingText);
  return [type].flat().flatMap((one) => (one === 'boolean' ? ['on', 'off'] : one === 'null' ? ['none'] : []));
}

/** Ranges of numbers. */
function rangesOf({ anyOf, type, minimum, maximum }: Schema): string[] {
  if (anyOf) return anyOf.flatMap(rangesOf);
  return type === 'integer' ? [`a whole number from ${String(minimum)} to ${String(maximum)}`] : [];
}

/** What the guard itself says about a text that it refuses, where it begins with "must be". */
function rulesOf(place: SettingPlace): string[] {
  const { issues = [] } = guardOf(place).safeParse('!').error ?? {};
  const said = messagesIn(issues).filter((message) => message.startsWith('must be '));
  return said.slice(0, 1).map((message) => message.slice('must be '.length));
}

function messagesIn(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? issue.errors.flatMap((group) => messagesIn(group)) : [issue.message],
  );
}
