import { describe, expect, it, onTestFinished, vi, type MockInstance } from 'vitest';
import type { Events } from '../../../src-main/contract/events.ts';
import type { ResourceName } from '../../../src-main/contract/model/resource.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import type { DemoService } from '../../../src-main/demo/options.ts';
import { Indexing } from '../../../src-main/sync/engine/indexing.ts';
import { openServedEngine, type TestEngine } from '../../support/test-engine.ts';
import { modelRecord, startGateway, type TestGateway } from '../../support/gateway.ts';

interface Scene extends TestEngine {
  service: DemoService;
  gateway: TestGateway;
  sync(resources?: ResourceName[]): Promise<unknown>;
  /** Returns the events about items since its last call. */
  told(): Events['items.changed'][];
  /** The ids of the models that an item names. */
  namedBy(id: string): string[];
}

async function openScene(models: ModelRecord[]): Promise<Scene> {
  const gateway = await startGateway({ models });
  const room = await openServedEngine({ content: { selected: 5, days: 5 } }, { gateway: gateway.asked() });
  let heard = 0;
  return {
    ...room,
    gateway,
    sync: (resources) => room.call('sync.run', { urgency: 'now', ...(resources && { resources }) }),
    told: () => {
      const fresh = room.events.slice(heard);
      heard = room.events.length;
      return fresh.flatMap(({ event, payload }) => (event === 'items.changed' ? [payload] : []));
    },
    namedBy: (id) => room.queries.items.get(id).models.map((model) => model.id),
  };
}

/** Is called when the names may have changed. */
function watchNames(): MockInstance<Indexing['namesChanged']> {
  const spy = vi.spyOn(Indexing.prototype, 'namesChanged');
  onTestFinished(() => spy.mockRestore());
  return spy;
}

const OPAL = modelRecord('vane/opal-4', { name: 'Vane: Opal 4' });
const SALTBUSH = modelRecord('orrin/saltbush-4', { name: 'Orrin: Saltbush 4' });

describe('models that the news mention', () => {
  it('are reported once when they change', async () => {
    const { service, gateway, sync, told } = await openScene([]);
    const { id } = service.control.addItem({ title: 'A week with Opal 4' });
    service.control.addItem({ title: 'A week with Opal 45' });
    await sync();
    told();
    for (const models of [[OPAL], [OPAL, SALTBUSH]]) {
      gateway.models = models;
      await sync(['models']);
    }
    expect(told()).toEqual([{ added: 0, revised: 0, withdrawn: 0, ids: [id] }]);
  });

  it('are not searched for again for a favourite', async () => {
    const names = watchNames();
    const { call, sync } = await openScene([OPAL]);
    await sync();
    names.mockClear();
    await call('models.favourite', { id: 'vane/opal-4', favourite: true });
    expect(names).not.toHaveBeenCalled();
    await call('models.setAliases', { id: 'vane/opal-4', aliases: ['the big one'] });
    expect(names).toHaveBeenCalled();
  });

  it('are searched for again when models are added, renamed, or of another gateway', async () => {
    const { service, gateway, engine, call, sync, namedBy } = await openScene([OPAL]);
    const { id } = service.control.addItem({ title: 'Opal 4, Saltbush 4, and the big one' });
    await sync();
    gateway.models = [OPAL, SALTBUSH];
    await sync();
    expect(namedBy(id)).toEqual(['orrin/saltbush-4', 'vane/opal-4']);
    await call('models.setAliases', { id: 'vane/opal-4', aliases: ['Saltbush 4'] });
    await sync();
    expect(namedBy(id)).toEqual(['vane/opal-4']);
    await engine.useGateway((await startGateway()).asked());
    await sync();
    expect(namedBy(id)).toEqual([]);
    await engine.useGateway(null);
    await sync();
    expect(namedBy(id)).toEqual([]);
    await engine.useGateway(gateway.asked());
    await sync();
    expect(namedBy(id)).toEqual(['vane/opal-4']);
  });
});
