import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SettingsStore } from '../../../src-main/contract/ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import {
  checkSettings,
  migrateSettings,
  openSettings,
  SETTINGS_VERSION,
} from '../../../src-main/core/settings/settings-file.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';

const silent = (): void => undefined;
const clock = fakeClock('2026-11-20T08:00:00Z');

interface Place {
  file: string;
  open(): SettingsStore;
}

/** A folder whose settings file holds this. */
function place(content?: object): Place {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  if (content) writeFileSync(file, JSON.stringify(content));
  return { file, open: () => openSettingsStore({ folder, clock, log: silent }) };
}

const stored = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('settings that were edited by hand', () => {
  it.each<[string, unknown, Partial<Settings>]>([
    ['a bad value beside a good one', { theme: 'pink', density: 'compact' }, { density: 'compact' }],
    [
      'one bad switch',
      { notify: { daily: false, weekly: 'off' } },
      { notify: { ...DEFAULT_SETTINGS.notify, daily: false } },
    ],
    [
      'an invalid time',
      { quietHours: { on: true, from: '25:00', to: '08:15' } },
      { quietHours: { on: true, from: '22:00', to: '08:15' } },
    ],
    ['one bad key', { shortcuts: { next: 'n', star: 5, open: 'x'.repeat(30) } }, { shortcuts: { next: 'n' } }],
    [
      'keys with names of the object itself',
      { shortcuts: JSON.parse('{"__proto__":"x","next":"n"}') as unknown },
      { shortcuts: { next: 'n' } },
    ],
    ['lists in place of objects', { notify: [], quietHours: null, shortcuts: ['n'] }, {}],
    ['a list', [], {}],
    ['nothing', null, {}],
  ])('%s: valid fields are used, one by one', (_, raw, taken) => {
    expect(checkSettings(raw)).toEqual({ ...DEFAULT_SETTINGS, ...taken });
  });

  it('stay the same when they are checked again', () => {
    const all: Settings = {
      ...DEFAULT_SETTINGS,
      shortcuts: { next: 'n' },
      modelColumns: ['name'],
      proxy: 'http://a.example:1',
    };
    expect(checkSettings(all)).toEqual(all);
  });
});

describe('the version of a settings file', () => {
  it('is written with the first change, and is 1', () => {
    const { file, open } = place({ theme: 'dark' });
    const settings = open();
    expect(settings.storageWarnings).toEqual([]);
    expect(settings.get().theme).toBe('dark');
    settings.set({ ...settings.get(), density: 'compact' });
    expect(stored(file)).toMatchObject({ theme: 'dark', density: 'compact', version: SETTINGS_VERSION });
    expect(open().get()).toMatchObject({ theme: 'dark', density: 'compact' });
  });

  it('determines which migrations run', () => {
    const steps = [
      (members: object) => ({ ...members, two: true }),
      (members: object) => ({ ...members, three: true }),
    ];
    const after = (content: object) => migrateSettings(content, steps);
    expect(after({ a: 1 })).toEqual({ members: { a: 1, two: true, three: true }, isNewer: false });
    expect(after({ version: 1 })).toMatchObject({ members: { two: true, three: true } });
    expect(after({ version: 2 }).members).toEqual({ version: 2, three: true });
    expect(after({ version: 3 })).toEqual({ members: { version: 3 }, isNewer: false });
    expect(after({ version: 4 })).toEqual({ members: { version: 4 }, isNewer: true });
    for (const version of ['4', 0, -1, 1.5, null, Number.MAX_VALUE])
      expect(after({ version }).members).toMatchObject({ two: true });
  });

  it('that is newer is read as far as possible, reported, and never written', () => {
    const content = { version: SETTINGS_VERSION + 1, theme: 'dark', density: 'roomy', later: { a: 1 } };
    const { file, open } = place(content);
    const before = readFileSync(file);
    const settings = open();
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
    expect(settings.storageWarnings).toEqual([{ file: 'settings.json', setAsideAs: null, reason: 'newer' }]);
    expect(() => settings.set({ ...settings.get(), theme: 'light' })).toThrow(
      expect.objectContaining({
        code: 'data_newer',
        message: expect.stringContaining('newer Broadsheet') as string,
      }) as Error,
    );
    expect(settings.get().theme).toBe('dark');
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('settings that cannot be written', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EACCES', 'data_read_only'],
    ['EROFS', 'data_read_only'],
  ])('for %s stay unchanged in memory and on disk, with an error', (system, code) => {
    const { file } = place({ theme: 'dark' });
    const before = readFileSync(file);
    const settings = openSettings({
      folder: join(file, '..'),
      clock,
      log: silent,
      openWriter: () => ({
        set: () => {
          throw Object.assign(new Error(system), { code: system });
        },
      }),
    });
    const words = expect.stringContaining('settings.json') as string;
    expect(() => settings.set({ ...settings.get(), theme: 'light' })).toThrow(
      expect.objectContaining({ code, message: words }) as Error,
    );
    expect(settings.get().theme).toBe('dark');
    expect(readFileSync(file)).toEqual(before);
  });
});
