import { settingsWith, type Settings, type SettingsWith, type SharedSettings } from '../../contract/settings.ts';

/** The settings that the engine needs. They can be sent to its thread, and changed while it runs. */
export type EngineSettings = SettingsWith<'engine'> & {
  /** Those that devices may share; without them, none are. */
  shared?: SharedSettings;
};

export function engineSettings(settings: Settings): EngineSettings {
  return { ...settingsWith('engine', settings), shared: settingsWith('shared', settings) };
}

export function differs(one: EngineSettings, other: EngineSettings, ...names: (keyof EngineSettings)[]): boolean {
  return names.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
