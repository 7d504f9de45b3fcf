import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import Conf from 'conf';
import { checkSettings } from '../core/settings.ts';
import type { Settings } from '../contract/model.ts';
import type { Clock, Log, SettingsStore } from '../contract/ports.ts';

interface SettingsFileOptions {
  folder: string;
  clock: Clock;
  log: Log;
  /** False for commands that only read: a broken file then stays where it is. */
  writable: boolean;
}

/**
 * Settings in `settings.json` of the data folder. A file that is no JSON object is never overwritten: it is set aside
 * under a name that says why and when, and the defaults hold. Nothing is written before the first `set`.
 */
export function openSettingsFile(options: SettingsFileOptions): SettingsStore {
  const file = path.join(options.folder, 'settings.json');
  const damage = damageOf(file);
  if (damage !== undefined) report(file, damage, options);
  let settings = checkSettings(damage === undefined ? readIfThere(file) : {});
  return {
    get: () => settings,
    set(changed) {
      // Keys of a newer version that this one does not know are kept: `set` merges.
      conf(options.folder).set({ ...changed });
      settings = changed;
    },
  };
}

function conf(folder: string): Conf<Settings> {
  // 0600: the service addresses are nobody else's business.
  return new Conf<Settings>({ cwd: folder, configName: 'settings', configFileMode: 0o600 });
}

function readIfThere(file: string): unknown {
  return existsSync(file) ? conf(path.dirname(file)).store : {};
}

function damageOf(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
  try {
    // A byte order mark, as some editors write it, does no harm.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'not-an-object';
  } catch {
    return 'not-json';
  }
}

function report(file: string, damage: string, { clock, log, writable }: SettingsFileOptions): void {
  if (!writable || damage === 'unreadable') {
    log('warn', 'The settings file cannot be used, so the defaults hold', { file, reason: damage });
    return;
  }
  const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
  const aside = file.replace(/\.json$/, `.${damage}-${stamp}.json`);
  renameSync(file, aside);
  log('warn', 'The settings file could not be read and was set aside; the defaults hold', { file, asideAs: aside });
}
