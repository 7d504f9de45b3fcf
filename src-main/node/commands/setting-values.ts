import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
  type Shape,
} from '../../contract/settings.ts';

/** A setting, or one member of a setting that is a group. */
export interface SettingPath {
  /** As in settings.json: `theme`, `quietHours.from`. */
  name: string;
  setting: SettingName;
  member?: string;
  shape: Shape;
}

/** Not in settings.json. */
export const API_KEY = 'apiKey';

/** Shortcuts and recent searches are the longest values. */
export const MAX_VALUE_LENGTH = 8000;
export const MAX_NAME_LENGTH = 80;

const ALL_PATHS = SETTING_NAMES.flatMap((setting): SettingPath[] => {
  const shape: Shape = SETTINGS[setting].shape;
  const members = shape.is === 'group' ? Object.entries(shape.members) : [];
  const parts = members.map(([member, one]) => ({ name: `${setting}.${member}`, setting, member, shape: one }));
  return [...parts, { name: setting, setting, shape }];
});

export const SETTING_PATHS: readonly SettingPath[] = ALL_PATHS.filter(({ shape }) => shape.is !== 'group');

/** Finds a setting by its name, in which case and hyphens don't matter. */
export function settingNamed(name: string): SettingPath | null {
  return ALL_PATHS.find((one) => spelling(one.name) === spelling(name)) ?? null;
}

export function spelling(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

export function valueAt(settings: Settings, { setting, member }: SettingPath): unknown {
  const value: unknown = settings[setting];
  return member === undefined ? value : (value as Record<string, unknown>)[member];
}

export function defaultAt(path: SettingPath): unknown {
  return valueAt(DEFAULT_SETTINGS, path);
}

/** Doesn't check the value. */
export function patchFor(settings: Settings, { setting, member }: SettingPath, value: unknown): Partial<Settings> {
  if (member === undefined) return { [setting]: value };
  return { [setting]: { ...(settings[setting] as object), [member]: value } };
}

export function allowedText(shape: Shape): string {
  const parts = [...allowedWords(shape), ...allowedRanges(shape)];
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' or ');
}

export function allowedWords(shape: Shape): string[] {
  switch (shape.is) {
    case 'choice':
      return shape.options.map(settingText);
    case 'toggle':
      return ['on', 'off'];
    case 'none':
      return ['none'];
    case 'either':
      return shape.shapes.flatMap(allowedWords);
    default:
      return [];
  }
}

function allowedRanges(shape: Shape): string[] {
  switch (shape.is) {
    case 'number':
      return [`a whole number from ${shape.min} to ${shape.max}`];
    case 'time':
      return ['a time, HH:MM'];
    case 'address':
      return ['an http or https address without user name, query or fragment'];
    case 'list':
    case 'record':
    case 'group':
      return ['JSON as in settings.json'];
    case 'either':
      return shape.shapes.flatMap(allowedRanges);
    default:
      return [];
  }
}

export function settingText(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
