import Conf from 'conf';
import type { Clock, Log, SettingsStore } from '../contract/ports.ts';
import { settingsIn } from '../core/settings/settings.ts';
import { openJsonFile } from '../core/files/json-file.ts';

/** Settings in `settings.json` of the data folder, written by conf. */
export function openSettingsStore(options: { folder: string; clock: Clock; log: Log }): SettingsStore {
  const openWriter = (): Conf =>
    // 0600: service addresses are private.
    new Conf({ cwd: options.folder, configName: 'settings', configFileMode: 0o600 });
  return settingsIn(openJsonFile({ ...options, name: 'settings', openWriter }));
}
