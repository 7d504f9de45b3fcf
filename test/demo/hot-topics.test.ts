import { describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { demo } from './service.ts';
import type { Body } from './service.ts';

const MINUTE = 60_000;
const living = () => demo({ content: 'living', clock: fakeClock('2026-03-18T06:30:00Z') });

describe('GET /hot-topics', () => {
  // Holds: news-4.2-ten, news-8-topics
  it('ranks at most ten topics, by items that are public', async () => {
    const { get, service } = await living();
    const { body } = await get('/hot-topics');
    const ids = new Set(service.control.allItems().map(({ id }) => id));
    const ranks = body.items.map(({ rank }: Body) => rank);
    expect(body.count).toBe(body.items.length);
    expect(body.count).toBeGreaterThanOrEqual(9);
    expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => a - b));
    expect(Math.max(...ranks)).toBeLessThanOrEqual(10);
    expect(body.items.every(({ id }: Body) => ids.has(id))).toBe(true);
  });

  // Holds: news-2-topic-story, news-4.3-id-from-topic
  it('links some topics to a story that is there, and others to none', async () => {
    const { get, clock } = await living();
    const linked: string[] = [];
    let unlinked = 0;
    for (let hour = 0; hour < 6; hour += 1) {
      clock.advance(60 * MINUTE);
      for (const { links } of (await get('/hot-topics')).body.items) {
        if (links.story) linked.push(new URL(links.story).pathname.split('/').at(-1) ?? '');
        else unlinked += 1;
      }
    }
    expect(linked.length).toBeGreaterThan(0);
    expect(unlinked).toBeGreaterThan(0);
    for (const publicId of new Set(linked)) expect((await get(`/stories/${publicId}`)).status).toBe(200);
  });

  // Holds: news-4.2-latest, news-4.2-refresh, news-8-topics
  it('is ranked again every five minutes and not in between', async () => {
    const { get, clock } = await living();
    const first = (await get('/hot-topics')).text;
    clock.advance(4 * MINUTE);
    expect((await get('/hot-topics')).text).toBe(first);
    clock.advance(MINUTE);
    expect((await get('/hot-topics')).text).not.toBe(first);
  });
});
