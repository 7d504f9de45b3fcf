import { spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { openOnce } from '../support/open-once.ts';
import { openHome } from './home.ts';
import { CLI } from '../support/built-node.ts';

const standing = openOnce(async (atEnd) => {
  const home = await openHome({ content: { selected: 3, unselected: 0 }, atEnd });
  await home.run('mute', 'add', 'one');
  return home;
});

/** Without what SQLite creates beside files that it reads. */
const filesIn = (data: string): string[] => readdirSync(data).filter((name) => name.endsWith('.db'));

type Obstacle = 'folder' | 'missing target' | 'endless link' | 'link to a folder';

function put(obstacle: Obstacle, file: string): void {
  rmSync(file, { recursive: true, force: true });
  if (obstacle === 'folder') return void mkdirSync(join(file, 'inside'), { recursive: true });
  const target = {
    'missing target': '/missing/disk/file',
    'endless link': file,
    'link to a folder': temporaryFolder(),
  };
  symlinkSync(target[obstacle], file);
}

const OBSTACLES: Obstacle[] = ['folder', 'missing target', 'endless link', 'link to a folder'];
const pairs = ['user.db', 'mirror.db', 'search.db'].flatMap((name) =>
  OBSTACLES.map((obstacle) => [name, obstacle] as const),
);

describe('in the place of a file', () => {
  it.each(OBSTACLES)('of lock.db, a %s is named and left', async (obstacle) => {
    const { data, run } = standing().copy();
    put(obstacle, join(data, 'lock.db'));
    const before = filesIn(data);
    const found = obstacle === 'folder' ? 'a folder is' : "a link to \\S+, which can't be used, is";
    const words = new RegExp(`^broadsheet: lock.db in the data folder should be a file, but ${found} in its place\\. `);
    const { code, err } = await run('mute', 'add', 'two');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(words) as string });
    expect(filesIn(data)).toEqual(before);
  });

  it.each(pairs)('of %s, a %s is set aside', async (name, obstacle) => {
    const { data, run } = standing().copy();
    put(obstacle, join(data, name));
    expect((await run('list', 'items')).err).toContain(`${name} in the data folder should be a file`);
    const { code, err } = await run('mute', 'add', 'two');
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    const told = new RegExp(`^broadsheet: warn: ${name} could not be used \\(not-a-file\\).*renamed to ${name}\\.`);
    expect(err).toMatch(told);
    // Until it is dealt with.
    expect(await run('mute', 'add', 'three')).toMatchObject({ code: 0, err: expect.stringMatching(told) as string });
  });

  it('of the write-ahead log of user.db, a folder is set aside', async () => {
    const { data, run } = standing().copy();
    put('folder', join(data, 'user.db-wal'));
    expect(await run('mute', 'add', 'two')).toMatchObject({ code: 0 });
    expect(readdirSync(data).join()).toContain('user.db-wal.not-a-file-');
  });

  it('of the data folder, a file is named', async () => {
    const { run } = standing().copy();
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const place of [file, join(file, 'inside')]) {
      expect((await run('--data', place, 'mute', 'add', 'two')).err).toContain(`${place} can't be the data folder`);
    }
  });
});

describe('errors of this computer', () => {
  it.skipIf(process.platform === 'win32')('tell of too many open files', async () => {
    const { data, service } = standing().copy();
    const told = [];
    for (const handles of [26, 34]) {
      for (const command of ['mark star two', 'sync']) {
        const { stderr } = spawnSync(
          'sh',
          ['-c', `ulimit -n ${handles}; exec "$0" "$@"`, process.execPath, CLI, ...command.split(' ')],
          {
            env: { PATH: process.env['PATH'], BROADSHEET_DATA: data, BROADSHEET_NEWS_URL: service.newsAddress },
            encoding: 'utf8',
            timeout: 60_000,
          },
        );
        expect(stderr).not.toMatch(/permissions|Check the disk|unexpected error|engine stopped/);
        told.push(/Too many files are open/.test(stderr));
      }
    }
    expect(told.filter(Boolean).length).toBeGreaterThan(2);
  });

  it('name the file that another program has locked', async () => {
    const { data, run } = standing().copy();
    const other = new Database(join(data, 'user.db'));
    onTestFinished(() => void other.close());
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    expect((await run('serve')).err).toMatch(/^broadsheet: Another program has locked user\.db, /);
  });

  it('cut what they quote of the command line', async () => {
    const { run } = standing().copy();
    const { code, err } = await run('mark', 'read', 'x'.repeat(100_000));
    expect(code).toBe(2);
    expect(err.length).toBeLessThan(500);
    expect(err).toContain('See broadsheet mark --help.');
  });
});
