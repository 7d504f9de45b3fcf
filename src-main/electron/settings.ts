import type { Log, SettingsStore } from '../contract/ports.ts';
import { checkSettings } from '../core/settings.ts';
import { openStoredFile } from './stored_file.ts';

/** The reader's settings, in `settings.json`. Errors of `set`: as {@link openStoredFile}. */
export function openSettings(folder: string, log: Log): SettingsStore {
  const file = openStoredFile(folder, 'settings', log);
  return {
    get: () => checkSettings(file.read()),
    set: (settings) => file.write(settings),
  };
}
