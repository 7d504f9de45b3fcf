import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../src-main/contract/wire.ts';
import { listenForCalls } from '../../src-main/core/endpoint.ts';
import { runHost } from '../electron/fake/index.ts';
import { jsonLines, runCli } from '../node/child.ts';
import { silentLog } from '../node/hosts.ts';
import { runHere } from '../node/shells.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startNews, startServe } from './node-host.ts';

async function serve(folder: string, news: string) {
  const running = await startServe(folder, news);
  await existing(join(folder, 'calls.json'));
  return running;
}

async function existing(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setImmediate(resolve));
}

function socketOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'calls.json'), 'utf8')) as { path: string }).path;
}

describe('a command, while another process has the data folder', () => {
  it('writes through `serve`: syncs its services and no others, marks, notes, rules, settings, backups', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    const { child, ended } = await serve(folder, news);
    const run = async (...args: string[]): Promise<unknown> => {
      const { code, out, err } = await runHere([...args, '--data', folder, '--json']);
      expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
      return jsonLines(out)[0];
    };

    expect(await run('sync', '--news', news)).toMatchObject({ ok: true });
    const other = await runHere(['sync', '--news', 'http://127.0.0.1:9', '--data', folder]);
    expect(other).toMatchObject({
      code: 1,
      err: 'broadsheet: Broadsheet is running with this data folder and other services. Close it, or leave out --news, --models and --demo.\n',
    });
    const { out } = await runHere(['list', 'items', '--data', folder, '--json']);
    const [first, second] = jsonLines<{ id: string }>(out).map(({ id }) => id);
    await run('mark', 'star', first ?? '', second ?? '');
    await run('note', 'set', 'item', first ?? '', 'For later');
    await run('mute', 'add', 'tulips');
    await run('settings', 'set', 'theme', 'dark');
    expect(await run('data', 'backup')).toMatchObject({ bytes: expect.any(Number) as number });

    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(existsSync(join(folder, 'calls.json'))).toBe(false);
    // Written there, and saved.
    expect((await runHere(['list', 'items', '--starred', '--data', folder, '--json'])).out).toContain(second);
    expect((await runHere(['list', 'notes', '--data', folder])).out).toContain('For later');
    expect((await runHere(['mute', 'list', '--data', folder])).out).toContain('tulips');
    expect((await runHere(['settings', 'get', 'theme', '--data', folder])).out).toBe('dark\n');
  });

  it('asks it once about all items that it marks', async () => {
    const [folder, calls] = [temporaryFolder(), [] as unknown[]];
    const values = {
      'app.capabilities': { host: 'node' },
      'items.unknown': { ids: ['b'] },
      'items.mark': { changed: 2 },
    };
    const wire: Wire = {
      call: async (method, args) => {
        calls.push([method, args]);
        return { ok: true, value: (values as Record<string, unknown>)[method] as never };
      },
      on: () => () => undefined,
    };
    onTestFinished(await listenForCalls(folder, wire, silentLog));
    const marked = await runHere(['mark', 'read', 'a', 'b', 'c', 'a'], { BROADSHEET_DATA: folder });
    expect(marked).toEqual({ code: 1, out: '2 items changed\n', err: 'Not saved here: b.\n' });
    expect(calls.slice(1)).toEqual([
      ['items.unknown', { ids: ['a', 'b', 'c'] }],
      ['items.mark', { ids: ['a', 'c'], mark: 'read' }],
    ]);
  });

  it('writes through the desktop app, and shows it with `open`, at its place', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    expect((await runHere(['sync', '--data', folder, '--news', news])).code).toBe(0);
    const { out } = await runHere(['list', 'items', '--data', folder, '--json']);
    const [id] = jsonLines<{ id: string }>(out).map((item) => item.id);
    const desktop = await runHost({ dataFolder: folder, environment: { BROADSHEET_NEWS_URL: news } });
    onTestFinished(() => desktop.close());
    await existing(join(folder, 'calls.json'));
    const { code, err } = await runCli(['settings', 'set', 'theme', 'dark', '--data', folder]);
    expect({ code, err }).toEqual({ code: 0, err: 'It applies now.\n' });
    const nextSync = await runHere(['settings', 'set', 'keep-days', '365', '--data', folder]);
    expect(nextSync.err).toBe('It applies at the next sync.\n');
    expect(await desktop.driver.call('settings.get', {})).toMatchObject({ ok: true, value: { theme: 'dark' } });
    await expect.poll(async () => (await desktop.driver.records()).windows[0]?.visible, { timeout: 30_000 }).toBe(true);
    const open = (...args: string[]) => runHere(['open', ...args, '--data', folder], { DISPLAY: ':0' });
    const isMinimized = async () => (await desktop.driver.records()).windows[0]?.minimized;
    for (const [args, value] of [
      [[], { target: null }],
      [['item', id ?? ''], { target: { view: 'item', id } }],
    ] as const) {
      await desktop.driver.minimize();
      expect(await isMinimized()).toBe(true);
      const words = 'Broadsheet is running. Its window comes to the front.\n';
      expect(await open(...args)).toEqual({ code: 0, out: words, err: '' });
      expect(await isMinimized()).toBe(false);
      expect(await desktop.driver.call('app.takeTarget', {})).toEqual({ ok: true, value });
    }
    // Without a window there is nothing to open it in.
    expect(await open('--print')).toMatchObject({ code: 75, out: '' });
    const page = await open('item', id ?? '', '--print');
    expect(page).toMatchObject({ code: 0, out: expect.stringMatching(/^https?:/) as string });
  });

  it.skipIf(process.platform === 'win32')(
    'is the only one that can connect, and rubbish ends one connection',
    async () => {
      const [folder, news] = [temporaryFolder(), await startNews()];
      await serve(folder, news);
      const path = socketOf(folder);
      expect(statSync(dirname(path)).mode & 0o077).toBe(0);
      expect(statSync(join(folder, 'calls.json')).mode & 0o077).toBe(0);
      const socket = connect(path);
      socket.write('GET / HTTP/1.1\n\n');
      await once(socket.resume(), 'close');
      const { code } = await runHere(['mute', 'add', 'tulips', '--data', folder]);
      expect(code).toBe(0);
    },
  );

  it('opens the folder itself when the other one crashed', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    const { child, ended } = await serve(folder, news);
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(socketOf(folder))).toBe(true);
    expect((await runHere(['mute', 'add', 'tulips', '--data', folder])).code).toBe(0);
    writeFileSync(join(folder, 'calls.json'), 'rubbish');
    expect((await runHere(['mute', 'add', 'roses', '--data', folder])).code).toBe(0);
  });

  it('leaves what a person has in the folder', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    for (const name of ['calls', 'calls-mine']) mkdirSync(join(folder, name));
    const files = ['calls/of-mine', 'calls-mine/notes', 'calls-mine/socket'].map((name) => join(folder, name));
    for (const file of files) writeFileSync(file, 'Mine');
    const { child, ended } = await serve(folder, news);
    child.kill('SIGTERM');
    await ended;
    expect(files.every((file) => existsSync(file))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('calls'))).toEqual(['calls', 'calls-mine']);
  });
});
