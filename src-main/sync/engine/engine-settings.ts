import type { Settings } from '../../contract/settings.ts';

/** The reader's settings that the engine goes by. They can be sent to its thread, and changed while it runs. */
export type EngineSettings = Pick<Settings, 'polling' | 'notify' | 'quietHours' | 'proxy' | 'keepDays'>;

export function engineSettings(settings: Settings): EngineSettings {
  const { polling, notify, quietHours, proxy, keepDays } = settings;
  return { polling, notify, quietHours, proxy, keepDays };
}

/** Whether one of `names` is another one than before. */
export function differs(one: EngineSettings, other: EngineSettings, ...names: (keyof EngineSettings)[]): boolean {
  return names.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
