import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

const PATIENCE = { timeout: 60_000 };

/** A synced folder with a starred item and a note, and the command line on it. */
async function syncedFolder() {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 2 } });
  onTestFinished(() => service.close());
  const data = temporaryFolder();
  const environment = { BROADSHEET_NEWS_URL: service.newsAddress, BROADSHEET_DATA: data };
  const run = (...args: string[]) => runHere(args, environment);
  expect(await run('sync')).toMatchObject({ code: 0 });
  const [row] = jsonLines<{ id: string; title: string }>((await run('list', 'items', '--json')).out);
  const id = row?.id ?? '';
  expect(await run('mark', 'star', id)).toMatchObject({ code: 0 });
  expect(await run('note', 'set', 'item', id, 'Worth a second look.')).toMatchObject({ code: 0 });
  return { data, run, id, title: row?.title ?? '' };
}

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

describe('a damaged file', () => {
  it.each(['search.db', 'fetch-log.db'])(
    'that can be rebuilt stops no reading of the rest: %s',
    PATIENCE,
    async (file) => {
      const { data, run, id, title } = await syncedFolder();
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
      damage(join(data, file));
      expect(await read()).toEqual(before);
      expect(await run('data', 'export', join(temporaryFolder(), 'mine.json'))).toMatchObject({ code: 0 });

      const status = await run('status');
      expect(status).toMatchObject({ code: 0, out: expect.stringContaining(`${file} cannot be read.`) as string });
      expect(status.out).toContain('1 starred');
      expect(await run('status', '--check')).toMatchObject({ code: 1, out: expect.stringContaining(file) as string });
      // Commands that need the file name it, and say what to do.
      const named = `${file} is damaged. Start Broadsheet or run \`broadsheet sync\``;
      const found = { code: 0, out: expect.stringContaining(title) as string, err: '' };
      const stopped = { code: 1, out: '', err: expect.stringContaining(named) as string };
      expect(await run('search', `"${title}"`)).toEqual(file === 'search.db' ? stopped : found);
      await run('sync');
      expect(await run('search', `"${title}"`)).toEqual(found);
      expect((await run('status')).out).toMatch(/^items +last success \d/m);
    },
  );

  it("with the reader's data is named, and said to have a backup", PATIENCE, async () => {
    const { data, run } = await syncedFolder();
    damage(join(data, 'user.db'));
    const { code, err } = await run('list', 'items');
    expect(code).toBe(1);
    expect(err).toContain('user.db is damaged.');
    expect(err).toContain('`broadsheet status` names the latest backup');
    expect(err).not.toContain('download');
  });
});
