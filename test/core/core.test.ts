import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { METHOD_NAMES } from '../../src-main/contract/guards.ts';
import { createCore, createReadingCore } from '../../src-main/core/core.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { temporaryFolder } from '../support/folders.ts';
import { openHouse, type House } from '../support/test-app.ts';
import { EVERYTHING, SELECTED, expectEqualSets, rowsOf } from '../support/selected-set.ts';

const WIRES = [
  ['in this thread, in memory', {}],
  ['in this thread, in a folder', { folder: 'temporary' }],
  ['in a thread of its own', { thread: true }],
] as const;

const syncNow = ({ call }: House) => call('sync.run', { urgency: 'now' });

describe.each(WIRES)('a core whose engine works %s', (_, options) => {
  const timeout = 60_000;

  it('mirrors, lists, marks and takes back', { timeout }, async () => {
    const house = await openHouse(options);
    expect(await house.call('sync.status', {})).toMatchObject({
      selectedComplete: false,
      lastSuccessAt: null,
      reachable: null,
    });
    expect(await syncNow(house)).toMatchObject({
      ok: true,
      counts: { items: 50, selected: 40, unread: 50, starred: 0 },
    });
    await expectEqualSets(house, house.service.control);
    expect(await house.call('sync.status', {})).toMatchObject({ selectedComplete: true, reachable: true });

    const [first, second] = await rowsOf(house, SELECTED);
    const receipt = await house.call('items.mark', { ids: [first!.id, second!.id], mark: 'read' });
    expect(receipt).toEqual({ changed: 2, undo: expect.any(String) as string });
    expect(await house.call('counts.get', {})).toMatchObject({ selected: { total: 40, unread: 38 } });
    const { watermark } = await house.call('items.page', { query: EVERYTHING, limit: 1 });
    expect(await house.call('items.markAllRead', { query: SELECTED, watermark })).toMatchObject({ changed: 38 });
    expect(await house.call('items.undoMark', { undo: receipt.undo! })).toEqual({ restored: 2 });
    expect(await house.reply('items.undoMark', { undo: receipt.undo! })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await house.call('counts.get', {})).toMatchObject({ selected: { total: 40, unread: 2 } });
  });

  it('tells what changes, so that a listener never has to ask again', { timeout }, async () => {
    const house = await openHouse(options);
    const { control } = house.service;
    await syncNow(house);
    expect(house.heard('counts.changed').at(-1)).toEqual(await house.call('counts.get', {}));
    expect(house.heard('items.changed').reduce((sum, { added }) => sum + added, 0)).toBe(50);
    expect(house.heard('sync.changed').at(-1)).toEqual(await house.call('sync.status', {}));
    house.events.length = 0;

    const [edited, gone] = control.selectedItems().map(({ id }) => id) as [string, string];
    control.editItem(edited, { title: 'Edited' });
    control.withdraw(gone);
    await house.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(house.heard('items.changed')).toEqual([{ added: 0, revised: 1, withdrawn: 1, ids: [edited, gone] }]);
    await house.call('items.mark', { ids: [edited], mark: 'star' });
    expect(house.heard('marks.changed')).toEqual([{ ids: [edited] }]);
    expect(house.heard('counts.changed').at(-1)).toMatchObject({ starred: { total: 1 } });
    house.events.length = 0;
    await house.call('items.mark', { ids: [edited], mark: 'star' });
    expect(house.events).toEqual([]);
  });

  it('carries failures of the service in the report, and of calls in the reply', { timeout }, async () => {
    const house = await openHouse({ ...options, address: () => 'http://127.0.0.1:9' });
    expect(await syncNow(house)).toMatchObject({
      ok: false,
      resources: { items: { status: 'failed', error: { code: 'unreachable' } } },
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
    const { runs } = await house.call('health.get', {});
    expect(runs.find(({ resource }) => resource === 'items')).toMatchObject({
      status: 'failed',
      at: time,
      reasons: [],
    });
    expect(await house.reply('source.test', { address: 'http://127.0.0.1:9' })).toMatchObject({
      ok: false,
      error: { code: 'unreachable', retryable: true },
    });
    expect(await house.call('source.test', { address: house.service.newsAddress })).toEqual({ items: 1 });
    expect(await house.reply('items.get', { id: 'never-held' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  it('ends in the middle of a sync, and answers "closed" from then on', { timeout }, async () => {
    let asked: (() => void) | undefined;
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    const house = await openHouse({
      ...options,
      intercept: () => {
        asked?.();
        return true;
      },
    });
    const running = house.reply('sync.run', { urgency: 'now' });
    await wasAsked;
    const closing = house.core.close();
    expect(await house.reply('settings.get', {})).toMatchObject({ ok: false, error: { code: 'closed' } });
    await closing;
    expect(await running).toMatchObject({
      ok: true,
      value: { ok: false, resources: { items: { error: { code: 'aborted' } } } },
    });
    for (const method of METHOD_NAMES) {
      expect(await house.core.wire.call(method, {})).toMatchObject({ ok: false, error: { code: 'closed' } });
    }
    await house.core.close();
    expect(house.log.filter(({ level }) => level === 'error')).toEqual([]);
    if (house.folder !== ':memory:') {
      await house.reopen();
      const { resources } = await house.call('sync.status', {});
      for (const resource of resources) expect(resource).toMatchObject({ failures: 0 });
    }
  });
});

describe('a core', () => {
  it('polls by itself from the start on, when things are due', { timeout: 60_000 }, async () => {
    const house = await openHouse();
    const rounds = () => house.service.requests.filter(({ path }) => path.endsWith('/changes')).length;
    const quiet = async (): Promise<void> => {
      while ((await house.call('sync.status', {})).resources.some(({ running }) => running))
        await new Promise(setImmediate);
      await house.call('sync.run', { urgency: 'due' });
    };
    house.core.start();
    await quiet();
    expect(rounds()).toBe(1);
    house.clock.advance(4 * 60_000);
    await quiet();
    expect(rounds()).toBe(1);
    house.clock.advance(2 * 60_000);
    await quiet();
    expect(rounds()).toBe(2);
  });

  it('goes over to another service and back, and finds the first mirror as it was', { timeout: 60_000 }, async () => {
    const house = await openHouse({ folder: 'temporary' });
    const { clock, service } = house;
    const other = await startDemoService({ clock, seed: 2, content: { selected: 7, days: 5 } });
    onTestFinished(() => other.close());
    await syncNow(house);
    const kept = service.control.selectedItems()[0]!.id;
    await house.call('items.mark', { ids: [kept], mark: 'star' });
    house.events.length = 0;

    await house.call('settings.set', { patch: { newsAddress: other.newsAddress } });
    expect(house.heard('settings.changed')).toMatchObject([{ newsAddress: other.newsAddress }]);
    expect(house.heard('counts.changed').at(-1)).toMatchObject({ all: { total: 0 } });
    expect(house.heard('items.changed')).toEqual([{ added: 0, revised: 0, withdrawn: 0, ids: null }]);
    // What came since the last visit, and what was told of, is another service's too.
    expect([house.heard('visits.changed'), house.heard('notices.changed')]).toMatchObject([[{ since: null }], [{}]]);
    expect(await house.call('source.get', {})).toMatchObject({ address: other.newsAddress, from: 'settings' });
    await syncNow(house);
    await expectEqualSets(house, other.control);

    service.control.addItem({ title: 'While away' });
    await house.call('settings.set', { patch: { newsAddress: null } });
    expect(await house.call('counts.get', {})).toMatchObject({ selected: { total: 40 }, starred: { total: 1 } });
    const asked = service.requests.length;
    await syncNow(house);
    expect(service.requests.slice(asked).map(({ path }) => path)).not.toContain('/api/v1/selected/snapshot');
    await expectEqualSets(house, service.control);
  });

  it('stays with its service where the files for another one cannot be opened', { timeout: 60_000 }, async () => {
    const house = await openHouse({ folder: 'temporary' });
    await syncNow(house);
    house.ports.source = async ({ newsAddress }) => ({
      address: newsAddress ?? house.service.newsAddress,
      demo: false,
      from: 'option',
    });
    const open = house.ports.dataFolder;
    let changes = 0;
    Object.defineProperty(house.ports, 'dataFolder', {
      get: () => ((changes += 1) === 1 ? '/dev/null/nowhere' : open),
    });
    const reply = await house.reply('settings.set', { patch: { newsAddress: 'http://127.0.0.1:9' } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'data_read_only' } });
    expect(await house.call('settings.get', {})).toMatchObject({ newsAddress: null });
    expect(await house.call('counts.get', {})).toMatchObject({ selected: { total: 40 } });
    expect(house.heard('settings.changed')).toEqual([]);
  });

  it('stays with its service when the change cannot be stored', { timeout: 60_000 }, async () => {
    const house = await openHouse({ folder: 'temporary' });
    const other = await startDemoService({ clock: house.clock, content: { selected: 5 } });
    onTestFinished(() => other.close());
    await syncNow(house);
    house.ports.settings.set = () => {
      throw new BroadsheetError('disk_full', 'Set by a test.');
    };
    const { source } = await house.call('sync.status', {});
    const reply = await house.reply('settings.set', { patch: { newsAddress: other.newsAddress } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'disk_full' } });
    expect(await house.call('source.get', {})).toEqual(source);
    expect(await house.call('counts.get', {})).toMatchObject({ selected: { total: 40 } });
    expect(house.heard('settings.changed')).toEqual([]);
  });

  it('loses none of two changes of settings that are made at once', async () => {
    const house = await openHouse();
    await Promise.all([
      house.call('settings.set', { patch: { theme: 'dark' } }),
      house.call('settings.set', { patch: { newsAddress: house.service.newsAddress } }),
      house.call('settings.set', { patch: { density: 'compact' } }),
    ]);
    const all = { theme: 'dark', newsAddress: house.service.newsAddress, density: 'compact' };
    expect(await house.call('settings.get', {})).toMatchObject(all);
  });

  it('is the only one on its folder', async () => {
    const house = await openHouse({ folder: 'temporary' });
    await expect(createCore(house.ports)).rejects.toMatchObject({ code: 'data_in_use' });
    await house.core.close();
    const next = await createCore(house.ports);
    await next.close();
  });

  it('writes no word of a search into its log', async () => {
    const house = await openHouse();
    await syncNow(house);
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
      await house.reply('items.page', { query: { ...EVERYTHING, text }, limit: 10 });
      await house.reply('items.count', { query: { ...EVERYTHING, text } });
      await house.reply('items.page', { query: { ...EVERYTHING, text }, limit: 10, cursor: 'zanzibar' });
      await house.reply('items.page', { query: { ...EVERYTHING, text }, limit: 'zanzibar' } as never);
    }
    expect(JSON.stringify(house.log)).not.toContain('zanzibar');
  });

  it('opens http and https addresses only', async () => {
    const opened: string[] = [];
    const house = await openHouse();
    house.ports.openExternal = async (url) => void opened.push(url);
    for (const url of ['https://a.example/x', 'http://a.example'])
      expect(await house.call('links.open', { url })).toEqual({});
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://me:word@a.example',
      'data:text/html,x',
      'no address',
    ]) {
      expect(await house.reply('links.open', { url })).toMatchObject({ ok: false, error: { code: 'link_refused' } });
    }
    expect(opened).toEqual(['https://a.example/x', 'http://a.example/']);
  });

  it('keeps an event from no listener because another one failed', async () => {
    const house = await openHouse();
    const heard: string[] = [];
    house.core.wire.on('settings.changed', () => {
      throw new Error('Set by a test.');
    });
    const stop = house.core.wire.on('settings.changed', ({ theme }) => heard.push(theme));
    await house.call('settings.set', { patch: { theme: 'dark' } });
    stop();
    await house.call('settings.set', { patch: { theme: 'light' } });
    expect(heard).toEqual(['dark']);
    expect(house.log).toContainEqual(expect.objectContaining({ message: 'listener failed' }));
  });
});

describe('a core that only reads', () => {
  it('shows what is stored while another one writes, and refuses to write', { timeout: 60_000 }, async () => {
    const house = await openHouse({ folder: 'temporary' });
    await syncNow(house);
    const reading = await createReadingCore(house.ports);
    const call: House['call'] = async (method, args) => {
      const reply = await reading.wire.call(method, args);
      if (!reply.ok) throw new Error(reply.error.code);
      return reply.value;
    };
    await expectEqualSets({ call }, house.service.control);
    const { selectedComplete, resources } = await call('sync.status', {});
    expect(selectedComplete).toBe(true);
    expect(resources.slice(0, 2)).toMatchObject([{ rows: 50 }, { rows: 40 }]);
    expect(await call('source.get', {})).toMatchObject({ address: house.service.newsAddress, demo: false });

    const [first] = await rowsOf({ call }, SELECTED);
    for (const refused of [
      call('items.mark', { ids: [first!.id], mark: 'read' }),
      call('sync.run', { urgency: 'due' }),
      call('settings.set', { patch: { theme: 'dark' } }),
    ]) {
      await expect(refused).rejects.toThrow('data_in_use');
    }
    await house.call('items.mark', { ids: [first!.id], mark: 'read' });
    expect(await call('items.get', { id: first!.id })).toMatchObject({
      state: { readAt: expect.any(String) as string },
    });
    await reading.close();
    await expect(call('counts.get', {})).rejects.toThrow('closed');
    await reading.close();
  });

  it('makes no file where nothing is stored yet', async () => {
    const house = await openHouse();
    const folder = temporaryFolder();
    const none = { ...house.ports, dataFolder: folder };
    await expect(createReadingCore(none)).rejects.toMatchObject({ code: 'not_found' });
    await expect(createReadingCore({ ...none, dataFolder: join(folder, 'absent') })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(join(folder, 'absent'))).toBe(false);
  });
});
