import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src-main/contract/ports.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { REGISTRY } from '../../../src-main/sync/jobs/registry.ts';
import { fakeClock } from '../../support/clock.ts';
import { drive, settled } from '../../support/driving.ts';
import { noteFigures } from '../../support/figures.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { openTestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RUNS = isWhole ? 300 : 4;
const START = Date.parse('2026-03-18T06:30:00Z');
/** Long enough for the list of items to become due once, wherever the jitter puts it. */
const WATCHED = Math.ceil(REGISTRY.items.rule.every * 1.1) + 2 * MINUTE;
/** Requests for the list of items in that time: it is due at most twice, and once more after a wake-up. */
const MOST_ITEMS = 3;
/** All requests in that time, after the first download. */
const MOST_REQUESTS = 60;

/** An event of the computer. */
type Change =
  { kind: 'clock'; ms: number } | { kind: 'sleep'; ms: number } | { kind: 'zone'; zone: string } | { kind: 'news' };

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('clock' as const),
    ms: fc.oneof(
      fc.integer({ min: -3 * DAY, max: 3 * DAY }),
      fc.constantFrom(-400 * DAY, 400 * DAY, -HOUR, HOUR, -DAY, DAY, -1, 1),
    ),
  }),
  fc.record({
    kind: fc.constant('sleep' as const),
    ms: fc.oneof(fc.constant(3 * DAY), fc.integer({ min: 0, max: 3 * DAY })),
  }),
  fc.record({
    kind: fc.constant('zone' as const),
    zone: fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu'),
  }),
  fc.constant({ kind: 'news' as const }),
);

/** An app that polls, on a computer whose clock can differ from that of the service. */
async function openScene() {
  const clock = fakeClock(START);
  let ahead = 0;
  let zone = 'UTC';
  const atService: Clock = { now: () => clock.now() - ahead, after: clock.after };
  const service = await startDemoService({ clock: atService, content: { selected: 12, days: 3 } });
  const room = openTestEngine({ address: service.newsAddress, clock, zone: () => zone });
  await room.engine.start();
  await settled(clock);
  await drive(clock, WATCHED);
  let seen = 0;
  const asked = () => {
    const fresh = service.requests.slice(seen);
    seen = service.requests.length;
    return { all: fresh.length, items: fresh.filter(({ path }) => path.includes('/items')).length };
  };
  asked();
  const apply = (change: Change): void => {
    if (change.kind === 'clock') [ahead] = [ahead + change.ms];
    if (change.kind === 'clock' || change.kind === 'sleep') clock.leap(change.ms);
    if (change.kind === 'zone') zone = change.zone;
    if (change.kind === 'news') service.control.addItem();
  };
  const told = () =>
    room.events.flatMap((heard) => (heard.event === 'notifications.raised' ? heard.payload.notifications : []));
  const close = async () => {
    await room.engine.close();
    await service.close();
  };
  return { apply, asked, told, close, watch: () => drive(clock, WATCHED) };
}

describe('a computer whose clock, zone and sleep change at random', () => {
  it(`asks neither too often nor too rarely, and notifies once (${String(RUNS)} series)`, async () => {
    const most = { all: 0, items: 0, told: 0, changes: 0 };
    await expectHeld(fc.array(changes, { minLength: 1, maxLength: 8 }), RUNS, async (series) => {
      const scene = await openScene();
      for (const change of series) {
        scene.apply(change);
        await scene.watch();
        const { all, items } = scene.asked();
        expect({ change, items: items >= 1 && items <= MOST_ITEMS, asked: items }).toMatchObject({ items: true });
        expect({ change, all }).toSatisfy(() => all <= MOST_REQUESTS);
        Object.assign(most, { all: Math.max(most.all, all), items: Math.max(most.items, items) });
      }
      const told = scene.told().map(({ kind, label, target }) => JSON.stringify([kind, label, target]));
      expect(told.filter((one, at) => told.indexOf(one) !== at)).toEqual([]);
      most.told += told.length;
      most.changes += series.length;
      await scene.close();
    });
    noteFigures({
      what: `series with ${most.changes} changes of clock, zone and sleep`,
      amount: RUNS,
      counts: {
        'most requests for items after a change': most.items,
        'most requests': most.all,
        notifications: most.told,
        'notifications twice': 0,
      },
    });
  });
});
