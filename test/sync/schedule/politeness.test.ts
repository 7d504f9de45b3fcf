import { expect, it } from 'vitest';
import { REPORT_KINDS } from '../../../src-main/contract/model/report.ts';
import type { OnlineSearch } from '../../../src-main/contract/model/item.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { fakeClock } from '../../support/clock.ts';
import { Observed, brokenFloors, resourceOf } from '../../support/observed.ts';

const MINUTE = 60_000;

const SEARCHES: OnlineSearch[] = [
  { mode: 'all', window: '7d', by: 'published' },
  { mode: 'selected', window: '24h', by: 'timeline', category: 'paper' },
  { mode: 'all', window: '7d', by: 'timeline', q: '  模型 & ?limit=\0 ' },
  { mode: 'all', window: '7d', by: 'timeline', q: '   ' },
];

/** Everything by which this app sends something to its service. A refusal is as good as an answer here. */
async function doEverything(app: TestApp): Promise<void> {
  for (const urgency of ['due', 'permitted', 'now'] as const) {
    await app.reply('sync.run', { urgency });
    app.clock.advance(6 * MINUTE);
  }
  const { topics } = await app.call('hotTopics.list', {});
  expect(topics.some(({ storyId }) => storyId !== null)).toBe(true);
  for (const { storyId } of topics) {
    if (storyId === null) continue;
    await app.reply('stories.follow', { publicId: storyId, follow: true });
    const opened = await app.call('stories.open', { publicId: storyId });
    const neighbours = [...opened.storyline, ...opened.related];
    for (const { publicId } of neighbours) await app.reply('stories.open', { publicId });
  }
  for (const publicId of ['made-up', '..', '%2e%2e', '?limit=', 'latest', ' ']) {
    await app.reply('stories.open', { publicId });
    await app.reply('stories.follow', { publicId, follow: true });
  }
  for (const kind of REPORT_KINDS) {
    const { lines } = await app.call('reports.index', { kind });
    for (const { label } of lines.slice(0, 3)) await app.reply('reports.open', { kind, label });
    for (const label of ['2019-01-01', '2019-W01', '2019-01']) await app.reply('reports.open', { kind, label });
  }
  for (const request of SEARCHES) {
    const found = await app.reply('items.searchOnline', { request });
    const cursor = found.ok ? found.value.next : null;
    if (cursor) await app.reply('items.searchOnline', { request, cursor });
  }
  await app.reply('guide.open', {});
  for (const { id } of app.service.control.allItems().slice(0, 2)) app.service.control.withdraw(id);
  app.service.control.requireSnapshot();
  app.clock.advance(31 * MINUTE);
  await app.reply('sync.run', { urgency: 'due' });
  app.clock.advance(24 * 60 * MINUTE);
  await app.reply('sync.run', { urgency: 'permitted' });
}

// Holds: news-1-no-guessed-labels, news-4.2-no-parameters, news-4.3-public-id-returned, news-4.7-month
it('no request carries an empty, unknown or repeated parameter, a guessed label, or an id that no answer gave', async () => {
  let observed: Observed | null = null;
  const app = await openTestApp({
    content: 'living',
    days: 3,
    intercept: (request, response) => {
      observed ??= new Observed(app.clock);
      observed.watch(request, response);
      return false;
    },
  });
  await doEverything(app);
  const { requests, breaches } = observed as unknown as Observed;
  expect(breaches).toEqual([]);
  const asked = new Set(requests.map(resourceOf));
  const all = ['items', 'selected', 'hotTopics', 'stories', 'dailies', 'weeklies', 'monthlies', 'agent'];
  expect(all.filter((name) => !asked.has(name))).toEqual([]);
  expect(requests.filter(({ status }) => status === 400 || status === 404)).toEqual([]);
});

it('the watch over requests sees what is impolite', async () => {
  const clock = fakeClock();
  const observed = new Observed(clock);
  const app = await openTestApp({
    intercept: (request, response) => {
      observed.watch(request, response);
      return false;
    },
  });
  const ask = (path: string): Promise<Response> => fetch(`${app.service.newsAddress}/api/v1/${path}`);
  const impolite: [string, RegExp][] = [
    ['items?limit=', /an empty parameter limit/],
    ['items?_=1', /an unknown parameter _/],
    ['items?limit=1&limit=2', /a repeated parameter/],
    ['dailies/2026-03-17', /a key that no answer held/],
    ['stories/made-up', /a key that no answer held/],
    ['nowhere', /no such address/],
  ];
  for (const [path, words] of impolite) {
    observed.breaches.length = 0;
    await ask(path);
    expect(observed.breaches).toEqual([expect.stringMatching(words)]);
  }
  observed.breaches.length = 0;
  await ask('hot-topics');
  await ask('dailies?limit=1');
  await ask('dailies/2026-03-18');
  expect(observed.breaches).toEqual([]);
  expect(brokenFloors(observed.requests)).toEqual([]);
  await ask('hot-topics');
  expect(brokenFloors(observed.requests)).toEqual([expect.stringContaining('hot-topics?: 60 s too soon')]);
});
