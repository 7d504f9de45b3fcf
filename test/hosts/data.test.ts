import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UserDataFile } from '../../src-main/contract/user-data.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { ask, listen, errorResponse, SELECTED, type Heard } from './conversation.ts';
import { WIRES, type OpenWire } from './wires.ts';
import { idsIn } from '../support/user-data.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WAIT = { timeout: 20_000 };
/** In characters: a multiple of what other calls may send. */
const LARGE = 4 * 1024 * 1024;

describe.each(WIRES)('user data $name', ({ name, open }) => {
  const inMemory = name.includes('memory');
  let service: DemoService;
  let opened: OpenWire;
  let wire: Wire;
  let heard: Heard;
  let first: string;

  beforeAll(async () => {
    service = await startDemoService({ clock: fakeClock(), content: { selected: 12, days: 3 } });
    opened = await open(service.newsAddress);
    wire = opened.wire;
    heard = listen(wire);
    await ask(wire, 'sync.run', { urgency: 'now' });
    const { rows } = await ask(wire, 'items.page', { query: SELECTED, limit: 1 });
    first = rows[0]?.id ?? '';
    await ask(wire, 'items.mark', { ids: [first], mark: 'star' });
  });
  afterAll(async () => {
    await opened.close();
    await service.close();
  });

  const stars = async () => (await ask(wire, 'counts.get', {})).starred.total;
  const exported = async () => JSON.parse((await ask(wire, 'data.export', {})).text) as UserDataFile;

  it('is exported and imported as one text of any length', async () => {
    const before = await exported();
    expect(before).toMatchObject({ format: 'broadsheet-user-data', version: 1 });
    expect(idsIn(before.records, 'star')).toEqual([first]);
    expect(idsIn(before.records, 'read')).toEqual([]);
    await ask(wire, 'items.mark', { ids: [first], mark: 'unstar' });
    heard.forget();
    const text = JSON.stringify({ ...before, padding: '"'.repeat(LARGE / 4) + 'x'.repeat(LARGE / 2) });
    expect(await ask(wire, 'data.import', { text })).toMatchObject({ taken: 1, skipped: 0 });
    expect(await stars()).toBe(1);
    await vi.waitFor(() => expect(heard.of('data.replaced')).toEqual([{}]), WAIT);
    expect({ ...(await exported()), exportedAt: '' }).toEqual({ ...before, exportedAt: '' });
    expect(await errorResponse(wire, 'data.import', { text: 'x' })).toBe('invalid_argument');
    const newer = JSON.stringify({ ...before, version: 2 });
    expect(await errorResponse(wire, 'data.import', { text: newer })).toBe('data_newer');
  });

  it.skipIf(inMemory)('is backed up, restored, and unchanged after a rebuild', async () => {
    const { backups } = await ask(wire, 'data.backUp', {});
    const [newest] = backups;
    await ask(wire, 'items.mark', { ids: [first], mark: 'unstar' });
    heard.forget();
    await ask(wire, 'data.restore', { name: newest?.name ?? '' });
    expect(await stars()).toBe(1);
    await vi.waitFor(() => expect(heard.of('data.replaced')).toEqual([{}]), WAIT);
    expect((await ask(wire, 'data.backups', {})).backups).toContainEqual(newest);
    expect(await errorResponse(wire, 'data.restore', { name: 'nothing.db' })).toBe('not_found');

    const before = await exported();
    await ask(wire, 'data.rebuildMirror', {});
    // A host that polls may already be downloading it again.
    await ask(wire, 'sync.run', { urgency: 'now' });
    expect(await ask(wire, 'counts.get', {})).toMatchObject({ selected: { total: 12 }, starred: { total: 1 } });
    expect((await exported()).records).toEqual(before.records);
  });
});
