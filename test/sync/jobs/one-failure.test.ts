import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { outcomeText } from '../../../src-main/node/commands/sync.ts';
import { TWELVE_DAYS } from '../../support/reports.ts';
import { openScene } from '../../support/story-scene.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const JSON_TYPE = { 'content-type': 'application/json' };
/** Ways in which one record can fail while the service is well. */
const FAILURES = {
  'a 403': (response) => void response.writeHead(403).end(),
  'a 500': (response) => void response.writeHead(500).end(),
  'a 503 without Retry-After': (response) => void response.writeHead(503).end(),
  'a page of HTML': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in'),
  'broken JSON': (response) => void response.writeHead(200, JSON_TYPE).end('{"story": {'),
  'a body cut short': (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 });
    response.write('{', () => response.destroy());
  },
  'a reset': (response) => void response.req.socket.resetAndDestroy(),
  'a redirect elsewhere': (response) => void response.writeHead(308, { location: 'http://127.0.0.1:9/' }).end(),
  'a redirect loop': (response) => void response.writeHead(302, { location: response.req.url }).end(),
} satisfies Record<string, (response: ServerResponse) => void>;

const dailies = async ({ call }: Pick<TestApp, 'call'>, urgency: 'due' | 'now' = 'due') =>
  (await call('sync.run', { urgency, resources: ['dailies'] })).resources.dailies;
const asked = ({ service }: Pick<TestApp, 'service'>, from = 0): string[] =>
  service.requests.slice(from).map(({ path }) => path.replace('/api/v1/dailies', ''));
const saved = async ({ call }: TestApp): Promise<number> =>
  (await call('reports.index', { kind: 'daily' })).lines.filter(({ stored }) => stored).length;

/** An archive of 12 dailies, of which those that `fails` names fail. */
function openArchive(fails: (path: string) => boolean, fail: (response: ServerResponse) => void = FAILURES['a 500']) {
  return openTestApp({
    ...TWELVE_DAYS,
    intercept: (request, response) => {
      if (!/\/dailies\/\d/.test(request.url ?? '') || !fails(request.url ?? '')) return false;
      fail(response);
      return true;
    },
  });
}

describe('a report that fails', () => {
  it('in any way does not stop the others', async () => {
    const days = ['2026-03-04', '2026-03-02', '2026-02-28', '2026-02-26', '2026-02-24'];
    const ways = Object.values(FAILURES);
    // Three in a row would end the run.
    for (const some of [ways.slice(0, days.length), ways.slice(days.length)]) {
      const app = await openTestApp({
        ...TWELVE_DAYS,
        intercept: ({ url = '' }, response) => {
          const fail = some[days.findIndex((day) => url.endsWith(day))];
          fail?.(response);
          return fail !== undefined;
        },
      });
      expect(await dailies(app)).toMatchObject({ status: 'ok', added: 12 - some.length, skipped: some.length });
      expect(await saved(app)).toBe(12 - some.length);
    }
  });

  it('with all others of its kind makes the run fail, and not so once one is saved', async () => {
    let failing = /\/monthlies\/\d/;
    const app = await openTestApp({
      ...TWELVE_DAYS,
      intercept: (request) => {
        if (!failing.test(request.url ?? '')) return false;
        request.socket.resetAndDestroy();
        return true;
      },
    });
    const monthlies = async () =>
      (await app.call('sync.run', { urgency: 'now', resources: ['monthlies'] })).resources.monthlies;
    expect(await monthlies()).toMatchObject({ status: 'failed', added: 0, missed: 2, error: { code: 'unreachable' } });
    const monthly = (await app.call('reports.index', { kind: 'monthly' })).lines[0]!;
    failing = new RegExp(`/monthlies/${monthly.label}$`);
    app.clock.advance(HOUR);
    expect(await monthlies()).toMatchObject({ status: 'ok', added: 1, missed: 1 });
    app.clock.advance(HOUR);
    const again = await monthlies();
    expect(again).toMatchObject({ status: 'notModified', missed: 1 });
    expect(outcomeText(again)).toContain('1 could not be downloaded');
    expect(outcomeText(again)).not.toContain('invalid');
  });

  it('is tried again by itself, after a delay that grows, and saved once it works', async () => {
    let failing = true;
    const app = await openArchive((path) => failing && path.endsWith('2026-03-03'));
    await dailies(app);
    for (const minutes of [5, 10, 20]) {
      app.clock.advance((minutes - 1) * MINUTE);
      let from = app.service.requests.length;
      await app.call('sync.run', { urgency: 'permitted', resources: ['dailies'] });
      expect(asked(app, from)).not.toContain('/2026-03-03');
      app.clock.advance(MINUTE);
      const status = await app.call('sync.status', {});
      const { nextDueAt } = status.resources.find(({ name }) => name === 'dailies')!;
      expect(Date.parse(nextDueAt ?? '')).toBeLessThanOrEqual(app.clock.now());
      from = app.service.requests.length;
      await dailies(app);
      expect(asked(app, from)).toContain('/2026-03-03');
    }
    failing = false;
    app.clock.advance(40 * MINUTE);
    expect(await dailies(app)).toMatchObject({ added: 1, skipped: 0 });
    expect(await saved(app)).toBe(12);
  });

  it('keeps its delay after a restart', async () => {
    const app = await openTestApp({
      ...TWELVE_DAYS,
      folder: 'temporary',
      intercept: (request, response) => {
        if (!request.url?.endsWith('2026-03-03')) return false;
        response.writeHead(500).end();
        return true;
      },
    });
    await dailies(app);
    await app.reopen();
    const from = app.service.requests.length;
    app.clock.advance(4 * MINUTE);
    await dailies(app);
    expect(asked(app, from)).toEqual([]);
  });

  it('three times in a row ends the run, and the next one continues behind them', async () => {
    const app = await openArchive(
      (path) => path >= '/api/v1/dailies/2026-03-01' && path <= '/api/v1/dailies/2026-03-04',
    );
    // The newest one, then three failures.
    expect(await dailies(app)).toMatchObject({ status: 'failed', added: 1, error: { code: 'service_error' } });
    expect(asked(app)).toEqual(['', '/2026-03-05', '/2026-03-04', '/2026-03-03', '/2026-03-02']);
    app.clock.advance(40 * SECOND);
    const from = app.service.requests.length;
    expect(await dailies(app)).toMatchObject({ status: 'ok', added: 7, skipped: 1 });
    expect(asked(app, from).slice(0, 2)).toEqual(['/2026-03-01', '/2026-02-28']);
    expect(await saved(app)).toBe(8);
  });

  it('because the network is lost ends the run, once there is no connection any more', async () => {
    const app = await openArchive(
      (path) => path.endsWith('2026-03-03'),
      (response) => {
        response.destroy();
        void app.service.close();
      },
    );
    const lost = { status: 'failed', added: 2, skipped: 1, error: { code: 'unreachable', reason: 'refused' } };
    expect(await dailies(app)).toMatchObject(lost);
  });

  it('does not hold back the notifications of later ones for ever, and comes with one when it works', async () => {
    let failing = '2026-03-18';
    const app = await openTestApp({
      content: 'living',
      days: 3,
      start: '2026-03-17T06:00:00Z',
      intercept: (request, response) => {
        if (!failing || !request.url?.endsWith(`/dailies/${failing}`)) return false;
        response.writeHead(500).end();
        return true;
      },
    });
    await app.call('sync.run', { urgency: 'now' });
    app.core.start();
    await new Promise(setImmediate);
    await dailies(app, 'now');
    app.clock.advance(19 * HOUR);
    await dailies(app);
    expect(app.heard('notifications.raised')).toEqual([]);
    failing = '';
    app.clock.advance(HOUR);
    await dailies(app);
    expect(app.heard('notifications.raised').flatMap(({ notifications }) => notifications)).toMatchObject([
      { target: { view: 'report', kind: 'daily', label: '2026-03-18' } },
    ]);
  });
});

describe('a story that fails', () => {
  async function openStories(ids: string[], fails: (path: string) => boolean) {
    const scene = await openScene(ids);
    const { intercept } = scene.told;
    scene.told.intercept = (request, response) => {
      if (!/\/stories\//.test(request.url ?? '') || !fails(request.url ?? '')) return intercept(request, response);
      scene.told.asked.push({ path: request.url ?? '', ifNoneMatch: undefined, status: 0 });
      response.writeHead(500).end();
      return true;
    };
    return scene;
  }

  it('has its own delay, and does not make the resource fail once the others are saved', async () => {
    const { sync, asked, app } = await openStories(['a', 'b', 'c'], (path) => path.endsWith('/b'));
    await sync('due');
    asked();
    app.clock.advance(4 * MINUTE);
    expect(await sync('permitted')).toMatchObject({ status: 'notModified', skipped: 0 });
    expect(asked().sort()).toEqual(['a', 'c']);
    app.clock.advance(MINUTE);
    expect(await sync('permitted')).toMatchObject({ status: 'notModified', skipped: 1 });
    expect(asked()).toEqual(['a', 'c', 'b']);
    app.clock.advance(MINUTE);
    await sync('permitted');
    asked();
    await sync('now');
    expect(asked()).toContain('b');
  });
});
