import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { type DemoOptions } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { modelRecords, startGateway } from '../../support/gateway.ts';
import { idsOf, write } from '../../support/store.ts';
import { notifiedStories, topic } from '../../support/told-stories.ts';
import { openServedEngine, type TestEngineOptions } from '../../support/test-engine.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

/** A service and an engine with clocks of their own, which show the same time at first. */
async function openScene(demo: Partial<DemoOptions> = {}, options: Partial<TestEngineOptions> = {}) {
  const serviceClock = fakeClock();
  const room = await openServedEngine({ clock: serviceClock, ...demo }, options);
  const sync = async () => (await room.call('sync.run', { urgency: 'now' })).resources;
  return { ...room, serviceClock, sync };
}

describe('a clock that is years ahead', () => {
  async function openOldItems() {
    const content = { selected: 150, unselected: 150, days: 30 };
    const scene = await openScene({ content }, { settings: { keepDays: 60 } });
    await scene.sync();
    write(scene.engine.store, (tx) => {
      const items = scene.service.control
        .allItems()
        .map((item) => ({ ...item, reason: item.reason ?? null, extra: {} }));
      tx.items.upsertAll(items, { kind: 'listed' });
    });
    const stored = () => idsOf(scene.queries, ALL, scene.clock.now()).length;
    expect(stored()).toBe(300);
    return { ...scene, stored };
  }

  it('deletes no item, until the days have really passed', async () => {
    const { clock, serviceClock, sync, stored } = await openOldItems();
    clock.leap(3 * YEAR);
    await sync();
    expect(stored()).toBe(300);
    serviceClock.leap(40 * 24 * HOUR);
    clock.leap(40 * 24 * HOUR);
    await sync();
    expect(stored()).toBeLessThan(300);
  });

  it('deletes no item while the service is unreachable', async () => {
    const { clock, service, sync, stored } = await openOldItems();
    await service.close();
    clock.leap(3 * YEAR);
    await sync();
    expect(stored()).toBe(300);
  });

  it('deletes no story and no rank history', async () => {
    const told = notifiedStories();
    const scene = await openScene({ content: { selected: 1 }, intercept: told.intercept });
    told.tell('a');
    told.tell('b');
    told.rank([topic(1, 'x', { story: 'a' }), topic(2, 'y', { story: 'b' })]);
    await scene.sync();
    told.rank([topic(2, 'x', { story: 'a' })]);
    await scene.sync();
    scene.clock.leap(YEAR);
    told.rank([topic(3, 'x', { story: 'a' })]);
    await scene.sync();
    expect(
      scene.queries.stories
        .list('all')
        .map(({ publicId }) => publicId)
        .sort(),
    ).toEqual(['a', 'b']);
    const [ranked] = scene.queries.rankings.list().topics;
    expect(ranked?.history.points.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  it('deletes no change of a model list', async () => {
    const gateway = await startGateway({ models: modelRecords(3) });
    const scene = await openScene({ content: { selected: 1 } }, { gateway: gateway.asked() });
    await scene.sync();
    gateway.models = modelRecords(4);
    await scene.sync();
    scene.clock.leap(9 * YEAR);
    gateway.models = modelRecords(5);
    await scene.sync();
    expect(scene.queries.models.refreshes(gateway.address, 9)).toHaveLength(2);
  });
});
