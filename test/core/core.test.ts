import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { METHOD_NAMES } from '../../src-main/contract/methods.ts';
import { createReadingCore } from '../../src-main/core/core.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { temporaryFolder } from '../support/folders.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { EVERYTHING, SELECTED, expectEqualSets, rowsOf } from '../support/selected-set.ts';

const WIRES = [
  ['in this thread, in a folder', { folder: 'temporary' }],
  ['in a thread of its own', { thread: true }],
] as const;

const syncNow = ({ call }: TestApp) => call('sync.run', { urgency: 'now' });

describe.each(WIRES)('a core whose engine works %s', (_, options) => {
  it('returns failures of the service in the result, and of calls in the reply', async () => {
    const app = await openTestApp({ ...options, address: () => 'http://127.0.0.1:9' });
    expect(await syncNow(app)).toMatchObject({
      ok: false,
      resources: { items: { status: 'failed', error: { code: 'unreachable' } } },
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
    const { runs } = await app.call('health.get', {});
    expect(runs.find(({ resource }) => resource === 'items')).toMatchObject({
      status: 'failed',
      at: time,
      reasons: [],
    });
    expect(await app.reply('source.test', { address: 'http://127.0.0.1:9' })).toMatchObject({
      ok: false,
      error: { code: 'unreachable', retryable: true },
    });
    expect(await app.call('source.test', { address: app.service.newsAddress })).toEqual({ items: 1 });
    expect(await app.reply('items.get', { id: 'never-held' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  it('closes during a sync, and replies "closed" from then on', async () => {
    let asked: (() => void) | undefined;
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    const app = await openTestApp({
      ...options,
      intercept: () => {
        asked?.();
        return true;
      },
    });
    const running = app.reply('sync.run', { urgency: 'now' });
    await wasAsked;
    const closing = app.core.close();
    expect(await app.reply('settings.get', {})).toMatchObject({ ok: false, error: { code: 'closed' } });
    await closing;
    expect(await running).toMatchObject({
      ok: true,
      value: { ok: false, resources: { items: { error: { code: 'aborted' } } } },
    });
    for (const method of METHOD_NAMES) {
      expect(await app.core.wire.call(method, {})).toMatchObject({ ok: false, error: { code: 'closed' } });
    }
    await app.core.close();
    expect(app.log.filter(({ level }) => level === 'error')).toEqual([]);
    await app.reopen();
    const { resources } = await app.call('sync.status', {});
    for (const resource of resources) expect(resource).toMatchObject({ failures: 0 });
  });
});

describe('a core', () => {
  it('polls from the start when something is due', async () => {
    const app = await openTestApp();
    const rounds = () => app.service.requests.filter(({ path }) => path.endsWith('/changes')).length;
    const quiet = async (): Promise<void> => {
      while ((await app.call('sync.status', {})).resources.some(({ running }) => running))
        await new Promise(setImmediate);
      await app.call('sync.run', { urgency: 'due' });
    };
    app.core.start();
    await quiet();
    expect(rounds()).toBe(1);
    app.clock.advance(4 * 60_000);
    await quiet();
    expect(rounds()).toBe(1);
    app.clock.advance(2 * 60_000);
    await quiet();
    expect(rounds()).toBe(2);
  });
  it('keeps its service if the files of another one cannot be opened', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await syncNow(app);
    app.ports.source = async ({ newsAddress }) => ({
      address: newsAddress ?? app.service.newsAddress,
      demo: false,
      from: 'option',
    });
    const open = app.ports.dataFolder;
    let changes = 0;
    Object.defineProperty(app.ports, 'dataFolder', {
      get: () => ((changes += 1) === 1 ? '/dev/null/nowhere' : open),
    });
    const reply = await app.reply('settings.set', { patch: { newsAddress: 'http://127.0.0.1:9' } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'data_read_only' } });
    expect(await app.call('settings.get', {})).toMatchObject({ newsAddress: null });
    expect(await app.call('counts.get', {})).toMatchObject({ selected: { total: 40 } });
    expect(app.heard('settings.changed')).toEqual([]);
  });

  it('keeps its service if the change cannot be saved', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    const other = await startDemoService({ clock: app.clock, content: { selected: 5 } });
    onTestFinished(() => other.close());
    await syncNow(app);
    app.ports.settings.set = () => {
      throw new BroadsheetError('disk_full', 'Set by a test.');
    };
    const { source } = await app.call('sync.status', {});
    const reply = await app.reply('settings.set', { patch: { newsAddress: other.newsAddress } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'disk_full' } });
    expect(await app.call('source.get', {})).toEqual(source);
    expect(await app.call('counts.get', {})).toMatchObject({ selected: { total: 40 } });
    expect(app.heard('settings.changed')).toEqual([]);
  });

  it('applies two simultaneous changes of settings', async () => {
    const app = await openTestApp();
    await Promise.all([
      app.call('settings.set', { patch: { theme: 'dark' } }),
      app.call('settings.set', { patch: { newsAddress: app.service.newsAddress } }),
      app.call('settings.set', { patch: { density: 'compact' } }),
    ]);
    const all = { theme: 'dark', newsAddress: app.service.newsAddress, density: 'compact' };
    expect(await app.call('settings.get', {})).toMatchObject(all);
  });

  it('does not log searches', async () => {
    const app = await openTestApp();
    await syncNow(app);
    const words = [
      'zanzibar',
      '"zanzibar',
      'zanzibar*',
      '-zanzibar',
      'NEAR(zanzibar',
      'title:zanzibar',
      'zanzibar\0',
      "zanzibar'; --",
    ];
    for (const text of words) {
      await app.reply('items.page', { query: { ...EVERYTHING, text }, limit: 10 });
      await app.reply('items.count', { query: { ...EVERYTHING, text } });
      await app.reply('items.page', { query: { ...EVERYTHING, text }, limit: 10, cursor: 'zanzibar' });
      await app.reply('items.page', { query: { ...EVERYTHING, text }, limit: 'zanzibar' } as never);
    }
    expect(JSON.stringify(app.log)).not.toContain('zanzibar');
  });

  it('opens http and https addresses only', async () => {
    const opened: string[] = [];
    const app = await openTestApp();
    app.ports.openExternal = async (url) => void opened.push(url);
    for (const url of ['https://a.example/x', 'http://a.example'])
      expect(await app.call('links.open', { url })).toEqual({});
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://me:word@a.example',
      'data:text/html,x',
      'no address',
    ]) {
      expect(await app.reply('links.open', { url })).toMatchObject({ ok: false, error: { code: 'link_refused' } });
    }
    expect(opened).toEqual(['https://a.example/x', 'http://a.example/']);
  });

  it('calls all listeners even if one fails', async () => {
    const app = await openTestApp();
    const heard: string[] = [];
    app.core.wire.on('settings.changed', () => {
      throw new Error('Set by a test.');
    });
    const stop = app.core.wire.on('settings.changed', ({ theme }) => heard.push(theme));
    await app.call('settings.set', { patch: { theme: 'dark' } });
    stop();
    await app.call('settings.set', { patch: { theme: 'light' } });
    expect(heard).toEqual(['dark']);
    expect(app.log).toContainEqual(expect.objectContaining({ message: 'listener failed' }));
  });
});

describe('a core that only reads', () => {
  it('reads while another process writes, and rejects writes', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await syncNow(app);
    const reading = await createReadingCore(app.ports);
    const call: TestApp['call'] = async (method, args) => {
      const reply = await reading.wire.call(method, args);
      if (!reply.ok) throw new Error(reply.error.code);
      return reply.value;
    };
    await expectEqualSets({ call }, app.service.control);
    const { selectedComplete, resources } = await call('sync.status', {});
    expect(selectedComplete).toBe(true);
    expect(resources.slice(0, 2)).toMatchObject([{ rows: 50 }, { rows: 40 }]);
    expect(await call('source.get', {})).toMatchObject({ address: app.service.newsAddress, demo: false });

    const [first] = await rowsOf({ call }, SELECTED);
    for (const refused of [
      call('items.mark', { ids: [first!.id], mark: 'read' }),
      call('sync.run', { urgency: 'due' }),
      call('settings.set', { patch: { theme: 'dark' } }),
    ]) {
      await expect(refused).rejects.toThrow('data_in_use');
    }
    await app.call('items.mark', { ids: [first!.id], mark: 'read' });
    expect(await call('items.get', { id: first!.id })).toMatchObject({
      state: { readAt: expect.any(String) as string },
    });
    await reading.close();
    await expect(call('counts.get', {})).rejects.toThrow('closed');
    await reading.close();
  });

  it('creates no file if nothing is saved yet', async () => {
    const app = await openTestApp();
    const folder = temporaryFolder();
    const none = { ...app.ports, dataFolder: folder };
    await expect(createReadingCore(none)).rejects.toMatchObject({ code: 'not_found' });
    await expect(createReadingCore({ ...none, dataFolder: join(folder, 'absent') })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(join(folder, 'absent'))).toBe(false);
  });
});
