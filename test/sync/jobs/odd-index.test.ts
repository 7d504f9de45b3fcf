import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ReportHeader } from '../../../src-main/contract/model/report.ts';
import { nextPublication } from '../../../src-main/common/publication-timetable.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { write } from '../../support/store.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { openServedEngine, openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;

const answerJson = (response: ServerResponse, body: unknown, etag = 'W/"i"'): void => {
  const headers = { 'content-type': 'application/json', 'cache-control': 's-maxage=60', etag };
  if (response.req.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
  else response.writeHead(200, headers).end(JSON.stringify(body));
};
const index = (name: string, labels: readonly string[]) => ({
  count: labels.length,
  items: labels.map((label) => ({ [name]: label, generatedAt: '2026-03-18T00:00:00Z', links: { aihot: null } })),
});
const dayBefore = (days: number): string => new Date(Date.UTC(2026, 2, 18 - days)).toISOString().slice(0, 10);

const sync = async ({ call }: Pick<TestApp, 'call'>, resource: 'dailies' | 'weeklies' | 'monthlies', urgency = 'now') =>
  (await call('sync.run', { urgency: urgency as 'now', resources: [resource] })).resources[resource];
const listed = async ({ call }: TestApp, kind: 'daily' | 'weekly' | 'monthly') =>
  (await call('reports.index', { kind })).lines.map(({ label }) => label);

/** Returns how often rows were counted since. */
function countRows({ engine }: TestEngine): () => number {
  const { health } = engine.store.queries;
  const rows = vi.fn<typeof health.countRows>((name) => health.countRows(name));
  Object.assign(engine.store.queries, { health: Object.create(health, { rows: { value: rows } }) as typeof health });
  return () => rows.mock.calls.length;
}

const HEAD: Omit<ReportHeader, 'kind' | 'label'> = {
  ...{ generatedAt: null, periodStart: null, periodEnd: null, headline: 'A mistake', overview: null },
  ...{ links: { aihot: null }, attribution: null, extra: {} },
};
const BODY = { windowStart: null, windowEnd: null, sections: [], flashes: [] };

describe('a label in the far future', () => {
  it.each([
    ['dailies', 'daily', 'date', ['9999-12-31', '2026-03-20'], ['2026-03-19', '2026-03-18']],
    ['weeklies', 'weekly', 'week', ['9999-W52', '2026-W13'], ['2026-W12', '2026-W11']],
    ['monthlies', 'monthly', 'month', ['9999-12', '2026-04'], ['2026-03', '2026-02']],
  ] as const)(
    'in an index of %s is not saved, fetched or the newest, but reported',
    async (resource, kind, name, odd, fine) => {
      const app = await openTestApp({
        // 07:00 in Shanghai on Thursday 19 March: the daily of that day is due in an hour.
        start: '2026-03-18T23:00:00Z',
        intercept: (request, response) => {
          if (!request.url?.includes(`/${resource}`)) return false;
          const label = new RegExp(`/${resource}/(.+)$`).exec(request.url)?.[1];
          const body = label ? { report: { [name]: label, sections: [], links: {} } } : index(name, [...odd, ...fine]);
          answerJson(response, body, `W/"${label ?? ''}"`);
          return true;
        },
      });
      expect(await sync(app, resource)).toMatchObject({ status: 'ok', skipped: 2, added: 2 });
      expect(await listed(app, kind)).toEqual(fine);
      const asked = app.service.requests.map(({ path }) => path);
      for (const label of odd) expect(asked.some((path) => path.includes(label))).toBe(false);
      const health = await app.call('health.check', {});
      expect(health.runs.find((run) => run.resource === resource)?.reasons).toEqual(
        odd.map((label) => expect.stringContaining(label) as string),
      );
    },
  );

  it('as the latest report is not saved', async () => {
    let behind: string | null = null;
    const app = await openTestApp({
      content: 'living',
      days: 3,
      start: '2026-03-17T23:50:00Z',
      intercept: (request, response) => {
        if (behind === null || !request.url?.includes('/dailies')) return false;
        if (request.url.includes('?')) answerJson(response, JSON.parse(behind), 'W/"behind"');
        else answerJson(response, { report: { date: '9999-12-31', sections: [], links: {} } });
        return true;
      },
    });
    await sync(app, 'dailies');
    behind = await (await fetch(`${app.service.newsAddress}/api/v1/dailies?limit=1`)).text();
    const before = await listed(app, 'daily');
    app.clock.advance(14 * MINUTE);
    expect(await sync(app, 'dailies', 'due')).toMatchObject({ status: 'notModified', skipped: 1 });
    expect(app.service.requests.at(-1)?.path).toBe('/api/v1/dailies/latest');
    expect(await listed(app, 'daily')).toEqual(before);
  });

  it('is accepted when the calendar reaches it, though the index is unchanged', async () => {
    const app = await openTestApp({
      start: '2026-03-18T06:30:00Z',
      intercept: (request, response) => {
        const label = /\/dailies\/(\d.+)$/.exec(request.url ?? '')?.[1];
        if (!request.url?.includes('/dailies')) return false;
        const body = label
          ? { report: { date: label, sections: [], links: {} } }
          : index('date', ['2026-03-21', '2026-03-18']);
        answerJson(response, body, `W/"${label ?? request.url}"`);
        return true;
      },
    });
    await sync(app, 'dailies');
    expect(await listed(app, 'daily')).toEqual(['2026-03-18']);
    app.clock.advance(3 * 24 * 3_600_000);
    await sync(app, 'dailies', 'permitted');
    expect(await listed(app, 'daily')).toEqual(['2026-03-21', '2026-03-18']);
  });

  it.each([
    ['dailies', 'daily', ['9999-12-31', '2026-13-45', '2026-00-10'], '2026-03-18'],
    ['weeklies', 'weekly', ['9999-W52', '2026-W99', '2025-W53'], '2026-W11'],
    ['monthlies', 'monthly', ['9999-12', '2026-13', '2026-00'], '2026-02'],
  ] as const)(
    'that was saved earlier is neither the newest of the %s nor requested, and holds up nothing',
    async (resource, kind, odd, newest) => {
      const { service, ...room } = await openServedEngine({ content: { selected: 60, days: 40 } });
      const { clock } = room;
      write(room.engine.store, ({ reports }) => {
        for (const label of odd) {
          const head = { ...HEAD, kind, label };
          reports.list([head]);
          if (label === odd[0]) continue;
          reports.store({ ...head, ...BODY }, clock.now());
        }
      });
      expect(await sync(room, resource)).toMatchObject({ status: 'ok', skipped: 0 });
      const { reports } = room.queries;
      const until = nextPublication(kind, clock.now()).label;
      expect([reports.newest(kind, until), reports.newestListed(kind, until)]).toEqual([newest, newest]);
      const asked = service.requests.map(({ path }) => path);
      for (const label of odd) expect(asked.filter((path) => path.includes(label))).toEqual([]);
      // A label that is no date is not listed; one that is only too early stays.
      expect(reports.index(kind).map(({ label }) => label)).not.toEqual(expect.arrayContaining([odd[1]]));
      expect(reports.index(kind)[0]?.label).toBe(odd[0]);
      // The next one is expected on time.
      clock.advance(nextPublication(kind, clock.now()).at - clock.now() + MINUTE);
      const before = service.requests.length;
      await sync(room, resource, 'due');
      expect(service.requests.slice(before).map(({ path }) => path)).toContain(`/api/v1/${resource}`);
    },
  );

  it('is judged by the time at the service, if this clock is years behind', async () => {
    const late = { clock: fakeClock('2019-01-01T00:00:00Z') };
    const room = await openServedEngine({ clock: fakeClock(), content: { selected: 60, days: 6 } }, late);
    expect((await sync(room, 'dailies')).added).toBeGreaterThan(3);
    expect(room.queries.reports.newest('daily', '2027')?.slice(0, 4)).toBe('2026');
  });

  it('is judged by this clock, if that of the service was never set', async () => {
    const app = await openTestApp({
      content: { selected: 60, days: 6 },
      intercept: (_, response) => {
        response.setHeader('date', 'Thu, 01 Jan 1970 00:10:00 GMT');
        return false;
      },
    });
    const { resources } = await app.call('sync.run', { urgency: 'now', resources: ['dailies'] });
    expect(resources.dailies.skipped).toBe(0);
    expect(resources.dailies.added).toBeGreaterThan(3);
  });
});

describe('an index of very many reports', () => {
  it('ends the run with the request budget; the rest of the labels costs no write and no event', async () => {
    const clock = fakeClock();
    const service = await startDemoService({
      clock,
      content: { selected: 1 },
      intercept: (request, response) => {
        const label = /\/dailies\/(\d.+)$/.exec(request.url ?? '')?.[1];
        if (!label) return false;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ report: { date: label, sections: [], links: {} } }));
        return true;
      },
    });
    onTestFinished(() => service.close());
    const room = openTestEngine({ address: service.newsAddress, clock });
    const { store } = room.engine;
    const head = (label: string): ReportHeader => ({ ...HEAD, kind: 'daily', label });
    write(store, ({ reports }) => void reports.list(Array.from({ length: 3_000 }, (_, days) => head(dayBefore(days)))));
    const writes = vi.spyOn(store, 'transaction');
    const counts = countRows(room);
    stopTimers();
    expect(await sync(room, 'dailies')).toMatchObject({ status: 'ok', requests: 1_000, skipped: 0 });
    expect(writes.mock.calls.length).toBeLessThan(1_020);
    expect(room.events.filter(({ event }) => event === 'sync.changed').length).toBeLessThan(10);
    expect(counts()).toBeLessThan(100);
    // The next run continues.
    clock.advance(MINUTE);
    expect(await sync(room, 'dailies', 'due')).toMatchObject({ status: 'ok', added: 12 });
  });
});

/** Stops the timer that publishes the last progress of a burst: it runs in real time, however long a test takes. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}
