import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runHere } from './shells.ts';

const NOBODY = 65_534;
const asNobody = (program: string, ...args: string[]) =>
  spawnSync(program, args, { uid: NOBODY, gid: NOBODY, encoding: 'utf8' });

/** All paths in a folder that anyone but their owner may use. */
function openToOthers(folder: string): string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
}

// Only root can become another user.
describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('to another user of this computer', () => {
  it('data, backups and exports are closed, whatever the umask; an older folder is tightened', async () => {
    const service = await startDemoService({ clock: systemClock, content: { selected: 30, days: 3 } });
    onTestFinished(() => service.close());
    const home = temporaryFolder();
    chmodSync(home, 0o755);
    const data = join(home, 'data');
    const reports = join(home, 'reports');
    const commands = [
      ['sync', '--all', '--news', service.newsAddress],
      ['data', 'backup'],
      ['data', 'export', join(home, 'mine.json')],
      ['export', 'daily', '--all', '--format', 'md', '--out', reports],
    ];
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    for (const command of commands) expect(await runHere([...command, '--data', data])).toMatchObject({ code: 0 });
    expect(readdirSync(reports).length).toBeGreaterThan(0);
    for (const folder of [data, reports]) expect(openToOthers(folder)).toEqual([]);
    expect(statSync(join(home, 'mine.json')).mode & 0o777).toBe(0o600);
    for (const file of ['data/user.db', 'data/lock.db', 'mine.json']) {
      expect(asNobody('cat', join(home, file)).status, file).not.toBe(0);
    }
    expect(asNobody('ls', data).status).not.toBe(0);

    chmodSync(data, 0o777);
    for (const name of readdirSync(data)) if (name.endsWith('.db')) chmodSync(join(data, name), 0o666);
    expect(asNobody('cat', join(data, 'user.db')).status).toBe(0);
    expect((await runHere(['sync', '--news', service.newsAddress, '--data', data])).code).toBe(0);
    expect(openToOthers(data)).toEqual([]);
    expect(asNobody('cat', join(data, 'user.db')).status).not.toBe(0);
  });

  it('an export follows no link that this user planted', async () => {
    const service = await startDemoService({ clock: systemClock, content: { selected: 30, days: 3 } });
    onTestFinished(() => service.close());
    const home = temporaryFolder();
    const data = join(home, 'data');
    await runHere(['sync', '--all', '--news', service.newsAddress, '--data', data]);
    const shared = temporaryFolder();
    chmodSync(shared, 0o1777);
    const victim = join(home, 'victim');
    writeFileSync(victim, 'mine');
    for (const name of ['mine.json', '.mine.json.unfinished'])
      expect(asNobody('ln', '-s', victim, join(shared, name)).status).toBe(0);
    expect(asNobody('ln', '-s', home, join(shared, 'folder')).status).toBe(0);
    for (const file of ['mine.json', 'folder/victim']) {
      const { code, err } = await runHere(['data', 'export', join(shared, file), '--data', data]);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('that another user made') as string });
      expect(statSync(victim).size).toBe(4);
    }
    // Not even in the other user's own folder, if everybody may write there.
    const out = join(shared, 'out');
    expect(asNobody('mkdir', '-m', '777', out).status).toBe(0);
    const newest = (await runHere(['list', 'dailies', '--json', '--limit', '1', '--data', data])).out;
    const { label } = JSON.parse(newest) as { label: string };
    const name = `daily-${label}.md`;
    const report = join(out, name);
    const exported = (to = out) => runHere(['export', 'daily', label, '--format', 'md', '--out', to, '--data', data]);
    const inPlanted = await exported(join(shared, 'folder', 'new'));
    expect(inPlanted).toMatchObject({ code: 1, err: expect.stringContaining('that another user made') as string });
    expect(existsSync(join(home, 'new'))).toBe(false);
    expect(asNobody('ln', '-s', victim, join(out, `.${name}.unfinished`)).status).toBe(0);
    expect(asNobody('ln', '-s', victim, report).status).toBe(0);
    expect(await exported()).toMatchObject({ code: 1 });
    rmSync(report);
    // Whoever reads a pipe waits for a writer.
    expect(asNobody('mkfifo', report).status).toBe(0);
    expect(await exported()).toMatchObject({ code: 1 });
    expect(lstatSync(report).isFIFO()).toBe(true);
    rmSync(report);
    expect(await exported()).toMatchObject({ code: 0 });
    expect(lstatSync(report).isFile()).toBe(true);
    expect(statSync(victim).size).toBe(4);
  });
});
