import Conf from 'conf';
import type { Clock, Log, SettingsStore } from '../contract/ports.ts';
import { openSettings } from '../core/settings/settings-file.ts';

interface Options {
  folder: string;
  clock: Clock;
  log: Log;
  /** Default: the system's. */
  readFile?: (file: string) => Buffer;
}

/** Settings in `settings.json` of the data folder, written by conf. */
export function openSettingsStore(options: Options): SettingsStore {
  const openWriter = (): Conf =>
    // 0600: service addresses are private.
    new Conf({ cwd: options.folder, configName: 'settings', configFileMode: 0o600 });
  return openSettings({ ...options, openWriter });
}
