import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import { inLockedFolder, readSettings } from '../../../src-main/core/settings/settings-file.ts';
import { valueOfText } from '../../../src-main/node/commands/settings-file.ts';
import {
  allowedText,
  allowedWords,
  patchFor,
  SETTING_PATHS,
  settingNamed,
  settingText,
  valueAt,
} from '../../../src-main/node/commands/setting-values.ts';
import { lockDataFolder } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

const at = (name: string) => settingNamed(name) ?? expect.fail(name);

function scene() {
  const folder = temporaryFolder();
  return {
    folder,
    run: (...args: string[]) => runHere(['settings', ...args], { BROADSHEET_DATA: folder }),
    saved: (): Settings => readSettings({ folder, log: () => undefined }).settings,
  };
}

describe('a setting on the command line', () => {
  it('is listed with its default where it was changed', async () => {
    const { run } = scene();
    await run('set', 'theme', 'dark');
    const { out, code } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^theme +dark {2}\(default: system\)$/m);
    expect(out).toMatch(/^keepDays +none$/m);
    expect(out).toMatch(/^apiKey +none$/m);
    const records = jsonLines<{ name: string }>((await run('list', '--json')).out);
    expect(records).toContainEqual({ name: 'theme', value: 'dark', default: 'system' });
    expect(records).toContainEqual({ name: 'quietHours.from', value: '22:00', default: '22:00' });
    expect(records.at(-1)).toEqual({ name: 'apiKey', value: null });
    const settings = new Set(records.map(({ name }) => name.split('.')[0]));
    expect([...settings]).toEqual([...Object.keys(DEFAULT_SETTINGS), 'apiKey']);
  });

  it('is read, changed and reset under any spelling of its name', async () => {
    const { run, saved } = scene();
    expect(await run('set', 'text-size', '125')).toMatchObject({ code: 0, out: 'textSize: 125\n' });
    expect((await run('get', 'TEXTSIZE')).out).toBe('125\n');
    expect(saved().textSize).toBe(125);
    expect((await run('unset', 'textSize', '--json')).out).toBe('{"name":"textSize","value":100,"default":100}\n');
    expect(saved().textSize).toBe(100);
  });

  it.each<[name: string, text: string, value: unknown]>([
    ['notify.models', 'on', true],
    ['foldStories', 'no', false],
    ['quietHours.from', '23:30', '23:30'],
    ['keepDays', '30', 30],
    ['keepServicesDays', 'never', null],
    ['unreadMark', 'none', 'none'],
    ['closeToTray', 'none', null],
    ['newsAddress', 'https://news.example', 'https://news.example'],
    ['modelColumns', 'name, context', ['name', 'context']],
    ['shortcuts', '{"next":"x"}', { next: 'x' }],
  ])('%s takes %s', async (name, text, value) => {
    const { run, saved } = scene();
    expect(await run('set', name, text, '--json')).toMatchObject({ code: 0, err: '' });
    expect(valueAt(saved(), at(name))).toEqual(value);
  });

  it.each([
    ['theme', 'dark', 'at the next start'],
    ['startHidden', 'on', 'at the next start'],
    ['newsAddress', 'https://news.example', 'at the next sync'],
    ['keepDays', '30', 'at the next sync'],
  ])('says when a change applies: %s', async (name, text, when) => {
    const { run } = scene();
    expect((await run('set', name, text)).err).toBe(`It applies ${when}.\n`);
    expect((await run('unset', name)).err).toBe(`It applies ${when}.\n`);
  });

  it('keeps the other members of a setting that has several', async () => {
    const { run, saved } = scene();
    await run('set', 'quiet-hours.on', 'on');
    await run('set', 'quiet-hours.to', '06:15');
    expect(saved().quietHours).toEqual({ on: true, from: '22:00', to: '06:15' });
  });

  it.each<[name: string, text: string, words: string]>([
    ['theme', 'blue', 'Use system, light or dark'],
    ['keepDays', '9999', 'Use none or a whole number from 1 to 3650'],
    ['keepDays', '1.5', 'a whole number'],
    ['newsAddress', 'ftp://x.example', 'an http or https address without user name'],
    ['newsAddress', 'https://me:secret@x.example', 'an http or https address without user name'],
    ['quietHours.from', '25:00', 'Use a time, HH:MM'],
    ['foldStories', 'maybe', 'Use on or off'],
    ['nonsense', '1', "there is no setting 'nonsense'"],
    ['__proto__', '1', 'there is no setting'],
    ['notify.__proto__', '1', 'there is no setting'],
  ])('%s refuses %s with exit code 2 and says what it takes', async (name, text, words) => {
    const { run, saved } = scene();
    const { code, out, err } = await run('set', name, text);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err).not.toContain('secret');
    expect(saved()).toEqual(DEFAULT_SETTINGS);
  });

  it('keeps what a newer version wrote beside it, and the file is only for its owner', async () => {
    const { folder, run } = scene();
    const file = join(folder, 'settings.json');
    writeFileSync(file, '{"theme":"dark","later":{"a":1}}');
    await run('set', 'density', 'compact');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      theme: 'dark',
      density: 'compact',
      later: { a: 1 },
    });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('names wrong values of the file, and is not written to the file of a newer version', async () => {
    const { folder, run } = scene();
    writeFileSync(join(folder, 'settings.json'), '{"theme":"blue"}');
    expect((await run('get', 'theme')).err).toContain('values that cannot be used: theme');
    expect((await run('set', 'theme', 'dark')).err).toContain('values that cannot be used: theme');
    expect(await run('get', 'theme')).toMatchObject({ out: 'dark\n', err: '' });
    writeFileSync(join(folder, 'settings.json'), '{"version":99}');
    expect(await run('set', 'theme', 'light')).toMatchObject({ code: 1, out: '' });
  });

  it('says that the environment overrides an address', async () => {
    const folder = temporaryFolder();
    const environment = { BROADSHEET_DATA: folder, BROADSHEET_NEWS_URL: 'https://other.example' };
    const { err } = await runHere(['settings', 'set', 'newsAddress', 'https://news.example'], environment);
    expect(err).toContain('BROADSHEET_NEWS_URL is set');
  });

  it('opens no database and creates the folder', async () => {
    const folder = join(temporaryFolder(), 'new');
    expect((await runHere(['settings', 'set', 'theme', 'dark'], { BROADSHEET_DATA: folder })).code).toBe(0);
    expect(() => statSync(join(folder, 'mirror.db'))).toThrow();
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});

describe('while another Broadsheet uses the folder', () => {
  it('settings are read, and none is changed', async () => {
    const { folder, run, saved } = scene();
    const lock = lockDataFolder(folder);
    try {
      expect((await run('get', 'theme')).out).toBe('system\n');
      const work = vi.fn();
      expect(() => {
        inLockedFolder(folder, work);
      }).toThrow('already running');
      expect(work).not.toHaveBeenCalled();
      expect(saved().theme).toBe('system');
    } finally {
      lock.release();
    }
  });
});

describe('every setting', () => {
  it.each(SETTING_PATHS.map((path) => [path.name, path] as const))(
    '%s takes what is said and printed',
    (_name, path) => {
      expect(allowedText(path.shape)).not.toBe('');
      const current = valueAt(DEFAULT_SETTINGS, path);
      expect(valueOfText(settingText(current), path.shape)).toEqual({ value: current });
      expect(patchFor(DEFAULT_SETTINGS, path, current)).toEqual({ [path.setting]: DEFAULT_SETTINGS[path.setting] });
      for (const word of allowedWords(path.shape)) expect(valueOfText(word, path.shape)).toBeDefined();
    },
  );
});
