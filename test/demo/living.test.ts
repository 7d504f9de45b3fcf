import { describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { allPages, demo, wholeSnapshot, standingDemo } from './service.ts';

const HOUR = 3_600_000;
const START = '2026-03-18T06:30:00Z';
/** Ten days, of which there are 5,000 items. */
const living = (clock = fakeClock(START), seed = 1) =>
  demo({ content: 'living', clock, seed, since: Date.parse('2026-03-08T00:00:00Z') });
const standing = standingDemo({ content: 'living', clock: fakeClock(START) });

describe('Living content', () => {
  it('is the same after a restart and at any later moment', async () => {
    const [early, late] = [fakeClock(START), fakeClock(START)];
    const first = await living(early);
    await first.get('/items');
    early.advance(5 * HOUR);
    late.advance(5 * HOUR);
    const second = await living(late);
    expect(second.service.control.allItems()).toEqual(first.service.control.allItems());
    expect(second.service.control.selectedItems()).toEqual(first.service.control.selectedItems());
  });

  it('begins with the first day of last month', async () => {
    const { service, clock } = standing();
    const items = service.control.allItems();
    const oldest = items.at(-1)?.discoveredAt ?? '';
    expect(oldest.slice(0, 10)).toBe('2026-02-01');
    expect(Date.parse(items[0]?.discoveredAt ?? '')).toBeLessThanOrEqual(clock.now());
  });

  it('brings an item about every three minutes, one in five of them selected', async () => {
    const { get, service } = standing();
    const week = await allPages(get, '/items?mode=all&limit=100');
    expect(week.length).toBeGreaterThan(3000);
    expect(week.length).toBeLessThan(3400);
    const share = service.control.selectedItems().length / service.control.allItems().length;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.25);
  });

  it('changes follow the snapshot to what a later snapshot says', async () => {
    const { get, clock } = await living();
    const { items, cursor: watermark } = await wholeSnapshot(get, 1000);
    const held = new Map(items.map((item) => [item.id, item]));
    clock.advance(26 * HOUR);
    const ops: string[] = [];
    for (let cursor = watermark, hasMore = true; hasMore;) {
      const { body } = await get(`/selected/changes?cursor=${cursor}`);
      for (const { op, id, item } of body.changes) {
        ops.push(op === 'remove' ? 'remove' : held.has(item.id) ? 'edit' : 'add');
        if (op === 'remove') held.delete(id);
        else held.set(item.id, item);
      }
      ({ cursor, hasMore } = body);
    }
    const later = await wholeSnapshot(get, 1000);
    expect([...held.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(later.items);
    expect(new Set(ops)).toEqual(new Set(['add', 'edit', 'remove']));
  });

  it('links to nowhere but reserved names', async () => {
    const { service } = standing();
    const hosts = service.control
      .allItems()
      .flatMap(({ links }) => [links.original, links.aihot].map((url) => new URL(url).hostname));
    expect([...new Set(hosts)].filter((host) => !host.endsWith('.example'))).toEqual([]);
  });
});

describe('Fixed content', () => {
  it('has exactly as many as requested, and time adds none', async () => {
    const { service, clock } = await demo({ content: { selected: 3000, unselected: 100 } });
    const before = service.control.selectedItems();
    clock.advance(48 * HOUR);
    expect(service.control.selectedItems()).toEqual(before);
    expect([before.length, service.control.allItems().length]).toEqual([3000, 3100]);
  });
});
