import Database from 'better-sqlite3';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { openOnce } from '../../support/open-once.ts';
import { openSynced } from '../home.ts';

const PATIENCE = { timeout: 60_000 };

/** A starred item and a note in a synced folder. */
const standing = openOnce(async (atEnd) => {
  const home = await openSynced({ content: { selected: 3, unselected: 2 }, atEnd });
  const [row] = await home.lines<{ id: string; title: string }>('list', 'items');
  const { id, title } = row!;
  expect(await home.run('mark', 'star', id)).toMatchObject({ code: 0 });
  expect(await home.run('note', 'set', 'item', id, 'Worth a second look.')).toMatchObject({ code: 0 });
  return { home, id, title };
});
const syncedFolder = () => {
  const { home, id, title } = standing();
  return { ...home.copy(), id, title };
};

/** Sets a byte in the SQL of a file's first table to 0. */
function damage(file: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const sql = database.prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').pluck().get() ?? '';
  database.close();
  const bytes = readFileSync(file);
  bytes[bytes.indexOf(sql) + 3] = 0;
  writeFileSync(file, bytes);
}

/** Removes a file with its log. */
function remove(file: string): void {
  for (const companion of ['', '-wal', '-shm']) rmSync(file + companion, { force: true });
}

/** Leaves no byte of a file, and no log. */
function empty(file: string): void {
  remove(file);
  writeFileSync(file, '');
}

describe('a missing or empty file beside others', () => {
  const WAYS = [
    ['missing', remove],
    ['empty', empty],
  ] as const;

  it.each(WAYS)(
    'is named with what it held and what to do, and no command says that all is well: %s',
    PATIENCE,
    async (state, lose) => {
      for (const [file, held] of [
        ['user.db', 'what you read, starred and wrote'],
        ['mirror.db', 'the downloaded news'],
      ] as const) {
        const { data, run } = syncedFolder();
        expect(await run('data', 'backup')).toMatchObject({ code: 0 });
        lose(join(data, file));
        for (const command of ['list items', 'show daily latest', 'search news', 'status', 'status --check']) {
          const { code, out, err } = await run(...command.split(' '));
          expect([command, code, out]).toEqual([command, 1, '']);
          expect(err).toContain(`${file} is ${state}: it held ${held}`);
          expect(err).toContain('`broadsheet sync`');
          expect(err.match(/`broadsheet data restore user-\S+\.db`/)?.length ?? 0).toBe(file === 'user.db' ? 1 : 0);
          expect(err).not.toContain('Nothing saved yet');
        }
      }
    },
  );

  it.each(WAYS)('that can be rebuilt is named, and the rest is shown: %s', PATIENCE, async (_, lose) => {
    const { data, run, title } = syncedFolder();
    lose(join(data, 'search.db'));
    const items = await run('list', 'items');
    expect(items).toMatchObject({ code: 0, err: '' });
    expect(items.out).toContain(title);
    expect((await run('status')).out).toContain('search.db is missing or cannot be read.');
    expect(await run('status', '--check')).toMatchObject({ code: 1 });
  });

  it.each(['user.db', 'mirror.db'])('is told by every sync until it is dismissed: %s', PATIENCE, async (file) => {
    const { data, run } = syncedFolder();
    remove(join(data, file));
    const missing = `${file} was missing and was replaced with a new one.`;
    for (let n = 0; n < 2; n += 1) expect((await run('sync')).err.split(missing)).toHaveLength(2);
    expect((await run('status')).out).toContain(missing);
    expect(await run('data', 'dismiss', file)).toMatchObject({ code: 0 });
    expect((await run('sync')).err).not.toContain(missing);
  });

  it('is not told of a folder that is new', PATIENCE, async () => {
    const { run, data } = syncedFolder();
    for (const file of ['user.db', 'mirror.db', 'search.db']) remove(join(data, file));
    expect(await run('list', 'items')).toMatchObject({
      code: 0,
      err: expect.stringContaining('Nothing saved yet') as string,
    });
    expect((await run('sync')).err).not.toContain('missing');
  });
});

describe('a damaged file', () => {
  it('that can be rebuilt stops no reading of the rest', PATIENCE, async () => {
    const { data, run, id, title } = syncedFolder();
    const news = join(temporaryFolder(), 'news.csv');
    const read = async () => [
      await run('list', 'items', '--json'),
      await run('show', 'item', id, '--json'),
      await run('note', 'get', 'item', id),
      await run('show', 'daily', 'latest'),
      await run('list', 'models', '--json'),
      await run('list', 'notes', '--json'),
      await run('export', 'items', '--format', 'csv', '--out', news),
    ];
    const before = await read();
    expect(before.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    damage(join(data, 'search.db'));
    expect(await read()).toEqual(before);
    expect(await run('data', 'export', join(temporaryFolder(), 'mine.json'))).toMatchObject({ code: 0 });

    const status = await run('status');
    expect(status).toMatchObject({
      code: 0,
      out: expect.stringContaining('search.db is missing or cannot be read.') as string,
    });
    expect(status.out).toContain('1 starred');
    expect(await run('status', '--check')).toMatchObject({
      code: 1,
      out: expect.stringContaining('search.db') as string,
    });
    // Commands that need the file name it, and say what to do.
    const named = 'search.db is missing or damaged. Start Broadsheet or run `broadsheet sync`';
    const found = { code: 0, out: expect.stringContaining(title) as string, err: '' };
    const stopped = { code: 1, out: '', err: expect.stringContaining(named) as string };
    expect(await run('search', `"${title}"`)).toEqual(stopped);
    await run('sync');
    expect(await run('search', `"${title}"`)).toEqual(found);
    expect((await run('status')).out).toMatch(/^items +last success \d/m);
  });

  it("with the reader's data is named, and said to have a backup", PATIENCE, async () => {
    const { data, run } = syncedFolder();
    damage(join(data, 'user.db'));
    const { code, err } = await run('list', 'items');
    expect(code).toBe(1);
    expect(err).toContain('user.db is damaged.');
    expect(err).toContain('`broadsheet status` names the latest backup');
    expect(err).not.toContain('download');
  });
});
