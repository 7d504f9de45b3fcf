import { settingsWith, type Settings, type SettingsWith, type SharedSettings } from '../../contract/settings.ts';

/** Can be sent to the engine's thread, and changed while it runs. */
export type EngineSettings = SettingsWith<'engine'> & {
  /** Without them, devices share no settings. */
  shared?: SharedSettings;
};

export function engineSettings(settings: Settings): EngineSettings {
  return { ...settingsWith('engine', settings), shared: settingsWith('shared', settings) };
}

export function differs(one: EngineSettings, other: EngineSettings, ...names: (keyof EngineSettings)[]): boolean {
  return names.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
