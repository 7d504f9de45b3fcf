import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLogFile } from '../../../src-main/core/log.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { lockDataFolder, openStore, restoreBackup, type Store } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';

const clock = fakeClock('2026-11-20T08:00:00Z');
const open = (folder: string, source = 'https://one.example'): Store =>
  openStore({ folder, source, now: () => clock.now() });

/** Lists the access of others to a folder and everything in it: paths with their modes. */
function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...names].flatMap((name) => {
    const mode = statSync(join(folder, name)).mode & 0o777;
    return (mode & 0o077) === 0 ? [] : [`${name} ${mode.toString(8)}`];
  });
}

/** Two services, a backup, a restored and a damaged file, settings and a log. */
function fill(folder: string): void {
  const first = open(folder);
  first.backUp();
  const [backup] = readdirSync(join(folder, 'backups'));
  // While it is open: with its logs.
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['mirror.db-wal', 'mirror.db-shm']));
  expect(openToOthers(folder)).toEqual([]);
  first.close();
  restoreBackup(folder, backup ?? '', clock.now());
  open(folder, 'https://two.example').close();
  writeFileSync(join(folder, 'search.db'), 'no database', { mode: 0o600 });
  open(folder, 'https://two.example').close();
  openSettingsStore({ folder, clock, log: () => undefined }).set({} as never);
  openLogFile({ folder, clock })('info', 'a line');
}

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('and all files in it are only for their owner', () => {
    const folder = join(temporaryFolder(), 'new', 'data');
    fill(folder);
    expect(openToOthers(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['backups', 'logs', 'sources', 'settings.json']));
  });

  it('that others could read is tightened at the next start', () => {
    const folder = join(temporaryFolder(), 'data');
    fill(folder);
    for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      const path = join(folder, name);
      chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666);
    }
    const lock = lockDataFolder(folder);
    expect(openToOthers(folder)).toEqual([]);
    lock.release();
  });

  it('gives nobody more than before', () => {
    const folder = join(temporaryFolder(), 'data');
    fill(folder);
    chmodSync(join(folder, 'settings.json'), 0o400);
    lockDataFolder(folder).release();
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o400);
  });

  it('keeps the modes of what others put there, and of what a link leads to', () => {
    const folder = join(temporaryFolder(), 'data');
    const elsewhere = temporaryFolder();
    mkdirSync(folder);
    const notes = join(folder, 'notes.txt');
    const target = join(elsewhere, 'target');
    for (const file of [notes, target]) {
      writeFileSync(file, '');
      chmodSync(file, 0o644);
    }
    symlinkSync(target, join(folder, 'settings-x.json'));
    chmodSync(elsewhere, 0o755);
    symlinkSync(elsewhere, join(folder, 'sources'));
    lockDataFolder(folder).release();
    expect([notes, target, elsewhere].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '644',
      '644',
      '755',
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('that serves others, too, keeps its own mode', () => {
    const shared = join(temporaryFolder(), 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    lockDataFolder(shared).release();
    expect(statSync(shared).mode & 0o7777).toBe(0o1777);
    expect(statSync(join(shared, 'lock.db')).mode & 0o777).toBe(0o600);
  });
});
