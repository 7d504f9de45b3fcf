import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import { temporaryFolder } from '../support/folders.ts';
import { fill, smallDisk } from '../support/small-disk.ts';
import { runHere } from './shells.ts';
import { CLI } from '../support/built-node.ts';
import { exportedIn, exportOf, idsIn, recordsWith } from '../support/user-data.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

async function run(args: string[], data: string, news: string) {
  return runHere(args, { BROADSHEET_NEWS_URL: news, BROADSHEET_DATA: data });
}

async function startService(): Promise<string> {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 0 } });
  onTestFinished(() => service.close());
  return service.newsAddress;
}

const starsIn = (file: string): string[] => idsIn(exportedIn(readFileSync(file, 'utf8')), 'star');

describe('a full disk', () => {
  it('is reported, and saved data is unchanged', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('no disk can be mounted here');
    const news = await startService();
    const data = join(disk, 'data');
    await run(['sync'], data, news);
    const elsewhere = temporaryFolder();
    const stars = join(elsewhere, 'stars.json');
    writeFileSync(stars, exportOf(recordsWith('star', ['one', 'two'])));
    await run(['data', 'import', stars], data, news);
    const before = join(elsewhere, 'before.json');
    await run(['data', 'export', before], data, news);
    const open = () => openSettingsStore({ folder: data, clock: systemClock, log: () => undefined });
    open().set({ ...DEFAULT_SETTINGS, theme: 'dark' });
    const stored = readFileSync(join(data, 'settings.json'));

    const giveBack = fill(disk);
    const settings = open();
    expect(() => settings.set({ ...settings.get(), shortcuts: { next: 'n'.repeat(20) } })).toThrow(
      expect.objectContaining({ code: 'disk_full' }) as Error,
    );
    expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
    expect(readFileSync(join(data, 'settings.json'))).toEqual(stored);
    const ids = Array.from({ length: 4_000 }, (_, at) => `other-${at}`);
    const large = join(elsewhere, 'large.json');
    writeFileSync(large, exportOf(recordsWith('read', ids)));
    for (const args of [
      ['data', 'backup'],
      ['data', 'import', large],
    ]) {
      const { code, out, err } = await run(args, data, news);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/disk is full|Make room|Free some space/);
    }
    giveBack();

    const after = join(elsewhere, 'after.json');
    expect(await run(['data', 'export', after], data, news)).toMatchObject({ code: 0 });
    expect(starsIn(after)).toEqual(['one', 'two']);
    expect(await run(['data', 'backup'], data, news)).toMatchObject({ code: 0 });
    expect(readdirSync(join(data, 'backups'))).toHaveLength(1);
    expect(await run(['data', 'import', large], data, news)).toMatchObject({ code: 0 });
  });
});

describe('a disk that fills up', () => {
  it('is reported once per command', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('no disk can be mounted here');
    const service = await startDemoService({ clock: systemClock, content: { selected: 3_000, unselected: 300 } });
    onTestFinished(() => service.close());
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(8 << 20));
    const data = join(disk, 'data');
    const { code, out, err } = await run(['sync'], data, service.newsAddress);
    expect(code).toBe(1);
    expect(err).toBe(
      'broadsheet: error: The disk is full. Free some space; Broadsheet then continues automatically.\n',
    );
    expect(out).toMatch(/^picks {6}failed: the disk is full \(\d+ requests?\)$/m);
    rmSync(filler);
    fill(disk);
    for (const args of [
      ['mute', 'add', 'one'],
      ['sync', '--all'],
    ]) {
      const again = await run(args, data, service.newsAddress);
      expect(again.code).toBe(1);
      expect(again.err.match(/disk is full/g)).toHaveLength(1);
    }
  });
});

describe('a read-only data folder', () => {
  it('is reported, and nothing in it is changed', async () => {
    const news = await startService();
    const data = join(temporaryFolder(), 'data');
    mkdirSync(data);
    await run(['sync'], data, news);
    await run(['mute', 'add', 'one'], data, news);
    writeFileSync(join(data, 'settings.json'), '{"theme": "dark"}');
    const file = join(temporaryFolder(), 'mine.json');
    writeFileSync(file, exportOf(recordsWith('read', ['another'])));
    chmodSync(join(data, '..'), 0o755);
    chmodSync(join(file, '..'), 0o755);
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o444);
    chmodSync(data, 0o555);
    onTestFinished(() => chmodSync(data, 0o755));
    const before = readdirSync(data).map((name) => [name, readFileSync(join(data, name)).toString('base64')]);

    // Root can write anywhere, so the commands run as another user.
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      for (const args of [
        ['mute', 'add', 'two'],
        ['data', 'backup'],
        ['data', 'import', file],
        ['data', 'rebuild'],
        ['sync'],
      ]) {
        const { code, out, err } = await run(args, data, news);
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err).toMatch(/^broadsheet: .*(cannot be written( to)?|Can't write to .*)\. .*(permissions|writable)/);
      }
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(readdirSync(data).map((name) => [name, readFileSync(join(data, name)).toString('base64')])).toEqual(before);
  });
});

// Node's own `mkdir` would try for ever, deaf to signals.
it.runIf(process.platform === 'linux')('a folder that can never be made is refused', () => {
  const limits = { encoding: 'utf8', timeout: 30_000, killSignal: 'SIGKILL' } as const;
  const stderr = expect.stringContaining("Can't create the data folder.") as string;
  for (const command of [
    ['sync'],
    ['feeds', 'add', 'daily'],
    ['hook', 'set', '--yes', '--on', 'daily', '--', '/bin/true'],
  ]) {
    const args = [CLI, '--data', '/proc/broadsheet/data', ...command];
    expect(spawnSync(process.execPath, args, limits)).toMatchObject({ status: 1, stderr });
  }
});
