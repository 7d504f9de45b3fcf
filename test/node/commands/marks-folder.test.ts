import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MarksFolder } from '../../../src-main/contract/model/marks-folder.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { runProgram } from '../../../src-main/node/program.ts';
import { lockDataFolder } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { hearShell } from '../shells.ts';

interface Scene {
  folder: string;
  /** Where the data folders are. */
  place: string;
  run(data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }>;
  /** The same, with something on standard input. */
  runWith(input: string, data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }>;
}

async function openScene(): Promise<Scene> {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 2 } });
  onTestFinished(() => service.close());
  const place = temporaryFolder();
  const folder = join(place, 'synced');
  mkdirSync(folder);
  const runWith: Scene['runWith'] = async (input, data, ...args) => {
    const environment = { BROADSHEET_NEWS_URL: service.newsAddress, BROADSHEET_DATA: join(place, data) };
    const { shell, out, err } = hearShell(environment, input);
    const code = await runProgram(args, '1.2.3', shell);
    return { code, out: out(), err: err() };
  };
  return { folder, place, run: (data, ...args) => runWith('', data, ...args), runWith };
}

describe('a folder of marks on the command line', { timeout: 60_000 }, () => {
  it('carries what one machine marks to another, with each sync', async () => {
    const { folder, run } = await openScene();
    expect((await run('desk', 'marks-folder', 'status')).out).toBe(
      'Marks are not shared. Set a folder with marks-folder set.\n',
    );
    const set = await run('desk', 'marks-folder', 'set', folder);
    expect(set).toMatchObject({ code: 0, err: '' });
    expect(set.out).toMatch(
      /^Marks are shared through .+synced\n {2}[0-9a-f]{16} {2}.+ \(this machine\) {2}last seen /,
    );
    await run('desk', 'mark', 'star', 'one', 'two');
    await run('desk', 'mark', 'unstar', 'two');
    await run('desk', 'sync');

    await run('laptop', 'marks-folder', 'set', folder);
    const [status] = jsonLines<MarksFolder>((await run('laptop', 'marks-folder', 'status', '--json')).out);
    expect(status).toMatchObject({ waiting: 0, leftOut: 0, unreadable: 0, failure: null });
    expect(status?.machines).toHaveLength(2);
    const exported = join(folder, 'laptop.json');
    await run('laptop', 'data', 'export', exported);
    expect((await run('desk', 'data', 'import', exported)).out).toMatch(/^0 rows imported, 1 unchanged/);

    const desk = status?.machines.find(({ isThis }) => !isThis)?.id ?? '';
    expect((await run('laptop', 'marks-folder', 'remove', desk)).code).toBe(0);
    expect(await run('laptop', 'marks-folder', 'remove', desk)).toMatchObject({
      code: 1,
      err: `broadsheet: The folder has no machine ${desk}.\n`,
    });
    expect((await run('laptop', 'marks-folder', 'off')).out).toMatch(/^Marks are not shared/);
  });

  it.skipIf(process.platform === 'win32')('tells what in it was not believed', async () => {
    const { folder, run } = await openScene();
    await run('laptop', 'marks-folder', 'set', folder);
    await run('laptop', 'mark', 'star', 'one');
    await run('laptop', 'marks-folder', 'compare');
    const marks = join(folder, 'broadsheet-marks');
    const written = readdirSync(marks, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.jsonl'));
    appendFileSync(join(marks, written ?? ''), 'no mark\n');
    symlinkSync('/dev/zero', join(marks, 'link'));
    const { code, out } = await run('desk', 'marks-folder', 'set', folder);
    expect(code).toBe(0);
    expect(out).toContain('\n1 entry not read because it is a link or no regular file\n');
    expect(out).toContain('\n1 unreadable line or file in the folder; it is read again when it changes\n');
  });

  it('is shown without the lock, as the last comparison found it', async () => {
    const { folder, place, run } = await openScene();
    await run('desk', 'marks-folder', 'set', folder);
    const lock = lockDataFolder(join(place, 'desk'));
    onTestFinished(() => lock.release());
    const { code, out, err } = await run('desk', 'marks-folder', 'status');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Marks are shared through .+synced\n {2}[0-9a-f]{16} {2}.+ \(this machine\) {2}last seen /);
    expect(out).toContain('As of the last comparison, ');
    lock.release();

    renameSync(folder, `${folder}-away`);
    expect((await run('desk', 'marks-folder', 'compare')).code).toBe(1);
    const [status] = jsonLines<MarksFolder>((await run('desk', 'marks-folder', 'status', '--json')).out);
    expect(status).toMatchObject({ folder, machines: [{ isThis: true }], failure: { code: 'data_unreadable' } });
    await run('desk', 'marks-folder', 'off');
    expect((await run('desk', 'marks-folder', 'status')).out).toMatch(/^Marks are not shared/);
  });

  // Two derivations of a key take a second.
  it('is encrypted with a passphrase from standard input, whose key is in a private file until sharing ends', async () => {
    const { folder, place, run, runWith } = await openScene();
    const passphrase = 'correct horse battery';
    const set = await runWith(`${passphrase}\n`, 'desk', 'marks-folder', 'set', folder, '--passphrase');
    expect(set.code).toBe(0);
    expect(set.out).toMatch(/^Marks are shared through .+synced, encrypted\n/);
    await run('desk', 'mark', 'star', 'one');
    await run('desk', 'marks-folder', 'compare');
    const files = readdirSync(join(folder, 'broadsheet-marks'), { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => readFileSync(join(folder, 'broadsheet-marks', name), 'utf8'));
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toMatch(/^\{"sum":"[0-9a-f]{16}","data":\{"seal":1,/);

    const keyFile = join(place, 'desk', 'marks-key-plain.json');
    if (process.platform !== 'win32') expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const key = /"key":"([0-9a-f]{64})"/.exec(readFileSync(keyFile, 'utf8'))?.[1] ?? '';
    const [status] = jsonLines<MarksFolder>((await run('desk', 'marks-folder', 'status', '--json')).out);
    expect(status).toMatchObject({ encrypted: true, locked: false, waiting: 0 });
    const exported = join(place, 'desk.json');
    await run('desk', 'data', 'export', exported);
    for (const text of [JSON.stringify(status), readFileSync(exported, 'utf8'), set.out, set.err]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(passphrase);
    }

    expect(await run('laptop', 'marks-folder', 'set', folder)).toMatchObject({
      code: 2,
      err: 'broadsheet: The folder has encrypted marks. Enter the passphrase that your other machines use.\n',
    });
    expect(await runWith('short\n', 'laptop', 'marks-folder', 'set', folder, '--passphrase')).toMatchObject({
      code: 2,
    });
    await run('desk', 'marks-folder', 'off');
    expect(existsSync(keyFile)).toBe(false);
  });

  it('carries settings where both machines ask for it, and none that belong to a machine', async () => {
    const { folder, run } = await openScene();
    await run('desk', 'settings', 'set', 'theme', 'dark');
    await run('desk', 'settings', 'set', 'text-size', '125');
    const set = await run('desk', 'marks-folder', 'set', folder, '--settings');
    expect(set.out).toContain('Settings are shared, too.\n');
    await run('laptop', 'marks-folder', 'set', folder);
    expect((await run('laptop', 'settings', 'get', 'theme')).out).toBe('system\n');
    await run('laptop', 'marks-folder', 'set', folder, '--settings');
    expect((await run('laptop', 'settings', 'get', 'theme')).out).toBe('dark\n');
    expect((await run('laptop', 'settings', 'get', 'text-size')).out).toBe('100\n');
    await run('laptop', 'settings', 'set', 'theme', 'light');
    await run('laptop', 'marks-folder', 'compare');
    await run('desk', 'marks-folder', 'compare');
    expect((await run('desk', 'settings', 'get', 'theme')).out).toBe('light\n');
  });

  it('refuses what is no folder', async () => {
    const { folder, run } = await openScene();
    const missing = join(folder, 'missing');
    expect(await run('desk', 'marks-folder', 'set', missing)).toEqual({
      code: 2,
      out: '',
      err: `broadsheet: ${missing} is not a folder. Create it first, in a place that your sync tool syncs.\n`,
    });
    expect((await run('desk', 'marks-folder', 'remove', '../../x')).code).toBe(2);
  });
});
