import { describe, expect, it, onTestFinished } from 'vitest';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import { startDemoService, type DemoService, type ServedItem } from '../../../src-main/demo/service.ts';
import type { EngineGateway } from '../../../src-main/sync/engine/services.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { openOnce, type AtEnd } from '../../support/open-once.ts';
import { EVERYTHING, SELECTED, expectEqualSets, rowsOf } from '../../support/selected-set.ts';
import { servedList } from '../../support/served-list.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Thursday, three days before the service moves. */
const START = '2026-03-12T06:30:00Z';

interface Scene extends TestEngine {
  clock: FakeClock;
  service: DemoService;
}

/** An engine that has mirrored a harsh service once. */
async function mirror(atEnd: AtEnd = onTestFinished, totalMs = 500): Promise<Scene> {
  const clock = fakeClock(START);
  const service = await startDemoService({ clock, harsh: true });
  atEnd(() => service.close());
  // Some paths never answer.
  const gateway: EngineGateway = {
    source: { address: service.modelsAddress, demo: false, from: 'option' },
    key: DEMO_KEY,
    keyEnding: null,
  };
  const opened = openTestEngine({ address: service.newsAddress, gateway, clock, timeouts: { totalMs }, atEnd });
  const scene = { ...opened, clock, service };
  await sync(scene);
  return scene;
}

/** One mirror lives through the week, because the first copy takes as long as all that is tested on it. */
const mirrored = openOnce(mirror);

/** The mirror as it is at this time of the week, up to date. */
async function mirroredAt(time: string): Promise<Scene> {
  const scene = mirrored();
  scene.clock.advance(Math.max(0, Date.parse(time) - scene.clock.now()));
  await sync(scene);
  return scene;
}

/** Two rounds: what the first one learns of, the second one fetches. */
async function sync(scene: Pick<Scene, 'call' | 'clock'>): Promise<void> {
  await round(scene);
  scene.clock.advance(6 * MINUTE);
  await round(scene);
}

/** Only stories and reports never answer. On a busy computer a list may take longer than the time-out: it is asked again. */
async function round({ call, clock }: Pick<Scene, 'call' | 'clock'>): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { resources } = await call('sync.run', { urgency: 'now' });
    const lists = [resources.items, resources.selected, resources.models, resources.embeddings];
    if (!lists.some((one) => one.status === 'failed' && one.error?.code === 'timeout')) return;
    clock.advance(MINUTE);
  }
}

/**
 * Returns the items that the service lists for the last seven days, without those that leave the window within an hour.
 */
async function listed({ service, clock }: Scene): Promise<ServedItem[]> {
  const { pages } = await servedList(service);
  const opens = clock.now() - 7 * DAY + HOUR;
  return pages.flat().filter(({ publishedAt, discoveredAt }) => Date.parse(publishedAt ?? discoveredAt) > opens);
}

async function stored(scene: Scene): Promise<Map<string, ItemRow>> {
  return new Map((await rowsOf(scene, EVERYTHING)).map((row) => [row.id, row]));
}

/** Only ids, so that a failure prints no texts. */
function idsWithout(items: readonly ServedItem[], rows: ReadonlyMap<string, unknown>): string[] {
  return items.map(({ id }) => id).filter((id) => !rows.has(id));
}

/** Fails unless the mirror has what the service lists, with the same texts, and nothing that is no longer public. */
async function expectEqualLists(scene: Scene): Promise<void> {
  const [rows, served] = [await stored(scene), await listed(scene)];
  expect(idsWithout(served, rows)).toEqual([]);
  const differing = served.filter(({ id, title, summary }) => {
    const row = rows.get(id);
    return row?.title !== title || row.summary !== summary;
  });
  expect(idsWithout(differing, new Map())).toEqual([]);
  const public_ = new Set(scene.service.control.allItems().map(({ id }) => id));
  expect([...rows.keys()].filter((id) => !public_.has(id))).toEqual([]);
}

const lasting = { timeout: 120_000 };

describe('the mirror of a harsh service', lasting, () => {
  it('has every item of the week and the selected set, and that after days of changes again', async () => {
    const scene = mirrored();
    const { control } = scene.service;
    const served = await listed(scene);
    expect(idsWithout(served, await stored(scene))).toEqual([]);
    await expectEqualSets(scene, control);

    // Some leave the selected set and are still public.
    const seats = new Set(control.selectedItems().map(({ id }) => id));
    const leaving = served.filter(({ id }) => seats.has(id)).slice(0, 4);
    for (const [index, { id }] of leaving.entries()) control.leaveSet(id, index > 0);
    scene.clock.advance(HOUR);
    await sync(scene);
    const rows = await stored(scene);
    expect(leaving).toHaveLength(4);
    expect(idsWithout(leaving, rows)).toEqual([]);
    expect(leaving.filter(({ id }) => rows.get(id)?.inSelectedSet)).toEqual([]);

    scene.clock.advance(2.5 * DAY);
    await sync(scene);
    await expectEqualSets(scene, control);
    // Also what happened to unselected items: texts, withdrawals, late arrivals.
    await expectEqualLists(scene);
  });

  it('keeps the set and the model lists while the service rebuilds its ledger, and has the new one afterwards', async () => {
    const scene = await mirroredAt('2026-03-17T23:30:00Z');
    const models = () => scene.queries.models.list(scene.service.modelsAddress, 'models').lines.length;
    const before = (await rowsOf(scene, SELECTED)).length;
    const modelsBefore = models();
    expect(before).toBeGreaterThan(1000);
    expect(modelsBefore).toBeGreaterThan(100);
    // Until ten minutes past midnight nothing is there, then a third.
    for (const minutes of [20, 8, 8]) {
      scene.clock.advance(minutes * MINUTE);
      await scene.call('sync.run', { urgency: 'now' });
      expect((await rowsOf(scene, SELECTED)).length).toBeGreaterThanOrEqual(before);
      expect(models()).toBe(modelsBefore);
    }
    scene.clock.advance(2 * HOUR);
    await sync(scene);
    scene.clock.advance(2 * HOUR);
    await sync(scene);
    await expectEqualSets(scene, scene.service.control);
    expect(models()).toBeGreaterThan(modelsBefore - 5);
  });
});
