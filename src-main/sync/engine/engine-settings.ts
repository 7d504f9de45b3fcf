import { carriedSettings, type CarriedSettings } from '../../contract/carried-settings.ts';
import type { Settings } from '../../contract/settings.ts';

/** The settings that the engine needs. They can be sent to its thread, and changed while it runs. */
export type EngineSettings = Pick<
  Settings,
  'polling' | 'notify' | 'quietHours' | 'proxy' | 'keepDays' | 'keepServicesDays' | 'unreadAtFirst'
> & {
  /** Those that machines may share; without them, none are. */
  carried?: CarriedSettings;
};

export function engineSettings(settings: Settings): EngineSettings {
  const { polling, notify, quietHours, proxy, keepDays, keepServicesDays, unreadAtFirst } = settings;
  const carried = carriedSettings(settings);
  return { polling, notify, quietHours, proxy, keepDays, keepServicesDays, unreadAtFirst, carried };
}

/** Whether one of `names` has changed. */
export function differs(one: EngineSettings, other: EngineSettings, ...names: (keyof EngineSettings)[]): boolean {
  return names.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
