import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Everything that the service offers, as a reader of it would use it. */
async function readEverything({ call }: TestApp): Promise<void> {
  await call('sync.run', { urgency: 'now' });
  const { topics } = await call('hotTopics.list', {});
  const ids = topics.flatMap(({ storyId }) => storyId ?? []);
  expect(ids.length).toBeGreaterThan(0);
  for (const publicId of ids) await call('stories.open', { publicId });
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    const { lines } = await call('reports.index', { kind });
    expect(lines.length).toBeGreaterThan(0);
    await call('reports.open', { kind, label: lines.at(-1)!.label });
  }
  await call('items.searchOnline', { request: { mode: 'all', window: '7d', by: 'published' } });
  await call('guide.open', {});
}

const pathOf = ({ url }: IncomingMessage): string => (url ?? '').split('?')[0] ?? '';

// Holds: news-0-scope, news-1-json-over-get, news-1-read-only-anonymous, news-1-no-push, news-1-accept-encoding
// Holds: news-4-get-without-body, news-4-user-agent, news-4.2-no-html-request, news-5-no-key, news-5-read-only
// Holds: news-6-no-events, news-9-prefix
// Holds: news-1-always-conditional, news-6-conditional-polling
it('every request to the news service is an anonymous GET below /api/v1, and conditional once its answer is saved', async () => {
  const requests: IncomingMessage[] = [];
  const app = await openTestApp({
    // So that there is a monthly report.
    content: { selected: 200, unselected: 100, days: 50 },
    intercept: (request) => {
      requests.push(request);
      return false;
    },
  });
  await readEverything(app);
  expect(new Set(requests.map((request) => pathOf(request).split('/')[3]))).toEqual(
    new Set(['items', 'selected', 'hot-topics', 'stories', 'dailies', 'weeklies', 'monthlies', 'agent']),
  );
  for (const request of requests) {
    const { method, headers } = request;
    expect([method, pathOf(request)]).toEqual(['GET', expect.stringMatching(/^\/api\/v1\/[a-z]/)]);
    expect(headers['user-agent']).toMatch(/^Broadsheet\/1\.2\.3 /);
    expect(headers['accept-encoding']).toMatch(/\bgzip\b.*\bbr\b/);
    // A stream of events is asked for by its type; a body has a length or is sent in chunks.
    expect(headers.accept).toBe(pathOf(request) === '/api/v1/agent' ? 'text/markdown' : 'application/json');
    for (const name of ['authorization', 'cookie', 'content-length', 'transfer-encoding', 'upgrade'])
      expect(headers).not.toHaveProperty(name);
  }
  // The second time, the changes are asked for from where the snapshot ended.
  await readEverything(app);
  requests.length = 0;
  const from = app.service.requests.length;
  await app.call('sync.run', { urgency: 'now' });
  expect(requests.length).toBeGreaterThan(50);
  expect(requests.filter(({ headers }) => headers['if-none-match'] === undefined).map(({ url }) => url)).toEqual([]);
  expect(new Set(app.service.requests.slice(from).map(({ status }) => status))).toEqual(new Set([304]));
});

// Holds: news-1-snapshot-once, news-4.1-no-complete-copy, news-4.7-snapshot, news-4.7-changes
it('the set is read by one snapshot, and from then on by its changes alone, also after weeks and a restart', async () => {
  const app = await openTestApp({ content: { selected: 700, days: 5 }, folder: 'temporary' });
  const asked = () => app.service.requests.filter(({ path }) => path.includes('/selected/')).map(({ path }) => path);
  await app.call('sync.run', { urgency: 'due' });
  const snapshot = asked().filter((path) => path.endsWith('/snapshot')).length;
  expect(snapshot).toBeGreaterThan(0);
  app.clock.advance(21 * 24 * HOUR);
  await app.reopen();
  app.service.control.addItem({ title: 'After weeks' });
  expect(await app.call('sync.run', { urgency: 'due', resources: ['selected'] })).toMatchObject({
    resources: { selected: { status: 'ok', added: 1 } },
  });
  expect(asked().filter((path) => path.endsWith('/snapshot'))).toHaveLength(snapshot);
  expect(asked().at(-1)).toMatch(/\/changes$/);
});
