import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWS_RESOURCES, RESOURCES } from '../../../src-main/contract/model/resource.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { SyncResult, SyncHealth } from '../../../src-main/contract/model/sync-status.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import { SOURCE, storeListed } from '../../support/store.ts';
import { openOnce } from '../../support/open-once.ts';
import { writeSettings } from '../../support/test-server.ts';
import { signIn } from '../../support/sign-in.ts';
import { CLI } from '../../support/built-node.ts';
import { jsonLines, runCli, startCli } from '../child.ts';
import { openHome, openSynced } from '../home.ts';
import { runHere } from '../shells.ts';

const SELECTED = 120;
const OTHERS = 30;

/** Called before the service answers with a snapshot. */
let onSnapshot: () => void = () => undefined;

/** A synced folder, and what its service has beside the usual items. */
const standing = openOnce(async (atEnd) => {
  const home = await openHome({
    content: { selected: SELECTED - 1, unselected: OTHERS, days: 5 },
    intercept: ({ url = '' }) => {
      if (url.includes('/snapshot')) onSnapshot();
      return false;
    },
    atEnd,
  });
  const { control } = home.service;
  const added = control.addItem({ title: '推理模型', madeUp: { by: 'a later version' } });
  await writeSettings(home.data);
  expect(await home.run('sync')).toMatchObject({ code: 0 });
  return { home, added };
});
const syncArgs = (data: string, ...args: string[]) => {
  const { newsAddress } = standing().home.service;
  return ['sync', '--data', data, '--news', newsAddress, ...args];
};

// Some of these run in a process, to test what that adds to a command; the others run in this one.
describe('the command line', () => {
  it('syncs everything once, then only what is due, then only what has changed', async () => {
    const data = temporaryFolder();
    await writeSettings(data);
    const sync = (...args: string[]) => runHere(syncArgs(data, ...args));
    const first = await runCli(syncArgs(data, '--json'));
    expect(first).toMatchObject({ code: 0, err: '' });
    const [report] = jsonLines<SyncResult>(first.out);
    expect(report?.ok).toBe(true);
    expect(Object.keys(report?.resources ?? {})).toEqual([...RESOURCES]);
    expect(report?.counts).toEqual({
      items: SELECTED + OTHERS,
      selected: SELECTED,
      unread: SELECTED + OTHERS,
      starred: 0,
    });

    const idle = { status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 };
    const [second] = jsonLines<SyncResult>((await sync('--json')).out);
    for (const name of ['items', 'selected', 'hotTopics', 'stories'] as const) {
      expect(second?.resources[name]).toMatchObject(idle);
    }

    const everything = await sync('--all');
    expect(everything).toMatchObject({ code: 0, err: '' });
    expect(everything.out.split('\n')).toContain('saved      150 items, 120 picks, 150 unread, 0 starred');
  });

  it("lists saved items with the service's field names and the user's state", async () => {
    const { home, added } = standing();
    const { run, lines } = home;
    const selected = await lines<StoredItem>('list', 'picks');
    expect(selected).toHaveLength(SELECTED);
    const stored = selected.find(({ id }) => id === added.id);
    expect(stored).toEqual({
      ...added,
      reason: stored?.reason,
      madeUp: undefined,
      extra: { madeUp: { by: 'a later version' } },
      effectiveAt: stored?.effectiveAt,
      inSelectedSet: true,
      leftSelectionAt: null,
      withdrawnAt: null,
      revisedAt: null,
      state: { readAt: null, starredAt: null },
      models: [],
    });
    expect(await lines('list', 'items')).toHaveLength(SELECTED + OTHERS);
    expect(await lines('list', 'items', '--limit', '7')).toHaveLength(7);

    const found = await lines<{ id: string; snippets: unknown[] }>('list', 'items', '--query', '推理模');
    expect(found.map(({ id }) => id)).toContain(added.id);
    expect(found[0]?.snippets).not.toEqual([]);

    expect(await lines('show', 'item', added.id)).toEqual([stored]);
    expect(await run('show', 'item', 'never-seen')).toMatchObject({ code: 1, out: '' });
  });

  it('marks items and lists them by status', async () => {
    const { run, lines } = standing().home.copy();
    const [one, two] = (await lines<StoredItem>('list', 'items', '--limit', '2')).map(({ id }) => id);
    expect((await run('mark', 'star', one ?? '', two ?? '')).out).toBe('2 items changed\n');
    expect((await run('mark', 'read', one ?? '', '--json')).out).toBe('{"changed":1}\n');
    expect((await run('mark', 'read', one ?? '')).out).toBe('0 items changed\n');
    const ids = async (...flags: string[]) => (await lines<StoredItem>('list', 'items', ...flags)).map(({ id }) => id);
    expect(await ids('--starred')).toEqual([one, two]);
    expect(await run('mark', 'star', 'nope')).toEqual({ code: 1, out: '', err: 'Not saved here: nope.\n' });
    const unknown = Array.from({ length: 12 }, (_, at) => `no-${at + 1}`);
    expect(await run('mark', 'star', one ?? '', ...unknown)).toEqual({
      code: 1,
      out: '0 items changed\n',
      err: `Not saved here: ${unknown.slice(0, 10).join(', ')} and 2 more.\n`,
    });
    expect(await ids('--starred')).toEqual([one, two]);
    expect(await ids('--starred', '--unread')).toEqual([two]);
    expect(await ids('--unread')).toHaveLength(SELECTED + OTHERS - 1);
  });

  it('shows the status of saved data, as text and JSON, without titles', async () => {
    const { service, run, lines } = await openHome({ content: { selected: 3, unselected: 0 } });
    service.control.addItem({ id: 'without-a-title', title: 7 });
    const title = service.control.allItems().at(-1)?.title ?? '';
    expect(title).not.toBe('');
    await run('sync');
    const health = await run('status');
    expect(health.out).toMatch(/items +last success .*, 3 saved/);
    expect(health.out).toMatch(/skipped 1 record: without-a-title: title/);
    expect(health.out).toContain('Checked    never');
    const checked = await run('status', '--check');
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toContain('no damage found');

    const [asJson] = await lines<{ integrity: unknown; runs: object[]; pause: unknown }>('status', '--check');
    expect(asJson).toMatchObject({ pause: null, integrity: { sound: true, messages: [] } });
    expect(asJson?.runs.map((each) => ('resource' in each ? each.resource : null))).toEqual(
      expect.arrayContaining(['items', 'selected']),
    );
    expect(JSON.stringify(asJson)).not.toContain(title);
  });

  it('shows saved data while the service is down, with the error and the age', async () => {
    const { service, run, lines } = await openSynced({ content: { selected: 3, unselected: 2 } });
    const address = service.newsAddress;
    const saved = await lines('list', 'items');
    expect(saved).not.toEqual([]);
    await service.close();
    const failed = await run('sync', '--all', '--json');
    const told = /^broadsheet: warn: Cannot reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. .*\n(?:Downloading .*\n)*$/;
    expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(told) as string });
    const shown = await run('sync', '--all');
    expect(shown.err).toMatch(told);
    expect(shown.out.match(/failed: unreachable/g)?.length).toBeGreaterThan(3);
    const [report] = jsonLines<SyncResult>(failed.out);
    expect(report).toMatchObject({
      ok: false,
      resources: { items: { status: 'failed', error: { code: 'unreachable' } } },
    });
    expect(await lines('list', 'items')).toEqual(saved);
    const status = await run('status');
    expect(status.code).toBe(0);
    expect(status.out).toContain(address);
    expect(status.out).toMatch(/items +last success \d{4}-/);
    expect(status.out.match(/Cannot reach/g)).toHaveLength(1);
    expect(status.out.match(/failed 2 times in a row: unreachable$/gm)?.length).toBeGreaterThan(3);
    expect(status.out).toContain('last run: failed, 1 request, 0 changes');
    const [asJson] = await lines<{ runs: SyncHealth['runs'] }>('status');
    expect(asJson).toMatchObject({ stored: true, source: { address, demo: false } });
    for (const name of NEWS_RESOURCES) {
      const latest = asJson?.runs.find(({ resource }) => resource === name);
      expect(latest).toMatchObject({ status: 'failed', reasons: [] });
    }
  });

  it('says what to do if nothing is saved, and creates no file', async () => {
    const folder = temporaryFolder();
    const run = (...args: string[]) => runHere([...args, '--data', path.join(folder, 'data')]);
    for (const args of [['list', 'items'], ['list', 'picks', '--json'], ['status']]) {
      expect(await run(...args)).toMatchObject({
        code: 0,
        out: '',
        err: expect.stringContaining('run `broadsheet sync`') as string,
      });
    }
    expect((await run('status', '--json')).out).toContain('"stored":false');
    expect(await run('show', 'item', 'x')).toMatchObject({ code: 1, out: '' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('lists recent selected items before all are there, and says so', async () => {
    const data = temporaryFolder();
    const store = openStore({ folder: data, source: SOURCE, now: () => systemClock.now() });
    storeListed(store, [item({ discoveredAt: new Date(systemClock.now()).toISOString(), selected: true })]);
    store.close();
    expect(await runHere(['list', 'picks', '--data', data])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Title of one') as string,
      err: expect.stringContaining('so only recent items are listed: run `broadsheet sync`') as string,
    });
  });

  it('accepts options before the command, and the environment without options', async () => {
    const { data, service } = standing().home.copy();
    const environment = { BROADSHEET_DATA: data, BROADSHEET_NEWS_URL: service.newsAddress };
    expect(await runHere(['sync'], environment)).toMatchObject({ code: 0, err: '' });
    const other = ['--json', '--data', path.join(temporaryFolder(), 'other'), 'status'];
    expect((await runHere(other, environment)).out).toContain('"stored":false');
    expect((await runHere(['--json', 'status'], environment)).out).toContain('"stored":true');
    const offline = { ...environment, BROADSHEET_NEWS_URL: 'http://127.0.0.1:1' };
    expect(await runHere(['sync', '--all', '--news', service.newsAddress], offline)).toMatchObject({ code: 0 });
  });

  it('ends without an error if the reader of a list closes the pipe', async () => {
    const { child, ended } = startCli(['list', 'items', '--json', '--data', standing().home.data]);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('reports a file that was set aside, as text and next to the JSON', async () => {
    const { data, run } = standing().home.copy();
    await writeFile(path.join(data, 'user.db'), 'no database');
    const again = await run('sync', '--all', '--json');
    expect(again.code).toBe(0);
    expect(jsonLines<SyncResult>(again.out)).toMatchObject([{ ok: true }]);
    expect(again.err).toMatch(
      /^broadsheet: warn: user\.db could not be used \(damaged\)[^\n]+ renamed to user\.db\.damaged-\S+\. [^\n]+\n$/,
    );
  });
});

describe('serve as a process', () => {
  const serveArgs = (data: string) => ['serve', '--data', data, '--news', standing().home.service.newsAddress];
  const isLeft = (name: string): boolean => /-wal$|^serving/.test(name);
  async function serve(data = temporaryFolder()) {
    const running = startCli(serveArgs(data));
    const [line] = (await once(running.child.stdout, 'data')) as [string];
    return { ...running, data, address: new URL((JSON.parse(line) as { url: string }).url) };
  }

  it('authenticates its browser, fetches in a thread, lets others read, and a rule arrives while it ends with its stdin', async () => {
    const { child, ended, address, data } = await serve(standing().home.copy().data);
    expect(address.hostname).toBe('127.0.0.1');
    const tasks = process.platform === 'linux' ? globSync(`/proc/${child.pid}/task/*/comm`) : [];
    if (tasks.length > 0) expect(tasks.map((task) => readFileSync(task, 'utf8'))).toContain('WorkerThread\n');
    const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
    const answer = await fetch(`${address.origin}/call/source.get`, { method: 'POST', headers, body: '{}' });
    expect(await answer.json()).toMatchObject({
      ok: true,
      value: { address: standing().home.service.newsAddress, from: 'option' },
    });
    const run = (...args: string[]) => runHere([...args, '--data', data]);
    expect(await run('status')).toMatchObject({ code: 0, err: '' });
    expect(await run('list', 'items', '--json')).toMatchObject({ code: 0, err: '' });
    const muting = runCli(['mute', 'add', 'nothing', '--data', data]);
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0 });
    expect(await muting).toMatchObject({ code: 0, err: '' });
  });

  // On Windows a process cannot handle signals.
  it.skipIf(process.platform === 'win32')('stops on SIGTERM', async () => {
    const { child, ended, data } = await serve();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, err: '' });
    expect((await readdir(data)).filter(isLeft)).toEqual([]);
  });

  it.skipIf(!existsSync('/bin/bash'))(
    'ends by SIGINT once it has stopped, so that a loop of a shell is left with Ctrl+C',
    async () => {
      const data = temporaryFolder();
      const loop = 'while true; do "$0" "$@"; echo again; done';
      const command = [process.execPath, CLI, ...serveArgs(data)];
      // In a process group, all of which Ctrl+C reaches.
      const shell = spawn('/bin/bash', ['-c', loop, ...command], {
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => {
        if (shell.exitCode === null && shell.signalCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL');
      });
      let out = '';
      shell.stdout.on('data', (text: Buffer) => (out += text.toString()));
      await once(shell.stdout, 'data');
      process.kill(-(shell.pid ?? 0), 'SIGINT');
      expect(await once(shell, 'close')).toEqual([null, 'SIGINT']);
      expect(out).not.toContain('again');
      expect((await readdir(data)).filter(isLeft)).toEqual([]);
    },
  );

  it('ends with exit code 1 if it cannot open its files again', async () => {
    const { data } = standing().home.copy();
    const { child, ended, address } = await serve(data);
    const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
    const call = (method: string, args: object) =>
      fetch(`${address.origin}/call/${method}`, { method: 'POST', headers, body: JSON.stringify(args) });
    onTestFinished(() => void (onSnapshot = () => undefined));
    // As if a newer version had used the folder during the rebuild.
    onSnapshot = () => {
      const user = new Database(path.join(data, 'user.db'));
      user.pragma('user_version = 99');
      user.close();
    };
    const answer = await call('data.rebuildMirror', {});
    expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'data_newer' } });
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain('written by a newer version');
    expect(child.exitCode).toBe(1);
  });

  it('reports a port that is in use', async () => {
    const { port } = new URL(standing().home.service.newsAddress);
    const failed = await runHere(['serve', '--port', port, '--data', temporaryFolder()]);
    expect(failed.err).toContain(`Port ${port} is in use`);
    expect(failed.code).toBe(1);
  });
});
