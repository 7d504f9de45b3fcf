import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { checkSettings } from '../core/settings.ts';
import type { Settings } from '../contract/model.ts';
import type { Clock, Log } from '../contract/ports.ts';

export interface SettingsFileOptions {
  folder: string;
  clock: Clock;
  log: Log;
}

type Content = { kind: 'missing' } | { kind: 'good'; value: object } | { kind: 'damaged'; reason: string };

/** The stored settings, or the defaults where there are none that can be read. Leaves every file as it is. */
export function readSettingsFile({ folder, log }: SettingsFileOptions): Settings {
  const file = settingsFile(folder);
  const content = contentOf(file);
  if (content.kind === 'damaged') {
    log('warn', 'The settings file cannot be used, so the defaults hold', { file, reason: content.reason });
  }
  return checkSettings(content.kind === 'good' ? content.value : {});
}

/** Makes way for a new settings file: one that is no JSON object is never overwritten, but kept with its reason in the name. */
export function setAsideDamagedSettings({ folder, clock, log }: SettingsFileOptions): void {
  const file = settingsFile(folder);
  const content = contentOf(file);
  if (content.kind !== 'damaged' || content.reason === 'unreadable') return;
  const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
  const aside = file.replace(/\.json$/, `.${content.reason}-${stamp}.json`);
  renameSync(file, aside);
  log('warn', 'The settings file could not be read and was set aside; the defaults hold', { file, asideAs: aside });
}

function settingsFile(folder: string): string {
  return path.join(folder, 'settings.json');
}

function contentOf(file: string): Content {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? { kind: 'missing' }
      : { kind: 'damaged', reason: 'unreadable' };
  }
  try {
    // Some editors put a byte order mark there.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { kind: 'good', value } : { kind: 'damaged', reason: 'not-an-object' };
  } catch {
    return { kind: 'damaged', reason: 'not-json' };
  }
}
