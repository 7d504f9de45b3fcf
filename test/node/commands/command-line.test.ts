import type { IncomingMessage } from 'node:http';
import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { NEWS_RESOURCES, RESOURCES } from '../../../src-main/contract/model/resource.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { SyncResult, SyncHealth } from '../../../src-main/contract/model/sync-status.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { item } from '../../support/items.ts';
import { SOURCE, storeListed } from '../../support/store.ts';
import { writeSettings } from '../../support/test-server.ts';
import { signIn } from '../../support/sign-in.ts';
import { CLI } from '../../support/built-node.ts';
import { jsonLines, runCli, startCli } from '../child.ts';
import { runHere } from '../shells.ts';

const SELECTED = 120;
const OTHERS = 30;

let folder: string;
let data: string;
let service: DemoService;
/** Called before the service answers with a snapshot. */
let onSnapshot: () => void;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broadsheet-cli-'));
  data = path.join(folder, 'data');
  const content = { selected: SELECTED, unselected: OTHERS, days: 5 };
  onSnapshot = () => undefined;
  const intercept = ({ url = '' }: IncomingMessage): boolean => {
    if (url.includes('/snapshot')) onSnapshot();
    return false;
  };
  service = await startDemoService({ clock: systemClock, content, intercept });
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const prepare = async () => {
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (!existsSync(path.join(data, 'settings.json'))) await writeSettings(data);
};
const syncArgs = (...args: string[]) => ['sync', '--data', data, '--news', service.newsAddress, ...args];
const sync = async (...args: string[]) => {
  await prepare();
  return runHere(syncArgs(...args));
};
const run = (...args: string[]) => runHere([...args, '--data', data]);

// Some of these run in a process, to test what that adds to a command; the others run in this one.
describe('the command line', { timeout: 60_000 }, () => {
  it('syncs everything once, then only what is due, then only what has changed', async () => {
    await prepare();
    const first = await runCli(syncArgs('--json'));
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
    const added = service.control.addItem({ title: '推理模型', madeUp: { by: 'a later version' } });
    await sync();
    const selected = jsonLines<StoredItem>((await run('list', 'picks', '--json')).out);
    expect(selected).toHaveLength(SELECTED + 1);
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
    expect(jsonLines((await run('list', 'items', '--json')).out)).toHaveLength(SELECTED + OTHERS + 1);
    expect(jsonLines((await run('list', 'items', '--json', '--limit', '7')).out)).toHaveLength(7);

    const found = jsonLines<{ id: string; snippets: unknown[] }>(
      (await run('list', 'items', '--query', '推理模', '--json')).out,
    );
    expect(found.map(({ id }) => id)).toContain(added.id);
    expect(found[0]?.snippets).not.toEqual([]);

    const shown = await runCli(['show', 'item', added.id, '--json', '--data', data]);
    expect(jsonLines(shown.out)).toEqual([stored]);
    expect(await runCli(['show', 'item', 'never-seen', '--data', data])).toMatchObject({ code: 1, out: '' });
  });

  it('marks items and lists them by status', async () => {
    await sync();
    const [one, two] = jsonLines<StoredItem>((await run('list', 'items', '--json', '--limit', '2')).out).map(
      ({ id }) => id,
    );
    expect((await run('mark', 'star', one ?? '', two ?? '')).out).toBe('2 items changed\n');
    expect((await run('mark', 'read', one ?? '', '--json')).out).toBe('{"changed":1}\n');
    expect((await run('mark', 'read', one ?? '')).out).toBe('0 items changed\n');
    const ids = async (...flags: string[]) =>
      jsonLines<StoredItem>((await run('list', 'items', '--json', ...flags)).out).map(({ id }) => id);
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
    service.control.addItem({ id: 'without-a-title', title: 7 });
    await sync();
    const health = await run('status');
    expect(health.out).toMatch(/items +last success .*, 150 saved/);
    expect(health.out).toMatch(/skipped 1 record: without-a-title: title/);
    expect(health.out).toContain('Checked    never');
    const checked = await run('status', '--check');
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toContain('no damage found');

    const [asJson] = jsonLines<{ integrity: unknown; runs: object[]; pause: unknown }>(
      (await run('status', '--check', '--json')).out,
    );
    expect(asJson).toMatchObject({ pause: null, integrity: { sound: true, messages: [] } });
    expect(asJson?.runs.map((each) => ('resource' in each ? each.resource : null))).toEqual(
      expect.arrayContaining(['items', 'selected']),
    );
    const title = service.control.allItems().at(-1)?.title ?? '';
    expect(title).not.toBe('');
    expect(JSON.stringify(asJson)).not.toContain(title);
  });

  it('shows saved data while the service is down, with the error and the age', async () => {
    await sync();
    const address = service.newsAddress;
    await service.close();
    const failed = await sync('--all', '--json');
    const told = /^broadsheet: warn: Cannot reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. .*\n$/;
    expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(told) as string });
    const shown = await sync('--all');
    expect(shown.err).toMatch(told);
    expect(shown.out.match(/failed: unreachable/g)?.length).toBeGreaterThan(3);
    const [report] = jsonLines<SyncResult>(failed.out);
    expect(report).toMatchObject({
      ok: false,
      resources: { items: { status: 'failed', error: { code: 'unreachable' } } },
    });
    expect(jsonLines((await run('list', 'items', '--json')).out)).toHaveLength(SELECTED + OTHERS);
    const status = await run('status');
    expect(status.code).toBe(0);
    expect(status.out).toContain(address);
    expect(status.out).toMatch(/items +last success \d{4}-/);
    expect(status.out.match(/Cannot reach/g)).toHaveLength(1);
    expect(status.out.match(/failed 2 times in a row: unreachable$/gm)?.length).toBeGreaterThan(3);
    expect(status.out).toContain('last run: failed, 1 request, 0 changes');
    const [asJson] = jsonLines<{ runs: SyncHealth['runs'] }>((await run('status', '--json')).out);
    expect(asJson).toMatchObject({ stored: true, source: { address, demo: false } });
    for (const name of NEWS_RESOURCES) {
      const latest = asJson?.runs.find(({ resource }) => resource === name);
      expect(latest).toMatchObject({ status: 'failed', reasons: [] });
    }
  });

  it('says what to do if nothing is saved, and creates no file', async () => {
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
    await mkdir(data, { recursive: true, mode: 0o700 });
    const store = openStore({ folder: data, source: SOURCE, now: () => systemClock.now() });
    storeListed(store, [item({ discoveredAt: new Date(systemClock.now()).toISOString(), selected: true })]);
    store.close();
    expect(await run('list', 'picks')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Title of one') as string,
      err: expect.stringContaining('so only recent items are listed: run `broadsheet sync`') as string,
    });
  });

  it('accepts options before the command, and the environment without options', async () => {
    const environment = { BROADSHEET_DATA: data, BROADSHEET_NEWS_URL: service.newsAddress };
    expect(await runCli(['sync'], environment)).toMatchObject({ code: 0, err: '' });
    const other = path.join(folder, 'other');
    expect((await runHere(['--json', '--data', other, 'status'], environment)).out).toContain('"stored":false');
    expect((await runHere(['--json', 'status'], environment)).out).toContain('"stored":true');
    const offline = { ...environment, BROADSHEET_NEWS_URL: 'http://127.0.0.1:1' };
    expect(await runHere(['sync', '--all', '--news', service.newsAddress], offline)).toMatchObject({ code: 0 });
  });

  it('does not let texts of the service control the terminal', async () => {
    const title = '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script>';
    const { id } = service.control.addItem({ title });
    await sync();
    const shown = '\uFFFD[2J\uFFFD]0;owned\uFFFD<script>alert(1)</script>';
    expect((await run('list', 'items', '--query', 'owned')).out).toContain(shown);
    expect((await run('show', 'item', id)).out).toContain(shown);
    expect(jsonLines<StoredItem>((await run('show', 'item', id, '--json')).out)[0]?.title).toBe(title);
  });

  it('ends without an error if the reader of a list closes the pipe', async () => {
    await sync();
    const { child, ended } = startCli(['list', 'items', '--json', '--data', data]);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('reports a file that was set aside, as text and next to the JSON', async () => {
    await sync();
    await writeFile(path.join(data, 'user.db'), 'no database');
    const again = await sync('--all', '--json');
    expect(again.code).toBe(0);
    expect(jsonLines<SyncResult>(again.out)).toMatchObject([{ ok: true }]);
    expect(again.err).toMatch(
      /^broadsheet: warn: user\.db could not be used \(damaged\)[^\n]+ renamed to user\.db\.damaged-\S+\. [^\n]+\n$/,
    );
  });

  it('reports an invalid data folder in one line', async () => {
    await writeFile(data, 'not a folder');
    const failed = await runCli(syncArgs());
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.err).toMatch(/^broadsheet: [^\n]+\n$/m);
    expect(failed.err).not.toMatch(/\n\s+at /);
  });
});

describe('serve as a process', { timeout: 60_000 }, () => {
  async function serve() {
    const running = startCli(['serve', '--data', data, '--news', service.newsAddress]);
    const [line] = (await once(running.child.stdout, 'data')) as [string];
    return { ...running, address: new URL((JSON.parse(line) as { url: string }).url) };
  }

  it('authenticates its browser and stops when its stdin closes', async () => {
    const { child, ended, address } = await serve();
    expect(address.hostname).toBe('127.0.0.1');
    const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
    const answer = await fetch(`${address.origin}/call/source.get`, { method: 'POST', headers, body: '{}' });
    expect(await answer.json()).toMatchObject({ ok: true, value: { address: service.newsAddress, from: 'option' } });
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0 });
  });

  // On Windows a process cannot handle signals.
  it.skipIf(process.platform === 'win32')('stops on SIGTERM, and ends by SIGINT once it has stopped', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, ended } = await serve();
      child.kill(signal);
      expect(await ended).toMatchObject({ code: signal === 'SIGTERM' ? 0 : null, err: '' });
      expect(child.signalCode).toBe(signal === 'SIGTERM' ? null : 'SIGINT');
      expect((await readdir(data)).filter((name) => /-wal$|^serving/.test(name))).toEqual([]);
    }
  });

  it.skipIf(!existsSync('/bin/bash'))('lets a loop of a shell be left with Ctrl+C', async () => {
    const loop = 'while true; do "$0" "$@"; echo again; done';
    const command = [process.execPath, CLI, 'serve', '--data', data, '--news', service.newsAddress];
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
  });

  it('ends with exit code 1 if it cannot open its files again', async () => {
    const { child, ended, address } = await serve();
    const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
    const call = (method: string, args: object) =>
      fetch(`${address.origin}/call/${method}`, { method: 'POST', headers, body: JSON.stringify(args) });
    await call('sync.run', { urgency: 'now' });
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

  it('is the only writer of its data folder; others can read, and a rule arrives while it ends', async () => {
    const first = await serve();
    const second = await runCli(['serve', '--data', data, '--news', service.newsAddress]);
    expect(second).toMatchObject({ code: 75, out: '' });
    expect(second.err).toMatch(/^broadsheet: .*already running.*\n$/);
    expect(await run('status')).toMatchObject({ code: 0, err: '' });
    expect(await run('list', 'items', '--json')).toMatchObject({ code: 0, err: '' });
    const muting = runCli(['mute', 'add', 'nothing', '--data', data]);
    first.child.stdin.end();
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await muting).toMatchObject({ code: 0, err: '' });
  });

  it('reports a port that is in use', async () => {
    const { port } = new URL(service.newsAddress);
    const failed = await run('serve', '--port', port);
    expect(failed.err).toContain(`Port ${port} is in use`);
    expect(failed.code).toBe(1);
  });
});
