import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import { readJsonFile } from '../../../src-main/core/files/json-file.ts';
import { LAST_GOOD } from '../../../src-main/core/settings/settings-file.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';

const clock = fakeClock('2026-11-20T08:00:00Z');
const log = (): void => undefined;
const CHOSEN: Partial<Settings> = {
  newsAddress: 'https://news.example',
  modelsAddress: 'https://models.example',
  theme: 'dark',
  keepDays: 30,
};
const TEXT = JSON.stringify(CHOSEN);

interface Place {
  folder: string;
  file: string;
  open: typeof openPlace;
}

const openPlace = (folder: string, readFile?: (file: string) => Buffer) =>
  openSettingsStore({ folder, clock, log, ...(readFile && { readFile }) });

/** A folder that was used with these settings, and with a mirror of this service. */
function used({ settings = CHOSEN, mirror }: { settings?: object | null; mirror?: string } = {}): Place {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  if (settings) {
    writeFileSync(file, JSON.stringify(settings));
    openPlace(folder);
  }
  if (mirror !== undefined) openStore({ folder, source: mirror, now: () => clock.now() }).close();
  return { folder, file, open: openPlace };
}

/** Text as UTF-16, with its byte order mark. */
const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

const BROKEN: [name: string, content: Buffer | string][] = [
  ['cut', TEXT.slice(0, -9)],
  ['cut to its first byte', '{'],
  ['empty', ''],
  ['zeroed', Buffer.alloc(200)],
  ['of another program', '<settings/>'],
  ['a list', '[1]'],
  ['cut UTF-16', utf16(TEXT, 'le').subarray(0, 41)],
];

describe.each(BROKEN)('a settings file that is %s', (_, content) => {
  it('is set aside, and the settings that were read last are used, from then on', () => {
    const { folder, file } = used();
    writeFileSync(file, content);
    const settings = openPlace(folder);
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN });
    expect(settings.storageWarnings).toMatchObject([{ file: 'settings.json' }]);
    const aside = settings.storageWarnings?.[0]?.setAsideAs ?? '';
    expect(readFileSync(join(folder, aside))).toEqual(Buffer.from(content));
    const next = openPlace(folder);
    expect(next.get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN });
    expect(next.storageWarnings).toEqual([]);
  });

  it('without an earlier copy stays with the service of the saved news', () => {
    const { folder, file } = used({ settings: null, mirror: 'https://mirror.example' });
    writeFileSync(file, content);
    expect(openPlace(folder).get()).toEqual({ ...DEFAULT_SETTINGS, newsAddress: 'https://mirror.example' });
    expect(openPlace(folder).get().newsAddress).toBe('https://mirror.example');
  });

  it('without an earlier copy stays with the demo, if that is what is saved', () => {
    const { folder, file } = used({ settings: null, mirror: 'demo' });
    writeFileSync(file, content);
    expect(openPlace(folder).get()).toEqual(DEFAULT_SETTINGS);
  });
});

it('a broken settings file is not moved when a command only reads', () => {
  const { folder, file } = used({ settings: null });
  writeFileSync(file, '{');
  expect(readJsonFile({ folder, name: 'settings', log })).toEqual({ content: null, exists: true });
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

describe('a settings file in another encoding', () => {
  it.each([
    ['UTF-16, little-endian', utf16(TEXT, 'le')],
    ['UTF-16, big-endian', utf16(TEXT, 'be')],
    ['UTF-16 without a mark', utf16(TEXT, 'le').subarray(2)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ])('is read as %s, and can be changed', (_, content) => {
    const { folder, file } = used({ settings: null });
    writeFileSync(file, content);
    const settings = openPlace(folder);
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN });
    expect(settings.storageWarnings).toEqual([]);
    settings.set({ ...settings.get(), density: 'compact' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ ...CHOSEN, density: 'compact' });
    expect(openPlace(folder).get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN, density: 'compact' });
  });
});

describe('a wrong value in a settings file', () => {
  it.each<[keyof Settings, unknown]>([
    ['newsAddress', 'htp://news.example'],
    ['newsAddress', 7],
    ['modelsAddress', ''],
    ['theme', 'pink'],
    ['keepDays', -1],
  ])('(%s: %j) costs nothing that was read before, and is reported until it is corrected', (name, value) => {
    const { folder, file } = used();
    const edited = JSON.stringify({ ...CHOSEN, density: 'compact', [name]: value });
    writeFileSync(file, edited);
    for (let start = 0; start < 2; start += 1) {
      const settings = openPlace(folder);
      expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN, density: 'compact' });
      const warning = { file: 'settings.json', setAsideAs: null, reason: 'invalid-values', members: [name] };
      expect(settings.storageWarnings).toEqual([warning]);
    }
    expect(readFileSync(file, 'utf8')).toBe(edited);
    writeFileSync(file, TEXT);
    expect(openPlace(folder).storageWarnings).toEqual([]);
  });

  it('that was never another one is the default, and an address that of the saved news', () => {
    const { folder, file } = used({ settings: null, mirror: 'https://mirror.example' });
    writeFileSync(file, JSON.stringify({ newsAddress: 'none', theme: 'pink', notify: { daily: 'no', story: false } }));
    const settings = openPlace(folder);
    expect(settings.get()).toEqual({
      ...DEFAULT_SETTINGS,
      newsAddress: 'https://mirror.example',
      notify: { ...DEFAULT_SETTINGS.notify, story: false },
    });
    expect(settings.storageWarnings).toMatchObject([{ members: ['newsAddress', 'theme', 'notify'] }]);
  });
});

describe('a settings file that cannot be read', () => {
  const refusing = (code: string) => (file: string) => {
    if (file.endsWith('settings.json')) throw Object.assign(new Error(code), { code });
    return readFileSync(file);
  };

  it.each(['EACCES', 'EPERM', 'EIO', 'EMFILE'])('(%s) is left alone; the last good copy is used', (code) => {
    const { folder, file } = used();
    const settings = openPlace(folder, refusing(code));
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN });
    expect(settings.storageWarnings).toEqual([{ file: 'settings.json', setAsideAs: null, reason: 'unreadable' }]);
    expect(() => settings.set({ ...DEFAULT_SETTINGS, theme: 'light' })).toThrow(
      expect.objectContaining({ code: 'data_unreadable', message: expect.stringContaining(code) as string }) as Error,
    );
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
    expect(openPlace(folder).get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN });
  });

  it('because a folder has its name is left alone, too', () => {
    const { folder, file } = used();
    rmSync(file);
    mkdirSync(join(file, 'mine'), { recursive: true });
    const settings = openPlace(folder);
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN });
    expect(() => settings.set(DEFAULT_SETTINGS)).toThrow(expect.objectContaining({ code: 'data_unreadable' }) as Error);
    expect(readdirSync(file)).toEqual(['mine']);
  });

  it('can be changed again once it can be read', () => {
    const { folder } = used();
    let refused = true;
    const settings = openPlace(folder, (file) => (refused ? refusing('EACCES')(file) : readFileSync(file)));
    refused = false;
    settings.set({ ...settings.get(), theme: 'light' });
    expect(openPlace(folder).get()).toEqual({ ...DEFAULT_SETTINGS, ...CHOSEN, theme: 'light' });
  });
});

describe('the last good copy', () => {
  it('is only for its owner, follows each change, and holds what other versions wrote', () => {
    const { folder } = used({ settings: { ...CHOSEN, later: { a: 1 } } });
    const copy = join(folder, LAST_GOOD);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const settings = openPlace(folder);
    settings.set({ ...settings.get(), theme: 'light' });
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject({ ...CHOSEN, theme: 'light', later: { a: 1 } });
  });

  it('is not replaced by a file with a wrong value', () => {
    const { folder, file } = used();
    writeFileSync(file, JSON.stringify({ ...CHOSEN, newsAddress: 'none' }));
    openPlace(folder);
    expect(JSON.parse(readFileSync(join(folder, LAST_GOOD), 'utf8'))).toMatchObject(CHOSEN);
  });

  it('does not bring back a file that was deleted', () => {
    const { folder, file } = used();
    rmSync(file);
    expect(openPlace(folder).get()).toEqual(DEFAULT_SETTINGS);
    expect(existsSync(file)).toBe(false);
  });
});
