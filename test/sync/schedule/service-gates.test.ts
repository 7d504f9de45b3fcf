import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { NEWS_RESOURCES } from '../../../src-main/contract/model/resource.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { modelRecords, refuse, startGateway } from '../../support/gateway.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { openTestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A service that answers every request, or those of some paths, with `status` and a Retry-After while `busy`. */
async function openBusy(status: 429 | 503, { folder }: { folder?: 'temporary' } = {}) {
  const state = { busy: null as RegExp | null, seconds: '600' };
  const app = await openTestApp({
    ...(folder && { folder }),
    intercept: (request, response) => {
      if (!state.busy?.test(request.url ?? '')) return false;
      response.writeHead(status, { 'retry-after': state.seconds }).end();
      return true;
    },
  });
  return { app, state };
}

const OTHERS: [string, (app: TestApp) => Promise<unknown>][] = [
  ['a manual refresh', (app) => app.reply('sync.run', { urgency: 'permitted' })],
  ['sync --all', (app) => app.reply('sync.run', { urgency: 'now' })],
  [
    'a search at the service',
    (app) => app.reply('items.searchOnline', { request: { mode: 'all', window: '7d', by: 'timeline' } }),
  ],
  ['the guide', (app) => app.reply('guide.open', {})],
  ['a test of the same address', (app) => app.reply('source.test', { address: app.service.newsAddress })],
  [
    'a story that is opened',
    async (app) => {
      const { topics } = await app.call('hotTopics.list', {});
      for (const { storyId } of topics) if (storyId) await app.reply('stories.open', { publicId: storyId });
    },
  ],
  [
    'a report that is opened',
    async (app) => {
      const { lines } = await app.call('reports.index', { kind: 'daily' });
      for (const { label } of lines.slice(0, 3)) await app.reply('reports.open', { kind: 'daily', label });
    },
  ],
];

describe.each([429, 503] as const)('a %d with Retry-After', (status) => {
  // Holds: news-8-rate-limits
  it('on a first sync is followed by no more than the requests already sent', async () => {
    const { app, state } = await openBusy(status);
    state.busy = /./;
    const { resources } = await app.call('sync.run', { urgency: 'now' });
    expect(app.service.requests.length).toBeLessThanOrEqual(4);
    expect(resources.items.status).toBe('failed');
    for (const name of NEWS_RESOURCES) expect(resources[name].permittedAt ?? resources[name].error?.code).toBeDefined();
  });

  // Holds: news-7-retry-after-least, news-7-retry-after-429, news-7-retry-after-503
  it('for one resource pauses all others, however they are requested, and no longer than that', async () => {
    const { app, state } = await openBusy(status);
    await app.call('sync.run', { urgency: 'now' });
    app.clock.advance(9 * HOUR);
    state.busy = /hot-topics/;
    await app.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    state.busy = null;
    const sent = app.service.requests.length;
    app.clock.advance(10 * MINUTE - 1);
    for (const [, ask] of OTHERS) await ask(app);
    expect(app.service.requests.length).toBe(sent);
    const { resources } = await app.call('sync.status', {});
    for (const name of NEWS_RESOURCES) {
      const { nextDueAt } = resources.find((resource) => resource.name === name)!;
      expect(Date.parse(nextDueAt ?? '')).toBeGreaterThan(app.clock.now());
    }
    app.clock.advance(1);
    for (const [what, ask] of OTHERS) {
      const before = app.service.requests.length;
      await ask(app);
      // A refresh that has just fetched everything leaves nothing for these.
      if (!['sync --all', 'a story that is opened', 'a report that is opened'].includes(what))
        expect(app.service.requests.length, what).toBeGreaterThan(before);
      app.clock.advance(6 * MINUTE);
    }
  });
});

describe('a pause of a service', () => {
  it('in response to whatever else was asked pauses the syncs, too', async () => {
    const { app, state } = await openBusy(429);
    await app.call('sync.run', { urgency: 'now' });
    for (const [what, ask] of OTHERS.slice(2)) {
      app.clock.advance(9 * HOUR);
      state.busy = /./;
      await ask(app);
      state.busy = null;
      const sent = app.service.requests.length;
      const { resources } = await app.call('sync.run', { urgency: 'now' });
      expect(app.service.requests.length, what).toBe(sent);
      for (const name of NEWS_RESOURCES) expect(resources[name].status, `${what}: ${name}`).toBe('notDue');
    }
  });

  it('is saved for the next process', async () => {
    const { app, state } = await openBusy(429, { folder: 'temporary' });
    state.busy = /\/items/;
    await app.reply('items.searchOnline', { request: { mode: 'all', window: '7d', by: 'timeline' } });
    state.busy = null;
    await app.reopen();
    const sent = app.service.requests.length;
    app.clock.advance(9 * MINUTE);
    const { resources } = await app.call('sync.run', { urgency: 'now' });
    expect(app.service.requests.length).toBe(sent);
    expect(resources.selected.permittedAt).toBe(new Date(app.clock.now() + MINUTE).toISOString());
    app.clock.advance(MINUTE);
    expect((await app.call('sync.run', { urgency: 'now' })).resources.selected.status).toBe('ok');
  });

  it.each([
    ['of a week is kept', String((7 * DAY) / 1000), 7 * DAY, /^(?!.*asked for a pause)/],
    ['of 3,170 years is one of a day, and the failure says so', '99999999999', DAY, /more than a week.*after a day/],
    ['until the year 9999 is one of a day', 'Fri, 31 Dec 9999 23:59:59 GMT', DAY, /more than a week.*after a day/],
  ])('%s', async (_, seconds, span, told) => {
    const { app, state } = await openBusy(503);
    Object.assign(state, { busy: /hot-topics/, seconds });
    const busy = await app.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    expect(busy.resources.hotTopics.error?.message).toMatch(told);
    state.busy = null;
    app.clock.advance(span - 1);
    expect((await app.call('sync.run', { urgency: 'now' })).resources.items.status).toBe('notDue');
    app.clock.advance(1);
    expect((await app.call('sync.run', { urgency: 'now' })).resources.items.status).toBe('ok');
  });

  // Holds: models-8-rate-limits
  it('of the news leaves the gateway alone, and the other way round', async () => {
    const clock = fakeClock();
    let busy = true;
    const service = await startDemoService({
      clock,
      content: { selected: 5 },
      intercept: (_, response) => {
        if (busy) response.writeHead(429, { 'retry-after': '600' }).end();
        return busy;
      },
    });
    onTestFinished(() => service.close());
    const gateway = await startGateway({ models: modelRecords(3), embeddings: modelRecords(2) });
    const room = openTestEngine({
      address: service.newsAddress,
      clock,
      folder: temporaryFolder(),
      gateway: gateway.asked(),
    });
    const sync = async () => (await room.call('sync.run', { urgency: 'now' })).resources;
    expect(await sync()).toMatchObject({ models: { status: 'ok' }, embeddings: { status: 'ok' } });
    expect(await sync()).toMatchObject({ items: { status: 'notDue' }, models: { status: 'notModified' } });
    clock.advance(10 * MINUTE);
    busy = false;
    gateway.intercept = (_, response) => {
      refuse(response, 429, 'Slow down', 600);
      return true;
    };
    await room.call('sync.run', { urgency: 'now', resources: ['models'] });
    gateway.intercept = null;
    const sent = gateway.requests.length;
    expect(await sync()).toMatchObject({ items: { status: 'ok' }, embeddings: { status: 'notDue' } });
    expect(await room.call('gateway.test', { address: gateway.address }).catch(String)).toMatch(
      /Too many requests|too many/i,
    );
    expect(gateway.requests.length).toBe(sent);
  });
});
