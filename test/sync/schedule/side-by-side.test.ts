import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoService, type DemoOptions } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { openTestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SLOW = /\/(stories|dailies|weeklies|monthlies)\/[^?]+$/;

/** A service that doesn't answer requests for single stories and reports until they are released. */
async function openSlow(content: DemoOptions['content'], slow = SLOW) {
  const clock = fakeClock();
  const held: ServerResponse[] = [];
  let holding = true;
  const service = await startDemoService({
    clock,
    content: content!,
    since: clock.now() - 5 * DAY,
    intercept: (request, response) => {
      if (!holding || !slow.test(request.url ?? '')) return false;
      held.push(response);
      return true;
    },
  });
  onTestFinished(() => service.close());
  const room = openTestEngine({ address: service.newsAddress, clock });
  const release = (): void => {
    holding = false;
    for (const response of held.splice(0)) response.writeHead(500).end();
  };
  onTestFinished(release);
  const asked = (path: string): number => service.requests.filter((request) => request.path.includes(path)).length;
  return { ...room, service, clock, held, release, asked };
}

describe('slow stories and reports', () => {
  it('do not delay the first download of the selected set', async () => {
    const { call, queries, held } = await openSlow({ selected: 2_100, days: 5 });
    const running = call('sync.run', { urgency: 'now' });
    await vi.waitFor(() => expect(queries.selectedSet.complete).toBe(true), 20_000);
    expect(held.length).toBeGreaterThan(1);
    void running.catch(() => undefined);
  });

  it.each([
    ['stories', /\/stories\//],
    ['reports', /\/(dailies|weeklies|monthlies)\/[^?]+$/],
  ])('(%s) do not delay the next syncs of the others', async (_, slow) => {
    const { engine, clock, asked, held, queries } = await openSlow('living', slow);
    await engine.start();
    await vi.waitFor(() => expect(queries.selectedSet.complete && held.length > 0).toBe(true), 20_000);
    await vi.waitFor(() => expect(queries.schedule.state('selected')?.answeredAt).toBe(clock.now()), 20_000);
    for (let round = 0; round < 2; round += 1) {
      const [items, selected, topics] = [asked('/items'), asked('/changes'), asked('/hot-topics')];
      for (let minute = 0; minute < 18; minute += 1) {
        clock.advance(MINUTE);
        await new Promise(setImmediate);
      }
      await vi.waitFor(() => {
        clock.advance(20_000);
        expect(asked('/items')).toBeGreaterThan(items);
        expect(asked('/changes')).toBeGreaterThan(selected);
        expect(asked('/hot-topics')).toBeGreaterThan(topics);
      }, 20_000);
    }
    expect(held.length).toBeGreaterThan(0);
  });

  it.each(['stories', 'reports'])('(%s) do not delay one that the reader opens', async (what) => {
    const { call, held, queries } = await openSlow('living');
    void call('sync.run', { urgency: 'now' }).catch(() => undefined);
    const paths = (): string[] => held.map(({ req }) => req.url ?? '');
    // One request of each kind at a time, and half of all places.
    await vi.waitFor(() => expect(paths()).toHaveLength(2), 20_000);
    await vi.waitFor(() => expect(queries.reports.allFacts('daily').length).toBeGreaterThan(2), 20_000);
    await vi.waitFor(() => expect(queries.rankings.storyIds().length).toBeGreaterThan(2), 20_000);
    const [id, label] = [
      queries.rankings.storyIds().at(-1) ?? '',
      queries.reports.allFacts('daily').at(-1)?.label ?? '',
    ];
    const open =
      what === 'stories' ? call('stories.open', { publicId: id }) : call('reports.open', { kind: 'daily', label });
    void open.catch(() => undefined);
    const path = what === 'stories' ? `/api/v1/stories/${id}` : `/api/v1/dailies/${label}`;
    await vi.waitFor(() => expect(paths()).toContain(path), 5_000);
  });
});
