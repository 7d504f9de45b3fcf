import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../src-main/contract/events.ts';
import type { Json } from '../../../src-main/contract/model/model.ts';
import type { ResourceName } from '../../../src-main/contract/model/resource.ts';
import { modelRecords } from '../../support/gateway.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { report, topic } from '../../support/told-stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LABEL = '2026-03-18';
const PARTS = 9;

/** One document of each kind, made of parts that can be counted. */
interface Kind {
  resource: ResourceName;
  event: EventName;
  path: string;
  /** Other answers without which it is not requested. */
  around: Record<string, Json>;
  body(parts: Json[]): Json;
  part(n: number): Json;
  saved(app: TestApp): Promise<number>;
  open?(app: TestApp): Promise<unknown>;
  goneAt?(app: TestApp): Promise<string | null>;
}

const KINDS = {
  'the hot topics': {
    resource: 'hotTopics',
    event: 'hotTopics.changed',
    path: '/api/v1/hot-topics',
    around: {},
    body: (items) => ({ count: items.length, items }),
    part: (n) => topic(n, `t${n}`),
    saved: async ({ call }) => (await call('hotTopics.list', {})).topics.length,
  },
  'a story': {
    resource: 'stories',
    event: 'stories.changed',
    path: '/api/v1/stories/s',
    around: { '/api/v1/hot-topics': { count: 1, items: [topic(1, 'a', { story: 's' })] } },
    body: (reports) => ({ story: { publicId: 's', title: 'A story', status: 'active', reports } }),
    part: (n) => report(`r${n}`),
    saved: async ({ call }) => (await call('stories.get', { publicId: 's' })).reports.length,
    open: ({ call }) => call('stories.open', { publicId: 's' }),
    goneAt: async ({ call }) => (await call('stories.get', { publicId: 's' })).goneAt,
  },
  'a report': {
    resource: 'dailies',
    event: 'reports.changed',
    path: `/api/v1/dailies/${LABEL}`,
    around: { '/api/v1/dailies': { count: 1, items: [{ date: LABEL, generatedAt: `${LABEL}T00:00:00Z` }] } },
    body: (items) => ({ report: { date: LABEL, sections: [{ label: 'All', items }], flashes: [] } }),
    part: (n) => ({ title: `Title ${n}`, source: { name: 'A' }, links: { original: `https://example.org/${n}` } }),
    saved: async ({ call }) => (await call('reports.get', { kind: 'daily', label: LABEL })).sections[0]!.items.length,
    open: ({ call }) => call('reports.open', { kind: 'daily', label: LABEL }),
    goneAt: async ({ call }) => (await call('reports.get', { kind: 'daily', label: LABEL })).goneAt,
  },
  'a model list': {
    resource: 'embeddings',
    event: 'models.changed',
    path: '/api/v1/embeddings/models',
    around: {},
    body: (data) => ({ data, total_count: data.length }),
    part: (n) => modelRecords(PARTS)[n - 1] as Json,
    saved: async ({ call }) => (await call('models.list', { modelList: 'embeddings' })).lines.length,
  },
} satisfies Record<string, Kind>;

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

async function openScene(kind: Kind) {
  const parts = (from: number, to: number): Json[] =>
    Array.from({ length: to - from + 1 }, (_, index) => kind.part(from + index));
  const serve =
    (body: Json): Respond =>
    (response, request) => {
      const text = JSON.stringify(body);
      const etag = `W/"${createHash('sha1').update(text).digest('hex')}"`;
      const headers = { etag, 'cache-control': 's-maxage=60' };
      if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
      else response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(text);
    };
  const problem =
    (status: number, headers: Record<string, string> = {}): Respond =>
    (response) => {
      response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
      response.end(JSON.stringify({ status, ...(status === 404 && { code: 'not_found' }) }));
    };
  const scene = { respond: serve(kind.body(parts(1, PARTS))) };
  const app = await openTestApp({
    content: { selected: 1 },
    folder: 'temporary',
    gateway: ({ modelsAddress }) => ({ address: modelsAddress, demo: false, from: 'settings' }),
    intercept: (request, response) => {
      const path = request.url?.replace(/\?.*/, '') ?? '';
      const around = kind.around[path];
      const respond = path === kind.path ? scene.respond : around === undefined ? problem(404) : serve(around);
      respond(response, request);
      return true;
    },
  });
  const sync = async () => {
    app.clock.advance(2 * MINUTE);
    const resources = Object.keys(kind.around).some((path) => path.endsWith('hot-topics'))
      ? (['hotTopics', kind.resource] as ResourceName[])
      : [kind.resource];
    return (await app.call('sync.run', { urgency: 'now', resources })).resources[kind.resource];
  };
  let looked = 0;
  const statuses = (): (number | undefined)[] => {
    const asked = app.service.requests.slice(looked);
    looked = app.service.requests.length;
    return asked.filter(({ path }) => path === kind.path).map(({ status }) => status);
  };
  const reply = (respond: Respond): void => void (scene.respond = respond);
  const serving = (list: Json[]): Respond => serve(kind.body(list));
  const replyWith = (list: Json[]): void => reply(serving(list));
  const first = await sync();
  const before = app.heard(kind.event).length;
  const announced = (): number => app.heard(kind.event).length - before;
  const saved = () => kind.saved(app);
  return { app, sync, statuses, reply, serving, replyWith, parts, problem, first, before, announced, saved };
}

describe.each(Object.entries(KINDS) as [string, Kind][])('%s', (name, kind) => {
  const isRecord = name === 'a story' || name === 'a report';
  /** A failure of one record is told as missed; the run goes on unless it was the only one without a saved copy. */
  const failed = isRecord ? { missed: 1 } : { status: 'failed' };

  // Holds: news-1-revalidate-editions
  it('that is unchanged costs a 304, also after a restart', async () => {
    const { app, sync, statuses, saved, announced } = await openScene(kind);
    statuses();
    expect(await sync()).toMatchObject({ status: 'notModified' });
    await app.reopen();
    expect(await sync()).toMatchObject({ status: 'notModified' });
    expect(statuses()).toEqual([304, 304]);
    expect(announced()).toBe(0);
    expect(await saved()).toBe(PARTS);
  });

  it('that lost all but two parts is believed at once, if these are no members or stories of a report', async () => {
    const { sync, replyWith, parts, saved } = await openScene(kind);
    replyWith(parts(1, 2));
    await sync();
    const isBelieved = name === 'the hot topics' || name === 'a story';
    expect(await saved()).toBe(isBelieved ? 2 : PARTS);
  });

  it('without any part waits for a later answer, which confirms it unless it is a list of models', async () => {
    const { app, sync, replyWith, saved, announced } = await openScene(kind);
    replyWith([]);
    for (let n = 0; n < 2; n += 1) expect(await sync()).toMatchObject({ added: 0, revised: 0, withdrawn: 0 });
    expect(await saved()).toBe(PARTS);
    expect(announced()).toBe(0);
    await app.reopen();
    app.clock.advance(20 * MINUTE);
    await sync();
    expect(await saved()).toBe(name === 'a model list' ? PARTS : 0);
  });

  it('without any part is no longer doubted when "not modified" has come in between', async () => {
    const { app, sync, replyWith, parts, saved } = await openScene(kind);
    for (let n = 0; n < 3; n += 1) {
      replyWith([]);
      await sync();
      replyWith(parts(1, PARTS));
      await sync();
      app.clock.advance(20 * MINUTE);
    }
    expect(await saved()).toBe(PARTS);
  });

  it('whose parts are all unreadable replaces nothing, however often it comes', async () => {
    const { app, sync, replyWith, saved } = await openScene(kind);
    replyWith(Array.from({ length: PARTS }, () => 7));
    for (let n = 0; n < 3; n += 1) {
      expect(await sync()).toMatchObject({ revised: 0, withdrawn: 0 });
      app.clock.advance(20 * MINUTE);
    }
    expect(await saved()).toBe(PARTS);
  });

  // One kind of document is tried with each failure, in one-failure.test.ts.
  it('that is answered with broken JSON stays as it was, and is whole again with the next answer', async () => {
    const { app, sync, reply, replyWith, parts, saved } = await openScene(kind);
    reply((response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"story":'));
    expect(await sync()).toMatchObject(failed);
    expect(await saved()).toBe(PARTS);
    replyWith(parts(2, PARTS));
    app.clock.advance(HOUR);
    expect(await sync()).toMatchObject({ status: 'ok' });
    expect(await saved()).toBe(PARTS - 1);
  });

  it('that is answered with a 429 is not requested until its Retry-After has passed', async () => {
    const { app, sync, reply, replyWith, parts, problem, saved, statuses } = await openScene(kind);
    reply(problem(429, { 'retry-after': '600' }));
    expect(await sync()).toMatchObject({ status: 'failed', error: { code: 'rate_limited' } });
    statuses();
    replyWith(parts(2, PARTS));
    expect(await sync()).toMatchObject({ status: 'notDue' });
    await kind.open?.(app);
    expect(statuses()).toEqual([]);
    expect(await saved()).toBe(PARTS);
    app.clock.advance(10 * MINUTE);
    await sync();
    expect(await saved()).toBe(PARTS - 1);
  });

  // Holds: news-4.3-unavailable
  it('that is not found stays readable, and is told as gone once if it may be gone', async () => {
    const { app, sync, reply, replyWith, parts, problem, saved, statuses, announced } = await openScene(kind);
    reply(problem(404));
    // In the result of a sync, only a story counts as withdrawn.
    const withdrawn = name === 'a story' ? 1 : 0;
    expect(await sync()).toMatchObject({ status: isRecord ? 'ok' : 'failed', withdrawn });
    expect(await saved()).toBe(PARTS);
    if (!kind.goneAt) return;
    expect(await kind.goneAt(app)).not.toBeNull();
    expect(await sync()).toMatchObject({ status: 'notModified' });
    expect(announced()).toBe(1);
    replyWith(parts(1, PARTS));
    statuses();
    expect(await sync()).toMatchObject({ status: 'ok', revised: 1 });
    // The ETag went with the 404.
    expect(statuses()).toEqual([200]);
    expect(await kind.goneAt(app)).toBeNull();
  });

  it('is requested once for all who want it at the same time', async () => {
    const { app, sync, reply, serving, parts, saved, statuses, announced } = await openScene(kind);
    statuses();
    const [asked, answered] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    reply((...exchange) => {
      asked.resolve(null);
      void answered.promise.then(() => serving(parts(2, PARTS))(...exchange));
    });
    const runs = [sync(), sync()];
    await asked.promise;
    const opened = [kind.open?.(app), kind.open?.(app)];
    await new Promise(setImmediate);
    answered.resolve(null);
    await Promise.all([...runs, ...opened]);
    expect(statuses()).toEqual([200]);
    expect(announced()).toBe(1);
    expect(await saved()).toBe(PARTS - 1);
  });
});
