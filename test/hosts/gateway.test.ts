import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ModelListName } from '../../src-main/contract/model/resource.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { ask, listen, errorResponse, type Heard } from './conversation.ts';
import { WIRES } from './wires.ts';

const WAIT = { timeout: 20_000, interval: 20 };
const KEY = 'mgmt-0b5c7d9e1f3a';

describe.each(WIRES)('the gateway $name', { timeout: 60_000 }, ({ host, open }) => {
  let service: DemoService;
  let wire: Wire;
  let close: () => Promise<void>;
  let heard: Heard;

  beforeAll(async () => {
    service = await startDemoService({
      clock: fakeClock('2026-03-18T06:30:00Z'),
      content: { selected: 5, days: 2 },
      modelsKey: KEY,
    });
    ({ wire, close } = await open(service.newsAddress));
    heard = listen(wire);
  }, 60_000);
  afterAll(async () => {
    await close();
    await service.close();
  });

  const sync = async () =>
    (await ask(wire, 'sync.run', { urgency: 'now', resources: ['models', 'embeddings'] })).resources;
  const lines = async (modelList: ModelListName) => (await ask(wire, 'models.list', { modelList })).lines;

  it('is not set if the news are not from the demo', async () => {
    expect((await ask(wire, 'gateway.get', {})).source).toBeNull();
    expect(await errorResponse(wire, 'gateway.setKey', { key: KEY })).toBe('not_found');
    expect(await lines('models')).toEqual([]);
  });

  it('rejects an invalid key with a message, and does not save it', async () => {
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
    const { models } = await sync();
    expect(models.error).toBeUndefined();
    expect((await lines('models')).length).toBeGreaterThan(10);
    await vi.waitFor(() => expect(heard.of('models.changed').length).toBeGreaterThan(0), WAIT);
  });

  it('does not send a key to another origin', async () => {
    const elsewhere = service.modelsAddress.replace('127.0.0.1', 'localhost');
    await ask(wire, 'settings.set', { patch: { modelsAddress: elsewhere } });
    expect((await ask(wire, 'gateway.get', {})).key).toMatchObject({ inUse: false, unused: 'otherOrigin' });
    expect((await ask(wire, 'gateway.allowKey', {})).gateway.key).toMatchObject({ inUse: true, unused: null });
  });
});
