import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { type DemoService, type FixedContent } from '../../../src-main/demo/service.ts';
import type { EngineSettings } from '../../../src-main/sync/engine/types.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openServedEngine, type TestEngine } from '../../support/test-engine.ts';
import { write, idsOf } from '../../support/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

interface Scene extends TestEngine {
  service: DemoService;
  sync(): Promise<void>;
  use(patch: Partial<EngineSettings>): Promise<void>;
  /** Ids. */
  stored(): string[];
  /** Ids that should be saved by the rule. */
  expected(days: number): string[];
}

/** 300 items over 30 days, half of them in the selected set. */
async function openScene(
  settings: Partial<EngineSettings> = {},
  content: FixedContent = { selected: 150, unselected: 150, days: 30 },
): Promise<Scene> {
  const folder = temporaryFolder();
  const { service, clock, ...room } = await openServedEngine({ content }, { folder, settings });
  return {
    ...room,
    service,
    clock,
    sync: async () => {
      await room.call('sync.run', { urgency: 'now', resources: ['items', 'selected'] });
    },
    use: (patch) => room.engine.useSettings({ ...room.settings, ...patch }),
    stored: () => idsOf(room.queries, ALL, clock.now()).sort(),
    expected: (days) =>
      service.control
        .allItems()
        .filter(({ selected, discoveredAt }) => selected || Date.parse(discoveredAt) >= clock.now() - days * DAY)
        .map(({ id }) => id)
        .sort(),
  };
}

/** Adds all items, including those that GET /items no longer lists. */
function storeAll({ engine, service }: Scene): void {
  write(engine.store, (tx) => {
    const items = service.control.allItems().map((item) => ({ ...item, reason: item.reason ?? null, extra: {} }));
    tx.items.upsertAll(items, { kind: 'listed' });
  });
}

describe('items that have become too old', () => {
  it('are deleted by the next sync, and reported', async () => {
    const scene = await openScene();
    await scene.sync();
    storeAll(scene);
    await scene.use({ keepDays: 1 });
    scene.events.length = 0;
    await scene.sync();
    expect(scene.stored()).toEqual(scene.expected(1));
    const told = scene.events.map(({ event }) => event);
    expect(told).toEqual(expect.arrayContaining(['items.changed', 'counts.changed']));
  });

  it('are not fetched again by any later pass', async () => {
    const scene = await openScene({ keepDays: 2 });
    await scene.sync();
    expect(scene.stored()).toEqual(scene.expected(2));
    write(scene.engine.store, ({ fetches, mirror }) => {
      // As after an interrupted pass: this one continues to the end.
      mirror.set('items_walk', 'open');
      fetches.put('items', { etag: null });
    });
    await scene.sync();
    expect(scene.stored()).toEqual(scene.expected(2));
    scene.clock.advance(DAY);
    scene.service.control.addItem({ selected: false });
    await scene.sync();
    expect(scene.stored()).toEqual(scene.expected(2));
  });

  it('does not stop at a page of backfilled items, which are old but were found lately', async () => {
    const scene = await openScene({ keepDays: 2 }, { selected: 1, unselected: 150, days: 1 });
    const young = scene.service.control.allItems().map(({ id }) => id);
    const discoveredAt = new Date(scene.clock.now()).toISOString();
    for (let n = 0; n < 120; n += 1) {
      scene.service.control.addItem({ selected: false, discoveredAt, publishedAt: '2017-05-01T00:00:00Z' });
    }
    await scene.sync();
    expect(scene.stored()).toEqual(young.sort());
  });

  it('end the pass when a whole page is too old', async () => {
    const pages = async (keepDays: number | null): Promise<number> => {
      const scene = await openScene({ keepDays }, { selected: 1, unselected: 1_000, days: 5 });
      await scene.call('sync.run', { urgency: 'now', resources: ['items'] });
      return scene.service.requests.length;
    };
    expect(await pages(null)).toBeGreaterThanOrEqual(10);
    // Two hundred a day and one, a hundred a page, and the page that is too old.
    expect(await pages(1)).toBe(4);
  });

  it('are not deleted while a snapshot is incomplete, because it may contain them', async () => {
    const scene = await openScene({ keepDays: 1 });
    await scene.sync();
    storeAll(scene);
    const before = scene.stored();
    write(scene.engine.store, ({ selectedSet }) => {
      selectedSet.saveSnapshot({ generation: 9, cursor: 'c', nextPage: 'p', stored: 0 });
    });
    await scene.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    expect(scene.stored()).toEqual(before);
  });
});
