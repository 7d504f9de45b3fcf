import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Counts, ItemRow } from '../../src-main/contract/model/item.ts';
import type { UserDataFile } from '../../src-main/contract/user-data.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { idsIn } from '../support/user-data.ts';
import { EVERYTHING, SELECTED, allRows, ask, listen, errorResponse, type Heard } from './conversation.ts';
import { WIRES } from './wires.ts';

const STARTS_AT = '2026-03-18T06:30:00Z';
/** Emoji of several code points, NUL and other control characters, direction marks, line separators, JSON and HTML escapes. */
const SPECIAL = 'a👩‍💻b\0c\u202ed\u2028e\u0001f"g\\h<script>i</script>&amp;j\u{1f1e8}\u{1f1f3}k\ufeffl\r\n\tm';
const KEY = 'mgmt-0b5c7d9e1f3a';
/** In characters: a multiple of what other calls may send. */
const LARGE = 4 * 1024 * 1024;
const LONE = 'high \ud83d, low \udc00';
const WAIT = { timeout: 20_000, interval: 20 };
const WORDS = ['推理', '模', 'reasoning', '"new reasoning model"', 'reason*', '-model 推理', SPECIAL, LONE];

/** The same content for every wire, so that any difference is caused by the wire. */
async function startService(): Promise<DemoService> {
  const service = await startDemoService({
    clock: fakeClock(STARTS_AT),
    content: { selected: 60, days: 6 },
    modelsKey: KEY,
  });
  service.control.addItem({ title: 'A new reasoning model from a small lab', summary: '一个新的推理模型。' });
  service.control.addItem({ title: SPECIAL, summary: LONE, reason: SPECIAL, someday: { [SPECIAL]: [SPECIAL, null] } });
  return service;
}

/** Syncs the service's current state: first the selected set, then the list, because the order decides the revisions. */
async function sync(wire: Wire): Promise<void> {
  const { ok } = await ask(wire, 'sync.run', { urgency: 'now', resources: ['selected'] });
  const items = await ask(wire, 'sync.run', { urgency: 'now', resources: ['items'] });
  expect([ok, items.ok]).toEqual([true, true]);
}

/** Everything that can be read, except what depends on the time. */
async function everythingReadable(wire: Wire) {
  const searches = await Promise.all(
    WORDS.map(async (text) => ({
      text,
      rows: await allRows(wire, { ...EVERYTHING, text }),
      count: await ask(wire, 'items.count', { query: { ...EVERYTHING, text } }),
    })),
  );
  const rows = await allRows(wire, EVERYTHING);
  return {
    rows,
    selected: await allRows(wire, SELECTED),
    single: await Promise.all(rows.slice(0, 5).map(({ id }) => ask(wire, 'items.get', { id }))),
    papers: await allRows(wire, { ...SELECTED, category: 'paper' }),
    counts: await ask(wire, 'counts.get', {}),
    searches,
  };
}

let inMemory: Awaited<ReturnType<typeof everythingReadable>>;

beforeAll(async () => {
  const service = await startService();
  const { wire, close } = await WIRES[0]!.open(service.newsAddress);
  await sync(wire);
  inMemory = await everythingReadable(wire);
  await close();
  await service.close();
});

describe.each(WIRES)('the core $name', ({ name, host, open }) => {
  let service: DemoService;
  let wire: Wire;
  let close: () => Promise<void>;
  let heard: Heard;

  beforeAll(async () => {
    service = await startService();
    ({ wire, close } = await open(service.newsAddress));
    heard = listen(wire);
    await sync(wire);
  });
  afterAll(async () => {
    await close();
    await service.close();
  });

  it('reports the capabilities of its host', async () => {
    const capabilities = await ask(wire, 'app.capabilities', {});
    expect(capabilities).toMatchObject({ host, platform: process.platform });
    expect(Intl.getCanonicalLocales(capabilities.locale)).toHaveLength(1);
    const { tray, notifications, launchAtLogin, pdf, windows, dataFolder } = capabilities;
    for (const ability of [tray, notifications, launchAtLogin, pdf, windows, dataFolder])
      expect(ability).toBe(host === 'electron');
  });

  it.runIf(host === 'node')('leaves notifications and PDFs to the browser', async () => {
    expect(await errorResponse(wire, 'notifications.test', {})).toBe('not_supported');
    expect(await errorResponse(wire, 'page.savePdf', { name: 'daily.pdf' })).toBe('not_supported');
  });

  it('returns emoji, control characters and text of any direction unchanged', async () => {
    const row = (await allRows(wire, EVERYTHING)).find(({ title }) => title === SPECIAL)!;
    expect(row.reason).toBe(SPECIAL);
    expect(row.extra).toEqual({ someday: { [SPECIAL]: [SPECIAL, null] } });
    // Invalid Unicode is repaired before it is stored, the same on every wire.
    expect(row.summary).toBe(LONE.toWellFormed());
    const { snippets: _, ...item } = row;
    expect(await ask(wire, 'items.get', { id: row.id })).toEqual(item);
  });

  it('returns exactly the same as the core in memory', async () => {
    expect(await everythingReadable(wire)).toEqual(inMemory);
  });

  it('marks items, sends the event, and undoes it', async () => {
    const [first, second] = inMemory.rows as [ItemRow, ItemRow];
    heard.forget();
    const star = await ask(wire, 'items.mark', { ids: [first.id, second.id], mark: 'star' });
    expect(star).toEqual({ changed: 2, undo: expect.any(String) as string });
    expect(await ask(wire, 'items.mark', { ids: [first.id], mark: 'star' })).toEqual({ changed: 0, undo: null });
    expect((await allRows(wire, { ...EVERYTHING, state: 'starred' })).map(({ id }) => id)).toEqual([
      first.id,
      second.id,
    ]);
    const counts = await ask(wire, 'counts.get', {});
    expect(counts.starred).toEqual({ total: 2, unread: 2 });
    await vi.waitFor(() => expect(heard.of('counts.changed')).toEqual([counts]), WAIT);
    expect(heard.of('marks.changed').map(({ ids }) => ids?.toSorted())).toEqual([[first.id, second.id].sort()]);
    expect(await ask(wire, 'items.undoMark', { undo: star.undo! })).toEqual({ restored: 2 });
    expect(await errorResponse(wire, 'items.undoMark', { undo: star.undo! })).toBe('not_found');
    expect((await ask(wire, 'items.get', { id: first.id })).state).toEqual({ readAt: null, starredAt: null });
  });

  it('keeps the status of an id that is not stored, whatever its characters', async () => {
    heard.forget();
    await ask(wire, 'items.mark', { ids: [SPECIAL, LONE], mark: 'read' });
    await vi.waitFor(() => expect(heard.of('marks.changed')).toHaveLength(1), WAIT);
    expect(heard.of('marks.changed')[0]?.ids?.toSorted()).toEqual([SPECIAL, LONE.toWellFormed()].sort());
  });

  it('sends events for updated and removed items', async () => {
    const [revised, withdrawn] = service.control.selectedItems().filter(({ title }) => title !== SPECIAL);
    service.control.editItem(revised!.id, { title: 'Put right' });
    service.control.withdraw(withdrawn!.id);
    heard.forget();
    await sync(wire);
    const changedIds = () => heard.of('items.changed').flatMap(({ ids }) => ids ?? []);
    await vi.waitFor(() => expect(new Set(changedIds())).toEqual(new Set([revised!.id, withdrawn!.id])), WAIT);
    expect(await ask(wire, 'items.get', { id: revised!.id })).toMatchObject({
      title: 'Put right',
      revisedAt: expect.any(String) as string,
    });
    expect(await errorResponse(wire, 'items.get', { id: withdrawn!.id })).toBe('not_found');
    const [counts, status] = [await ask(wire, 'counts.get', {}), await ask(wire, 'sync.status', {})];
    await vi.waitFor(() => expect(heard.of('counts.changed').at(-1)).toEqual<Counts>(counts), WAIT);
    await vi.waitFor(() => expect(heard.of('sync.changed').at(-1)).toEqual(status), WAIT);
    expect(heard.of('sync.changed').some(({ resources }) => resources.some(({ running }) => running))).toBe(true);
  });

  // Which arguments a method takes: test/contract/methods.test.ts. Here, what a transport might lose or take for its own.
  it.each([
    ['items.page', { query: SELECTED, limit: 0 }, 'invalid_argument'],
    ['items.get', { id: 'no such item' }, 'not_found'],
    ['counts.get', null, 'invalid_argument'],
    ['counts.get', undefined, 'invalid_argument'],
    ['counts.get', [], 'invalid_argument'],
    ['counts.get', 'text', 'invalid_argument'],
    ['links.open', { url: 'javascript:alert(1)' }, 'link_refused'],
    ['no.such.method', {}, 'unknown_method'],
    ['__proto__', {}, 'unknown_method'],
    ['constructor', {}, 'unknown_method'],
  ])('rejects %s with %j: %s', async (method, args, code) => {
    expect(await errorResponse(wire, method, args)).toBe(code);
  });

  it('saves settings and sends an event', async () => {
    heard.forget();
    const settings = await ask(wire, 'settings.set', { patch: { theme: 'dark', singleKeys: false } });
    expect(settings).toMatchObject({ theme: 'dark', singleKeys: false, newsAddress: service.newsAddress });
    expect(await ask(wire, 'settings.get', {})).toEqual(settings);
    await vi.waitFor(() => expect(heard.of('settings.changed')).toEqual([settings]), WAIT);
  });

  it('has no gateway if the news are not from the demo', async () => {
    expect((await ask(wire, 'gateway.get', {})).source).toBeNull();
    expect(await errorResponse(wire, 'gateway.setKey', { key: KEY })).toBe('not_found');
    expect((await ask(wire, 'models.list', { modelList: 'models' })).lines).toEqual([]);
  });

  it('rejects an invalid key of the gateway with a message, and does not save it', async () => {
    await ask(wire, 'settings.set', { patch: { modelsAddress: service.modelsAddress } });
    const { kept, failure, gateway } = await ask(wire, 'gateway.setKey', { key: 'not-a-management-key' });
    expect([kept, failure?.code, gateway.key.from]).toEqual([false, 'forbidden', null]);
    expect(failure?.message).toMatch(/management key/i);
  });

  it('accepts its key and lists models; where the key is saved depends on the host', async () => {
    heard.forget();
    const { kept, failure, gateway } = await ask(wire, 'gateway.setKey', { key: KEY });
    expect([kept, failure]).toEqual([true, null]);
    const from = host === 'electron' ? 'keychain' : 'thisRun';
    const { origin } = new URL(service.modelsAddress);
    expect(gateway.key).toMatchObject({ from, keeping: from, lastFour: '1f3a', origin, inUse: true });
    expect(await ask(wire, 'gateway.get', {})).toEqual(gateway);
    await vi.waitFor(() => expect(heard.of('gateway.changed')).toEqual([gateway]), WAIT);
    const { resources } = await ask(wire, 'sync.run', { urgency: 'now', resources: ['models', 'embeddings'] });
    expect(resources.models.error).toBeUndefined();
    expect((await ask(wire, 'models.list', { modelList: 'models' })).lines.length).toBeGreaterThan(10);
    await vi.waitFor(() => expect(heard.of('models.changed').length).toBeGreaterThan(0), WAIT);
  });

  it('does not send a key to another origin', async () => {
    const elsewhere = service.modelsAddress.replace('127.0.0.1', 'localhost');
    await ask(wire, 'settings.set', { patch: { modelsAddress: elsewhere } });
    expect((await ask(wire, 'gateway.get', {})).key).toMatchObject({ inUse: false, unused: 'otherOrigin' });
    expect((await ask(wire, 'gateway.allowKey', {})).gateway.key).toMatchObject({ inUse: true, unused: null });
  });

  const stars = async () => (await ask(wire, 'counts.get', {})).starred.total;
  const exported = async () => JSON.parse((await ask(wire, 'data.export', {})).text) as UserDataFile;

  it('exports and imports user data as one text of any length', async () => {
    const { id } = inMemory.rows.at(-1)!;
    await ask(wire, 'items.mark', { ids: [id], mark: 'star' });
    const before = await exported();
    expect(idsIn(before.records, 'star')).toEqual([id]);
    await ask(wire, 'items.mark', { ids: [id], mark: 'unstar' });
    heard.forget();
    const text = JSON.stringify({ ...before, padding: '"'.repeat(LARGE / 4) + 'x'.repeat(LARGE / 2) });
    expect(await ask(wire, 'data.import', { text })).toMatchObject({ taken: 1 });
    expect(await stars()).toBe(1);
    await vi.waitFor(() => expect(heard.of('data.replaced')).toEqual([{}]), WAIT);
    expect({ ...(await exported()), exportedAt: '' }).toEqual({ ...before, exportedAt: '' });
    const newer = JSON.stringify({ ...before, version: 2 });
    expect(await errorResponse(wire, 'data.import', { text: newer })).toBe('data_newer');
  });

  it.skipIf(name.includes('memory'))('backs user data up, restores them, and keeps them in a rebuild', async () => {
    const { backups } = await ask(wire, 'data.backUp', {});
    const [newest] = backups;
    const before = await exported();
    await ask(wire, 'items.mark', { ids: idsIn(before.records, 'star'), mark: 'unstar' });
    heard.forget();
    await ask(wire, 'data.restore', { name: newest?.name ?? '' });
    expect(await stars()).toBe(1);
    await vi.waitFor(() => expect(heard.of('data.replaced')).toEqual([{}]), WAIT);
    expect((await ask(wire, 'data.backups', {})).backups).toContainEqual(newest);
    expect(await errorResponse(wire, 'data.restore', { name: 'nothing.db' })).toBe('not_found');

    const { selected } = await ask(wire, 'counts.get', {});
    await ask(wire, 'data.rebuildMirror', {});
    // A host that polls may already be downloading it again.
    await ask(wire, 'sync.run', { urgency: 'now' });
    expect(await ask(wire, 'counts.get', {})).toMatchObject({ selected, starred: { total: 1 } });
    expect((await exported()).records).toEqual(before.records);
  });

  it('switches to another news service while running', async () => {
    const other = await startDemoService({ clock: fakeClock(STARTS_AT), seed: 2, content: { selected: 5 } });
    heard.forget();
    await ask(wire, 'settings.set', { patch: { newsAddress: other.newsAddress } });
    expect((await ask(wire, 'source.get', {})).address).toBe(other.newsAddress);
    await vi.waitFor(() => expect(heard.of('data.replaced')).toEqual([{}]), WAIT);
    await sync(wire);
    const ids = (await allRows(wire, SELECTED)).map(({ id }) => id);
    expect(ids.sort()).toEqual(
      other.control
        .selectedItems()
        .map(({ id }) => id)
        .sort(),
    );
    await other.close();
  });
});
