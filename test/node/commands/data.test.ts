import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Backup } from '../../../src-main/contract/user-data.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openOnce } from '../../support/open-once.ts';
import { jsonLines } from '../child.ts';
import { openSynced } from '../home.ts';
import { runHere } from '../shells.ts';
import { idsIn, exportedIn } from '../../support/user-data.ts';

const standing = openOnce(async (atEnd) => {
  const home = await openSynced({ content: { selected: 3, unselected: 2 }, atEnd });
  const items = await home.lines<{ id: string }>('list', 'items', '--limit', '2');
  const starred = items.map(({ id }) => id).sort();
  await home.run('mark', 'star', ...starred);
  return { home, starred };
});

/** A folder with two stars, another one for the files of the test, and commands on it or on another data folder. */
function lived() {
  const { home, starred } = standing();
  const { data, service } = home.copy();
  const run = (args: string[], folder = data) =>
    runHere(args, { BROADSHEET_NEWS_URL: service.newsAddress, BROADSHEET_DATA: folder });
  return { place: temporaryFolder(), data, run, starred };
}

const stars = (file: string): string[] => idsIn(exportedIn(readFileSync(file, 'utf8')), 'star').sort();

describe('user data on the command line', () => {
  it('is exported to one file and imported elsewhere, even into a new folder', async () => {
    const { place, run, starred } = lived();
    const file = join(place, 'mine.json');
    expect(await run(['data', 'export', file])).toEqual({ code: 0, out: `Exported to ${file}\n`, err: '' });
    expect(stars(file)).toEqual(starred);

    const elsewhere = join(place, 'elsewhere');
    const taken = await run(['data', 'import', file], elsewhere);
    expect(taken).toMatchObject({ code: 0, err: '' });
    expect(taken.out).toBe('3 rows imported, 0 unchanged; settings imported\n');
    const again = await run(['data', 'import', file, '--json'], elsewhere);
    expect(jsonLines(again.out)).toEqual([{ taken: 0, unchanged: 3, skipped: 0, settings: true }]);
    const copy = join(place, 'copy.json');
    const [written] = jsonLines<{ file: string }>((await run(['data', 'export', copy, '--json'], elsewhere)).out);
    expect(written).toMatchObject({ file: copy });
    const timeless = (name: string): object => ({
      ...(JSON.parse(readFileSync(name, 'utf8')) as object),
      exportedAt: '',
    });
    expect(timeless(copy)).toEqual(timeless(file));
  });

  it('is backed up, listed and restored by name', async () => {
    const { place, data, run, starred } = lived();
    // The next sync creates the daily backup automatically.
    expect((await run(['data', 'backups'])).out).toBe('');
    const made = await run(['data', 'backup']);
    expect(made.out).toMatch(/^user-.*\.db - \d{4}-\d\d-\d\d \d\d:\d\d, .* kB\n$/);
    await run(['mark', 'unstar', starred[0] ?? '']);
    const [backup] = jsonLines<Backup>((await run(['data', 'backups', '--json'])).out);
    const name = backup?.name ?? '';
    expect(made.out).toContain(name);
    expect(await run(['data', 'restore', name])).toMatchObject({ code: 0, err: '' });
    const file = join(place, 'mine.json');
    await run(['data', 'export', file]);
    expect(stars(file)).toEqual(starred);
    expect(readdirSync(data).some((entry) => entry.startsWith('user.db.replaced-'))).toBe(true);
    expect(await run(['data', 'restore', 'user.db'])).toEqual({
      code: 1,
      out: '',
      err: 'broadsheet: There is no backup user.db.\n',
    });
    expect(await run(['data', 'restore', '../../user.db'])).toMatchObject({ code: 2 });
  });

  it('is unchanged after a rebuild', async () => {
    const { place, run, starred } = lived();
    const before = (await run(['list', 'items', '--json'])).out;
    const rebuilt = await run(['data', 'rebuild']);
    expect(rebuilt).toMatchObject({ code: 0, err: '' });
    expect(rebuilt.out).toContain('broadsheet sync');
    expect((await run(['status'])).out).toMatch(/^items .*, due now, /m);
    expect((await run(['list', 'items', '--json'])).out).toBe(before);
    expect(await run(['sync'])).toMatchObject({ code: 0 });
    expect((await run(['list', 'items', '--json'])).out).toBe(before);
    await run(['data', 'export', join(place, 'mine.json')]);
    expect(stars(join(place, 'mine.json'))).toEqual(starred);
  });

  it('is unchanged after invalid, unreadable or unwritable files', async () => {
    const { place, run } = lived();
    const at = (name: string): string => join(place, name);
    writeFileSync(at('junk.json'), '{"format": "opml"}');
    writeFileSync(at('newer.json'), '{"format": "broadsheet-user-data", "version": 99}');
    writeFileSync(at('binary'), Buffer.from([0xff, 0xfe, 0x00]));
    mkdirSync(at('folder'));
    for (const [args, words] of [
      [['import', at('junk.json')], 'it is not a Broadsheet export. Nothing was changed.'],
      [['import', at('newer.json')], 'exported by a newer Broadsheet'],
      [['import', at('binary')], 'Cannot read'],
      [['import', at('missing.json')], 'missing.json: there is no such file'],
      [['export', at('folder')], 'folder: it is a folder'],
      [['export', join(at('missing'), 'a.json')], 'a.json: the folder does not exist'],
    ] as const) {
      const { code, out, err } = await run(['data', ...args]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(words);
    }
    expect(readdirSync(place).toSorted()).toEqual(['binary', 'folder', 'junk.json', 'newer.json']);
  });

  it('is exported through links, and neither over one nor over a file of Broadsheet', async () => {
    const { place, data, run, starred } = lived();
    symlinkSync(join(place, 'mine.json'), join(place, 'link'));
    expect(await run(['data', 'export', join(place, 'link')])).toMatchObject({ code: 0 });
    expect(stars(join(place, 'mine.json'))).toEqual(starred);
    expect(lstatSync(join(place, 'link')).isSymbolicLink()).toBe(true);
    for (const name of ['user.db', 'settings.json', 'new']) {
      const { code, err } = await run(['data', 'export', join(data, name)]);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining("is in Broadsheet's data folder") as string,
      });
    }
    expect(await run(['data', 'export', join(place, 'again.json')])).toMatchObject({ code: 0 });
    expect(stars(join(place, 'again.json'))).toEqual(starred);
  });

  it.skipIf(process.platform === 'win32')('is not imported from what has no end', async () => {
    const { place, run } = lived();
    symlinkSync('/dev/zero', join(place, 'zero'));
    execFileSync('mkfifo', [join(place, 'pipe')]);
    writeFileSync(join(place, 'huge'), '');
    truncateSync(join(place, 'huge'), 2 ** 40);
    for (const name of ['zero', 'pipe', 'huge']) {
      expect(await run(['data', 'import', join(place, name)])).toMatchObject({ code: 1, out: '' });
    }
  });

  it('is missing if nothing is saved yet', async () => {
    const { place, run } = lived();
    const nowhere = join(place, 'nowhere');
    for (const args of [['export', join(place, 'a.json')], ['backups']])
      expect(await run(['data', ...args], nowhere)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('Nothing saved yet') as string,
      });
    expect(existsSync(nowhere)).toBe(false);
  });

  it('is reported as damaged, with the available backup', async () => {
    const { data, run } = lived();
    await run(['data', 'backup']);
    writeFileSync(join(data, 'user.db'), 'This is not a database. '.repeat(1_000));
    const { err } = await run(['mute', 'add', 'three']);
    expect(err).toMatch(
      /^broadsheet: warn: user\.db could not be used \(damaged\) .* run `broadsheet data restore user-.*\.db`\. .* run `broadsheet data dismiss user\.db\.damaged-\S+`\.\n$/,
    );
    const [name = ''] = /user-\S*\.db/.exec(err) ?? [];
    expect(await run(['data', 'restore', name])).toMatchObject({ code: 0 });
  });

  it('keeps settings of a newer version, and reports them', async () => {
    const { place, data, run } = lived();
    const settings = join(data, 'settings.json');
    writeFileSync(settings, '{"version": 99, "theme": "dark"}');
    const { err, code } = await run(['sync']);
    expect(code).toBe(0);
    expect(err).toContain('settings.json was written by a newer version of Broadsheet');
    const file = join(place, 'mine.json');
    await run(['data', 'export', file]);
    const changed = JSON.parse(readFileSync(file, 'utf8')) as { settings: { theme: string } };
    changed.settings.theme = 'light';
    writeFileSync(file, JSON.stringify(changed));
    expect(await run(['data', 'import', file])).toMatchObject({ code: 1 });
    expect(readFileSync(settings, 'utf8')).toBe('{"version": 99, "theme": "dark"}');
  });

  it('needs a command, and a file or name', async () => {
    const { run } = lived();
    for (const args of [
      ['data'],
      ['data', 'export'],
      ['data', 'import', ''],
      ['data', 'restore'],
      ['data', 'lose'],
      ['data', 'rebuild', 'x'],
    ])
      expect(await run(args)).toMatchObject({ code: 2, out: '' });
  });
});
