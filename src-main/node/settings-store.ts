import Conf from 'conf';
import type { Clock, Log, SettingsStore } from '../contract/ports.ts';
import { openSettings } from '../core/settings/settings-file.ts';

interface Options {
  folder: string;
  clock: Clock;
  log: Log;
  readFile?: (file: string) => Buffer;
}

export function openSettingsStore(options: Options): SettingsStore {
  const openWriter = (): Conf =>
    // 0600: service addresses are private.
    new Conf({ cwd: options.folder, configName: 'settings', configFileMode: 0o600 });
  return openSettings({ ...options, openWriter });
}
