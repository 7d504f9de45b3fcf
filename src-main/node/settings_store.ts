import Conf from 'conf';
import type { Settings } from '../contract/model.ts';
import type { SettingsStore } from '../contract/ports.ts';
import { readSettingsFile, setAsideDamagedSettings } from './settings_file.ts';
import type { SettingsFileOptions } from './settings_file.ts';

/** Settings that are kept in `settings.json` of the data folder. Nothing is written before the first `set`. */
export function openSettingsStore(options: SettingsFileOptions): SettingsStore {
  setAsideDamagedSettings(options);
  let settings = readSettingsFile(options);
  return {
    get: () => settings,
    set(changed) {
      // Opened late, for opening makes the folder. 0600: service addresses are nobody else's business.
      const file = new Conf<Settings>({ cwd: options.folder, configName: 'settings', configFileMode: 0o600 });
      // Keys of a newer version stay, for this merges; the file is replaced as a whole, so that no crash leaves half of it.
      file.set({ ...changed });
      settings = changed;
    },
  };
}
