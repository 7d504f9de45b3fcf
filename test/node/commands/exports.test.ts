import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Call, Wire } from '../../../src-main/contract/wire.ts';
import { resolveInvocation } from '../../../src-main/node/invocation.ts';
import { QUIET_FOR, runAfterSyncs, runExports } from '../../../src-main/node/standing-exports.ts';
import { checkAtom } from '../../support/feeds.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TWELVE_DAYS } from '../../support/reports.ts';
import { openOnce } from '../../support/open-once.ts';
import { openTestApp } from '../../support/test-app.ts';
import { jsonLines } from '../child.ts';
import { openSynced } from '../home.ts';
import { hearShell } from '../shells.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const standing = openOnce((atEnd) => openSynced({ content: { selected: 5, unselected: 5, days: 3 }, atEnd }));
const home = () => ({ ...standing().copy(), out: temporaryFolder() });

const titles = async (file: string): Promise<string[]> =>
  checkAtom(await readFile(file, 'utf8')).entries.map(({ title }) => title);

describe('a standing export', () => {
  it('is written when it is added, and again by a sync that changed something', async () => {
    const { service, run, out } = home();
    const [feed, book, notes] = ['feed.xml', 'daily.epub', 'notes'].map((name) => path.join(out, name)) as [
      string,
      string,
      string,
    ];
    const added = await run('exports', 'add', 'Feed', '--', 'items', '--format', 'atom', '--out', feed);
    expect(added).toEqual({ code: 0, out: 'Export Feed written\n', err: '' });
    await run('exports', 'add', 'Book', '--', 'daily', 'latest', '--format', 'epub', '--out', book);
    await run('exports', 'add', 'Notes', '--', 'vault', '--out', notes);
    expect(await titles(feed)).toHaveLength(10);
    expect(strFromU8(unzipSync(await readFile(book))['mimetype'] ?? new Uint8Array())).toBe('application/epub+zip');
    expect((await run('exports', 'list')).out.split('\n')).toEqual([
      `Feed: export items --format=atom --out=${feed}`,
      `Book: export daily latest --format=epub --out=${book}`,
      `Notes: export vault --out=${notes}`,
      '',
    ]);

    // Files whose content stays the same stay as they are, also their times.
    for (const file of [feed, book]) await utimes(file, LONG_AGO, LONG_AGO);
    expect((await run('exports', 'run')).out).toBe('Export Feed written\nExport Book written\nExport Notes written\n');
    for (const file of [feed, book]) expect((await stat(file)).mtime).toEqual(LONG_AGO);

    const { title } = service.control.addItem();
    expect(await run('sync', '--all', '--quiet')).toMatchObject({ code: 0, err: '' });
    expect(await titles(feed)).toContain(title);
    expect((await stat(book)).mtime).toEqual(LONG_AGO);

    expect((await run('exports', 'remove', 'feed')).code).toBe(0);
    await rm(feed);
    service.control.addItem();
    await run('sync', '--all', '--quiet');
    expect(existsSync(feed)).toBe(false);
  });

  it('that fails is told, stops no other one, and the sync is saved', async () => {
    const { service, run, out } = home();
    const [gone, feed] = [path.join(out, 'disk', 'a.xml'), path.join(out, 'b.xml')];
    await mkdir(path.dirname(gone));
    await run('exports', 'add', 'a', '--', 'items', '--format', 'atom', '--out', gone);
    await run('exports', 'add', 'b', '--', 'items', '--format', 'atom', '--out', feed);
    await rm(path.dirname(gone), { recursive: true });
    const { id, title } = service.control.addItem();
    expect(await run('sync', '--all', '--quiet')).toMatchObject({
      code: 1,
      err: `Export a failed: Cannot write ${gone}: the folder does not exist.\n`,
    });
    expect(await titles(feed)).toContain(title);
    expect((await run('show', 'item', id)).code).toBe(0);
    const outcomes = jsonLines((await run('exports', 'run', '--json')).out);
    expect(outcomes).toMatchObject([{ name: 'b', error: null }]);
  });

  it('is not added if it could never run, or does not run now', async () => {
    const { run, out, data } = home();
    const add = (...words: string[]) => run('exports', 'add', 'x', '--', ...words);
    const file = path.join(out, 'x');
    for (const words of [
      ['items', '--format', 'epub', '--out', file],
      ['items', '--format', 'atom'],
      ['items', '--format', 'atom', '--out', '-'],
      ['items', '--format', 'atom', '--out', file, '--data', out],
      ['daily', '--format', 'epub', '--out', file],
      ['daily', 'tomorrow', '--format', 'epub', '--out', file],
      ['nothing', '--out', file],
      ['--help'],
    ]) {
      expect(await add(...words), words.join(' ')).toMatchObject({ code: 2, out: '' });
    }
    expect(await add('items', '--format', 'atom', '--out', path.join(out, 'missing', 'x'))).toMatchObject({ code: 1 });
    expect(await add('items', '--format', 'atom', '--out', path.join(data, 'user.db'))).toMatchObject({ code: 1 });
    expect((await run('exports', 'list')).out).toBe('');
    expect((await add('items', '--format', 'csv', '--out', file)).code).toBe(0);
    expect(await add('vault', '--out', out)).toMatchObject({ code: 2 });
    expect(await run('exports', 'remove', 'y')).toMatchObject({ code: 1 });

    await writeFile(path.join(data, 'exports.json'), '{');
    expect(await run('exports', 'run')).toMatchObject({
      code: 1,
      err: expect.stringContaining('exports.json') as string,
    });
  });

  /** An app with news and one standing export, of the name `a`. */
  async function openExported() {
    const { content, start } = TWELVE_DAYS;
    const app = await openTestApp({ content, start, folder: 'temporary' });
    await app.call('sync.run', { urgency: 'now', resources: ['items'] });
    const words = ['items', '--format=csv', `--out=${path.join(temporaryFolder(), 'news.csv')}`];
    await writeFile(path.join(app.folder, 'exports.json'), JSON.stringify({ exports: [{ name: 'a', words }] }));
    const invocation = resolveInvocation({ data: app.folder }, hearShell().shell);
    return { app, invocation };
  }

  it('is written by one process at a time', async () => {
    const { app, invocation } = await openExported();
    const callers: string[] = [];
    const runOf = (caller: string) => {
      const call: Call = (method, args) => {
        callers.push(caller);
        return app.call(method, args);
      };
      return runExports(invocation, { call, stop: new AbortController().signal });
    };
    const written = [{ name: 'a', error: null }];
    expect(await Promise.all([runOf('server'), runOf('hand')])).toEqual([written, written]);
    const inTurn = [...new Set(callers)].flatMap((caller) => callers.filter((one) => one === caller));
    expect(callers).toEqual(inTurn);
    expect(new Set(callers).size).toBe(2);
  });

  it('is written by hand between two runs of a server, however busy that is', async () => {
    const { app, invocation } = await openExported();
    const runs: string[] = [];
    const callOf =
      (caller: string, until?: Promise<void>): Call =>
      async (method, args) => {
        if (method === 'items.exportFrame') runs.push(caller);
        await until;
        return app.call(method, args);
      };
    const listeners = new Map<string, (payload: unknown) => void>();
    const on: Wire['on'] = (event, listener) => {
      listeners.set(event, listener as (payload: unknown) => void);
      return () => undefined;
    };
    const sync = () => {
      listeners.get('items.changed')?.({});
      for (const running of [true, false]) listeners.get('sync.changed')?.({ resources: [{ running }] });
    };
    const { promise: read, resolve: goOn } = Promise.withResolvers<undefined>();
    const server = { wire: { on }, call: callOf('server', read), log: () => undefined };
    onTestFinished(runAfterSyncs(invocation, server));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const syncAndWait = () => {
      sync();
      vi.advanceTimersByTime(QUIET_FOR);
    };
    syncAndWait();
    await expect.poll(() => runs, { timeout: 20_000 }).toEqual(['server']);
    const byHand = runExports(invocation, { call: callOf('hand'), stop: new AbortController().signal });
    // The second run is in the queue then.
    syncAndWait();
    goOn(undefined);
    await byHand;
    await expect.poll(() => runs.at(-1), { timeout: 20_000 }).toBe('server');
    expect(runs).toContain('hand');
  });

  it('is written by a server after its syncs, which tells in its log what failed', async () => {
    const { content, start } = TWELVE_DAYS;
    const app = await openTestApp({ content, start, folder: 'temporary' });
    const sync = () => app.call('sync.run', { urgency: 'now', resources: ['items', 'selected', 'dailies'] });
    await sync();
    const out = temporaryFolder();
    const feed = path.join(out, 'feed.xml');
    const words = ['items', '--format=atom', `--out=${feed}`];
    const broken = ['daily', 'latest', '--format=epub', `--out=${path.join(out, 'missing', 'x')}`];
    const exports = [
      { name: 'broken', words: broken },
      { name: 'feed', words },
    ];
    await writeFile(path.join(app.folder, 'exports.json'), JSON.stringify({ exports }));
    const log: unknown[] = [];
    const invocation = resolveInvocation({ data: app.folder }, hearShell().shell);
    const parts = { wire: app.core.wire, call: app.call, log: (...line: unknown[]) => log.push(line) };
    onTestFinished(runAfterSyncs(invocation, parts));
    const { title } = app.service.control.addItem();
    app.clock.advance(3_600_000);
    await sync();
    const reason = expect.stringContaining('the folder does not exist') as string;
    // The one that failed is told at the end of all.
    await expect
      .poll(() => log, { timeout: 60_000 })
      .toEqual([['warn', 'Export broken failed', { name: 'broken', reason }]]);
    expect(await titles(feed)).toContain(title);
  });
});
