import { mkdirSync, renameSync } from 'node:fs';
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
}

async function openScene(): Promise<Scene> {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 2 } });
  onTestFinished(() => service.close());
  const place = temporaryFolder();
  const folder = join(place, 'synced');
  mkdirSync(folder);
  return {
    folder,
    place,
    run: async (data, ...args) => {
      const { shell, out, err } = hearShell({
        BROADSHEET_NEWS_URL: service.newsAddress,
        BROADSHEET_DATA: join(place, data),
      });
      const code = await runProgram(args, '1.2.3', shell);
      return { code, out: out(), err: err() };
    },
  };
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
