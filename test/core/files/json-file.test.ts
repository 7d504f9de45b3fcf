import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { readJsonFile } from '../../../src-main/core/files/json-file.ts';
import { LAST_GOOD } from '../../../src-main/core/settings/settings-file.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { fakeClock } from '../../support/clock.ts';

let folder: string;
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broadsheet-settings-'));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const options = () => {
  const log = (_level: string, message: string) => void warnings.push(message);
  return { folder, clock: fakeClock('2026-11-20T08:00:00Z'), log };
};
const open = () => openSettingsStore(options());

describe('the settings file', () => {
  it('does not exist before the first change, and contains it afterwards', async () => {
    const settings = open();
    // A new reader has not been welcomed yet.
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, welcomed: false });
    expect(await readdir(folder)).toEqual([]);
    settings.set({ ...DEFAULT_SETTINGS, theme: 'dark', newsAddress: 'https://news.example' });
    expect(settings.get().theme).toBe('dark');
    expect(open().get()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', newsAddress: 'https://news.example' });
  });

  it('preserves what a newer version wrote', async () => {
    await writeFile(path.join(folder, 'settings.json'), '{"theme":"light","fontSize":14}');
    open().set({ ...DEFAULT_SETTINGS, theme: 'dark' });
    const stored: unknown = JSON.parse(await readFile(path.join(folder, 'settings.json'), 'utf8'));
    expect(stored).toMatchObject({ theme: 'dark', fontSize: 14 });
  });

  it.each([
    ['{"theme":', 'not-json'],
    ['', 'not-json'],
    ['[1]', 'not-an-object'],
  ])('is set aside with the reason when it contains %j', async (text, reason) => {
    await writeFile(path.join(folder, 'settings.json'), text);
    const settings = open();
    expect(settings.get()).toEqual(DEFAULT_SETTINGS);
    const aside = `settings.${reason}-2026-11-20T08-00-00-000Z.json`;
    // There is a settings file at every moment: without one, the next start would take the defaults.
    expect((await readdir(folder)).sort()).toEqual(['settings.json', aside]);
    expect(await readFile(path.join(folder, aside), 'utf8')).toBe(text);
    expect(warnings).toHaveLength(1);
    settings.set(DEFAULT_SETTINGS);
    expect((await readdir(folder)).sort()).toEqual([LAST_GOOD, 'settings.json', aside].sort());
  });

  it('is not moved when a command only reads', async () => {
    await writeFile(path.join(folder, 'settings.json'), '{');
    expect(readJsonFile({ ...options(), name: 'settings' })).toEqual({ content: null, exists: true });
    expect(await readdir(folder)).toEqual(['settings.json']);
    expect(warnings).toHaveLength(1);
  });
});
