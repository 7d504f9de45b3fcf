import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { openTestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const SIZE = 50;

type Item = Record<string, unknown>;
interface Page {
  count?: number;
  hasMore: boolean;
  nextPage?: string | null;
  items: Item[];
}

const items = (from: number, to: number): Item[] =>
  Array.from({ length: to - from }, (_, n) => ({
    id: `i-${String(from + n).padStart(4, '0')}`,
    title: `Title ${from + n}`,
    links: { original: null, aihot: null },
    source: { name: 'A paper' },
    discoveredAt: '2026-03-18T06:00:00Z',
  }));

/** The only or last page, with the items from one number to another. */
const last = (count: number | undefined, from: number, to: number): Page => ({
  ...(count !== undefined && { count }),
  hasMore: false,
  items: items(from, to),
});
/** Two pages, whose items end at these numbers; the second ones begin at 25. */
const halves = (counts: [number?, number?], ends: [number, number]): Page[] => [
  { ...last(counts[0], 0, ends[0]), hasMore: true, nextPage: '1' },
  last(counts[1], 25, ends[1]),
];

const answer = (response: ServerResponse, status: number, body: unknown): true => {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 's-maxage=60' });
  response.end(JSON.stringify(body));
  return true;
};

/** An engine with 50 items, whose service sends other snapshots from then on. */
async function openScene(pages: Page[] = [last(SIZE, 0, SIZE)]) {
  const clock = fakeClock();
  const served = { pages, isResumable: true, snapshots: 0 };
  const service = await startDemoService({
    clock,
    content: { selected: 0 },
    intercept: (request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      if (url.pathname.endsWith('/snapshot')) {
        const index = Number(url.searchParams.get('page') ?? 0);
        if (index === 0) served.snapshots += 1;
        return answer(response, 200, { cursor: 'c', ...served.pages[index] });
      }
      if (!url.pathname.endsWith('/changes')) return false;
      if (!served.isResumable) {
        served.isResumable = true;
        return answer(response, 409, { status: 409, code: 'snapshot_required' });
      }
      return answer(response, 200, { cursor: 'c', count: 0, hasMore: false, changes: [] });
    },
  });
  onTestFinished(() => service.close());
  const engine = openTestEngine({ address: service.newsAddress, clock });
  const sync = async () => {
    clock.advance(20 * MINUTE);
    return (await engine.call('sync.run', { urgency: 'now', resources: ['selected'] })).resources.selected;
  };
  const size = () => engine.queries.items.counts().selected.total;
  const replace = (next: Page[]): void => void Object.assign(served, { pages: next, isResumable: false });
  return { sync, size, replace, served };
}

describe('a snapshot that contradicts itself', () => {
  it.each<[string, Page[]]>([
    ['1 of 50 items, the last page with a next one', [{ ...last(50, 0, 1), nextPage: '1' }]],
    ['1 item, the last page with a next one', [{ ...last(undefined, 0, 1), nextPage: '1' }]],
    ['1 of 50 items', [last(50, 0, 1)]],
    ['49 of 50 items', [last(50, 0, 49)]],
    ['half a page', halves([25, 25], [12, 50])],
    ['a page less than announced', halves([100, 100], [25, 40])],
  ])('(%s) is refused, however often it comes', async (_, pages) => {
    const scene = await openScene();
    expect(await scene.sync()).toMatchObject({ status: 'ok', added: SIZE });
    scene.replace(pages);
    for (let n = 0; n < 3; n += 1) {
      expect(await scene.sync()).toMatchObject({ status: 'failed', withdrawn: 0, error: { code: 'invalid_body' } });
      expect(scene.size()).toBe(SIZE);
    }
    // Each attempt begins a snapshot, and the first one that is right is accepted.
    expect(scene.served.snapshots).toBe(4);
    scene.served.pages = [last(51, 0, 51)];
    expect(await scene.sync()).toMatchObject({ status: 'ok', added: 1 });
    expect(scene.size()).toBe(51);
  });
});

describe('a snapshot', () => {
  it.each<[string, Page[]]>([
    ['the number of the whole set', halves([50, 50], [25, 50])],
    ['the number of the whole set, which changes meanwhile', halves([51, 49], [25, 50])],
    ['the number of each page', halves([25, 25], [25, 50])],
    ['no number', halves([], [25, 50])],
    ['fewer than it has', [last(49, 0, 50)]],
  ])('may give %s', async (_, pages) => {
    const scene = await openScene(pages);
    expect(await scene.sync()).toMatchObject({ status: 'ok', added: SIZE });
    expect(scene.size()).toBe(SIZE);
  });
});
