import { describe, expect, it, onTestFinished } from 'vitest';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { startFaultyService, type FaultKind, type FaultOptions } from '../support/faults.ts';
import { openHouse, type House } from '../support/house.ts';
import { neighbor, report, toldStories, topic, type ToldStories } from '../support/told_stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Scene {
  house: House;
  told: ToldStories;
  /** Asks for hot topics and stories. */
  sync(urgency?: 'due' | 'permitted' | 'now'): Promise<Awaited<ReturnType<House['call']>>>;
  open(publicId: string): ReturnType<typeof open>;
  /** Paths of stories that were asked for since the last look here. */
  asked(): string[];
}

const open = ({ call }: House, publicId: string) => call('stories.open', { publicId });

/** A service whose ranking links to these stories. */
async function openScene(hot: string[], options: Parameters<typeof openHouse>[0] = {}): Promise<Scene> {
  const told = toldStories();
  const house = await openHouse({ content: { selected: 1 }, intercept: told.intercept, ...options });
  told.rank(hot.map((story, index) => topic(index + 1, `item-${index}`, { story })));
  for (const id of hot) told.tell(id);
  let looked = 0;
  return {
    house,
    told,
    sync: async (urgency = 'now') => {
      const { resources } = await house.call('sync.run', { urgency, resources: ['hotTopics', 'stories'] });
      return resources.stories as never;
    },
    open: (publicId) => open(house, publicId),
    asked: () => {
      const paths = told.asked.slice(looked).map(({ path }) => path);
      looked = told.asked.length;
      return paths.filter((path) => path.includes('/stories/')).map((path) => path.replace('/api/v1/stories/', ''));
    },
  };
}

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => (error instanceof BroadsheetError ? error.code : error),
  );

describe('a story (document 1 section 4.3)', { timeout: 60_000 }, () => {
  it('comes across field by field, unknown ones too', async () => {
    const { house, told, sync } = await openScene(['s']);
    const served = told.tell('s', {
      reports: [
        report('r2', { publishedAt: '2026-03-18T06:00:00Z', source: { name: 'B', firstParty: true, tier: 1 } }),
        report('r1', { summary: 'A summary', confidence: 0.5 }),
      ],
      storyline: [neighbor('before', { relation: 'earlier', weight: 3 })],
      related: [neighbor('beside')],
      mood: { calm: true },
    });
    expect(await sync()).toMatchObject({ status: 'ok', requests: 1, added: 1, skipped: 0 });
    const { mood, ...known } = served;
    const extra = {};
    expect(await house.call('stories.get', { publicId: 's' })).toEqual({
      ...known,
      reports: [
        {
          ...report('r2', { publishedAt: '2026-03-18T06:00:00Z', source: { name: 'B', firstParty: true, tier: 1 } }),
          extra,
        },
        { ...report('r1', { summary: 'A summary' }), extra: { confidence: 0.5 } },
      ],
      storyline: [{ ...neighbor('before', { relation: 'earlier' }), extra: { weight: 3 } }],
      related: [{ ...neighbor('beside'), extra }],
      extra: { mood },
      fetchedAt: new Date(house.clock.now()).toISOString(),
      goneAt: null,
      followedAt: null,
      starredAt: null,
      fresh: { reportIds: [], digest: false },
    });
  });

  it('shows its reports newest first, also where they come in another order', async () => {
    const { told, sync, open } = await openScene(['s']);
    const at = (id: string, publishedAt: string | null) => report(id, { publishedAt });
    told.tell('s', { reports: [at('b', '2026-03-17T00:00:00Z'), at('d', null), at('a', '2026-03-18T00:00:00+08:00')] });
    await sync();
    expect((await open('s')).reports.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
  });

  it('loses no more than the report or the neighbour that cannot be read', async () => {
    const { told, sync, open } = await openScene(['s']);
    told.tell('s', {
      reports: [null, { id: 'no-title' }, report('r1'), 7],
      storyline: [neighbor('x'.repeat(129)), neighbor(''), neighbor('fine')],
      related: 'not a list',
      digest: 7,
      links: null,
    });
    expect(await sync()).toMatchObject({ status: 'ok', added: 1, skipped: 5 });
    const story = await open('s');
    expect(story.reports.map(({ id }) => id)).toEqual(['r1']);
    expect(story.storyline.map(({ publicId }) => publicId)).toEqual(['fine']);
    expect(story).toMatchObject({ related: [], digest: null, links: { aihot: null } });
  });

  it('keeps a status that no document names', async () => {
    const { told, sync, open } = await openScene(['s']);
    told.tell('s', { status: 'dormant' });
    await sync();
    expect(await open('s')).toMatchObject({ status: 'dormant' });
  });

  it('is asked for under its id percent-encoded, of 1 to 128 characters', async () => {
    const ids = ['a b/c?d#e', '推理', 'x'.repeat(128), '100%'];
    const { sync, asked, house } = await openScene([...ids, 'y'.repeat(129)]);
    expect(await sync()).toMatchObject({ status: 'ok', requests: 4, added: 4 });
    expect(asked().sort()).toEqual(ids.map(encodeURIComponent).sort());
    expect((await house.call('stories.list', { which: 'hot' })).stories).toHaveLength(4);
  });

  it.each([
    ['a query and a fragment', 'https://service.example/stories/s?from=/other#top/x'],
    ['a slash at its end', 'https://service.example/stories/s/'],
    ['another host and a deeper path', 'http://pages.example/a/b/c/s'],
  ])('is found through an address with %s', async (_, story) => {
    const { told, sync, asked } = await openScene([]);
    told.tell('s');
    told.rank([topic(1, 'a', { links: { story } })]);
    await sync();
    expect(asked()).toEqual(['s']);
  });

  it.each([
    ['nothing', ''],
    ['no address', 'stories/s'],
    ['no page', 'mailto:s@example.org'],
    ['no path', 'https://service.example'],
    ['a broken escape', 'https://service.example/stories/%E0%A4%A'],
    ['an id of 129 characters', `https://service.example/stories/${'x'.repeat(129)}`],
  ])('is not asked for where the link has %s', async (_, story) => {
    const { told, sync, asked, house } = await openScene([]);
    told.rank([topic(1, 'a', { links: { story } })]);
    await sync();
    expect(asked()).toEqual([]);
    expect((await house.call('hotTopics.list', {})).topics).toMatchObject([{ storyId: null, links: { story } }]);
  });

  it('takes its id from the address where the answer does not say it', async () => {
    const { told, sync, open } = await openScene(['s']);
    told.tell('s', { publicId: null });
    await sync();
    expect(await open('s')).toMatchObject({ publicId: 's' });
  });
});

describe('stories that are kept', { timeout: 60_000 }, () => {
  it('are those of the ranking that came in the same round, one request each', async () => {
    const { sync, asked, house } = await openScene(['a', 'b', 'c']);
    expect(await sync('due')).toMatchObject({ status: 'ok', requests: 3, added: 3 });
    expect(asked().sort()).toEqual(['a', 'b', 'c']);
    const { stories } = await house.call('stories.list', { which: 'all' });
    expect(stories.map(({ publicId, hot }) => [publicId, hot]).sort()).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
  });

  it('are asked for again only when the lifetime of what is stored has run out, with its ETag', async () => {
    const { told, sync, asked, house } = await openScene(['a']);
    await sync();
    asked();
    house.clock.advance(59_000);
    expect(await sync('permitted')).toMatchObject({ status: 'notModified', requests: 0 });
    house.clock.advance(1_000);
    expect(await sync('permitted')).toMatchObject({ status: 'notModified', requests: 1 });
    expect(told.asked.at(-1)).toMatchObject({ status: 304, ifNoneMatch: expect.stringMatching(/^W\/"/) as string });
    house.clock.advance(59_000);
    expect(await sync('permitted')).toMatchObject({ requests: 0 });
    expect(await sync('now')).toMatchObject({ requests: 1 });
  });

  it('are told as revised when they changed, and heard of', async () => {
    const { told, sync, house } = await openScene(['a']);
    await sync();
    told.tell('a', { latest: 'Newer.' });
    expect(await sync()).toMatchObject({ status: 'ok', revised: 1 });
    expect(house.heard('stories.changed')).toEqual([{ publicIds: ['a'] }, { publicIds: ['a'] }]);
    expect(await house.call('stories.get', { publicId: 'a' })).toMatchObject({ latest: 'Newer.' });
  });

  it('are not revised where only the address of the API is another one', async () => {
    const { told, sync } = await openScene(['a']);
    const at = (port: number) => [neighbor('b', { links: { aihot: null, api: `http://127.0.0.1:${port}/b` } })];
    told.tell('a', { related: at(1) });
    await sync();
    told.tell('a', { related: at(2) });
    expect(await sync()).toMatchObject({ status: 'notModified', requests: 1, revised: 0 });
    told.tell('a', { storyline: at(2), related: [] });
    expect(await sync()).toMatchObject({ revised: 1 });
  });

  it('rest for an hour once they are settled, save for a reader who asks', async () => {
    const { told, sync, house } = await openScene(['a']);
    told.tell('a', { status: 'settled' });
    await sync('due');
    house.clock.advance(59 * MINUTE);
    expect(await sync('due')).toMatchObject({ requests: 0 });
    expect(await sync('permitted')).toMatchObject({ requests: 1 });
    house.clock.advance(61 * MINUTE);
    expect(await sync('due')).toMatchObject({ requests: 1 });
  });

  it('are at most twenty a round, the longest unasked first', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const { sync, asked, house } = await openScene(ids);
    expect(await sync()).toMatchObject({ added: 20 });
    const first = asked();
    house.clock.advance(HOUR);
    expect(await sync()).toMatchObject({ added: 10 });
    expect(new Set([...first, ...asked()]).size).toBe(30);
  });

  it('of the demo service come across whole, with merged ones under the id that lives on', async () => {
    const { house, sync } = await openScene([], { content: 'living', intercept: () => false });
    await sync();
    const { stories } = await house.call('stories.list', { which: 'hot' });
    expect(stories.length).toBeGreaterThan(0);
    for (const { publicId } of stories) {
      const answer = await fetch(`${house.service.newsAddress}/api/v1/stories/${publicId}`);
      const { story } = (await answer.json()) as {
        story: { reports: object[]; storyline: object[]; related: object[] };
      };
      const plain = (list: object[]) => list.map((one) => ({ ...one, extra: {} }));
      expect(await house.call('stories.get', { publicId })).toMatchObject({
        ...story,
        reports: plain(story.reports),
        storyline: plain(story.storyline),
        related: plain(story.related),
      });
    }
  });

  it('all open with the service gone, after a restart too', async () => {
    const { house, sync, open } = await openScene(['a', 'b'], { folder: 'temporary' });
    await sync();
    await house.service.close();
    house.clock.advance(DAY);
    expect(await open('a')).toMatchObject({ title: 'Story a' });
    await house.reopen();
    expect(await open('b')).toMatchObject({ title: 'Story b' });
  });

  it('go 30 days after they were fetched where nobody follows, starred or sees them ranked', async () => {
    const { house, told, sync, open } = await openScene(['hot', 'followed', 'starred', 'plain']);
    await sync();
    await house.call('stories.follow', { publicId: 'followed', follow: true });
    await house.call('stories.star', { publicId: 'starred', star: true });
    told.rank([topic(1, 'x', { story: 'hot' })]);
    house.clock.advance(30 * DAY);
    await sync();
    expect(await open('plain')).toBeDefined();
    house.clock.advance(30 * DAY + 1);
    told.refuse({ status: 503 });
    await sync();
    told.refuse(null);
    await sync();
    const { stories } = await house.call('stories.list', { which: 'all' });
    expect(stories.map(({ publicId }) => publicId).sort()).toEqual(['followed', 'hot', 'starred']);
  });

  it('that cannot be read are skipped and told, and keep nobody else from being asked for', async () => {
    const { house, told, sync } = await openScene(['bad', 'good']);
    told.tell('bad', { title: null });
    expect(await sync()).toMatchObject({ status: 'ok', added: 1, skipped: 1, requests: 2 });
    expect(await failureOf(house.call('stories.get', { publicId: 'bad' }))).toBe('not_found');
    told.lose('good');
    told.tell('good', { title: 7 });
    expect(await sync()).toMatchObject({ status: 'failed', error: { code: 'invalid_body' } });
    expect(await house.call('stories.get', { publicId: 'good' })).toMatchObject({ title: 'Story good' });
  });

  it('are left in peace for as long as a Retry-After says', async () => {
    const { house, told, sync, asked, open } = await openScene(['a', 'b']);
    await sync();
    told.refuse({ status: 503, retryAfter: 600 });
    house.clock.advance(2 * MINUTE);
    expect(await sync()).toMatchObject({ status: 'failed', requests: 1, error: { code: 'temporarily_unavailable' } });
    asked();
    told.refuse(null);
    expect(await sync()).toMatchObject({ status: 'notDue' });
    expect(await open('a')).toMatchObject({ title: 'Story a' });
    expect(asked()).toEqual([]);
    house.clock.advance(10 * MINUTE);
    expect(await sync()).toMatchObject({ status: 'notModified', requests: 2 });
  });
});

describe('opening a story', { timeout: 60_000 }, () => {
  it('asks for one that the service named as a neighbour, and shows it', async () => {
    const { told, sync, open, asked } = await openScene(['a']);
    told.tell('a', { storyline: [neighbor('line')], related: [neighbor('rel')] });
    told.tell('line');
    told.tell('rel', { related: [neighbor('further')] });
    told.tell('further');
    await sync();
    asked();
    for (const id of ['line', 'rel', 'further']) expect(await open(id)).toMatchObject({ publicId: id });
    expect(asked()).toEqual(['line', 'rel', 'further']);
  });

  it('never asks for an id that the service did not give', async () => {
    const { told, sync, open, asked, house } = await openScene(['a']);
    told.tell('guessed');
    await sync();
    asked();
    expect(await failureOf(open('guessed'))).toBe('not_found');
    expect(await failureOf(house.call('stories.follow', { publicId: 'guessed', follow: true }))).toBe('not_found');
    expect(await failureOf(house.call('stories.star', { publicId: 'guessed', star: true }))).toBe('not_found');
    expect(asked()).toEqual([]);
  });

  it('asks nothing while what is stored is still good', async () => {
    const { sync, open, asked, house } = await openScene(['a']);
    await sync();
    asked();
    await open('a');
    house.clock.advance(MINUTE);
    await open('a');
    await open('a');
    expect(asked()).toEqual(['a']);
  });

  it('by several at once asks once', async () => {
    const { told, sync, open, asked } = await openScene(['a']);
    told.tell('a', { related: [neighbor('b')] });
    told.tell('b');
    await sync();
    asked();
    await Promise.all([open('b'), open('b'), open('b')]);
    expect(asked()).toEqual(['b']);
  });

  it('that is not stored fails as the service does', async () => {
    const { told, sync, open } = await openScene(['a']);
    told.tell('a', { related: [neighbor('b')] });
    await sync();
    told.refuse({ status: 503 });
    expect(await failureOf(open('b'))).toBe('temporarily_unavailable');
  });

  it('keeps the rounds from asking too, where the service asks for patience', async () => {
    const { told, sync, open, asked, house } = await openScene(['a']);
    await sync();
    house.clock.advance(2 * MINUTE);
    told.refuse({ status: 503, retryAfter: 300 });
    expect(await open('a')).toMatchObject({ publicId: 'a' });
    asked();
    expect(await sync()).toMatchObject({ status: 'notDue' });
    expect(asked()).toEqual([]);
  });
});

describe('a story that was merged into another (308)', { timeout: 60_000 }, () => {
  /** `old` is stored, followed and starred, and then merged into `new`. */
  async function merged(): Promise<Scene> {
    const scene = await openScene(['old']);
    await scene.sync();
    await scene.house.call('stories.follow', { publicId: 'old', follow: true });
    await scene.house.call('stories.star', { publicId: 'old', star: true });
    scene.told.tell('new');
    scene.told.merge('old', 'new');
    scene.house.clock.advance(2 * MINUTE);
    scene.asked();
    return scene;
  }

  it('is shown as its survivor, for one request more and without a loop', async () => {
    const { open, asked } = await merged();
    expect(await open('old')).toMatchObject({ publicId: 'new', title: 'Story new' });
    expect(asked()).toEqual(['old', 'new']);
  });

  it('is remembered: from then on the survivor is asked directly', async () => {
    const { open, asked, house } = await merged();
    await open('old');
    asked();
    house.clock.advance(2 * MINUTE);
    expect(await open('old')).toMatchObject({ publicId: 'new' });
    expect(await house.call('stories.get', { publicId: 'old' })).toMatchObject({ publicId: 'new' });
    expect(asked()).toEqual(['new']);
  });

  it('takes follow and star along, and stays in no list itself', async () => {
    const { open, house } = await merged();
    const { followedAt, starredAt } = await house.call('stories.get', { publicId: 'old' });
    await open('old');
    expect(await house.call('stories.get', { publicId: 'new' })).toMatchObject({ followedAt, starredAt });
    for (const which of ['all', 'hot', 'followed', 'starred'] as const) {
      const { stories } = await house.call('stories.list', { which });
      expect(stories.map(({ publicId }) => publicId)).toEqual(['new']);
    }
    expect(house.heard('stories.changed')).toContainEqual({ publicIds: ['new', 'old'] });
    await house.call('stories.follow', { publicId: 'old', follow: false });
    expect(await house.call('stories.get', { publicId: 'new' })).toMatchObject({ followedAt: null, starredAt });
  });

  it('is followed by a round too, once for both ids', async () => {
    const { sync, asked, told } = await merged();
    told.rank([topic(1, 'a', { story: 'old' }), topic(2, 'b', { story: 'new' })]);
    expect(await sync()).toMatchObject({ status: 'ok' });
    asked();
    await sync();
    expect(asked()).toEqual(['new']);
  });

  it('keeps the course of its topic', async () => {
    const { open, sync, told, house } = await merged();
    await open('old');
    told.rank([topic(2, 'other', { story: 'new' })]);
    await sync();
    const { topics } = await house.call('hotTopics.list', {});
    expect(topics[0]!.course.points.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  it('leads on when the survivor is merged in its turn, and back when it stands alone again', async () => {
    const { open, asked, told, house } = await merged();
    await open('old');
    told.tell('newest');
    told.merge('new', 'newest');
    house.clock.advance(2 * MINUTE);
    expect(await open('old')).toMatchObject({ publicId: 'newest' });
    asked();
    house.clock.advance(2 * MINUTE);
    await open('old');
    expect(asked()).toEqual(['newest']);
    told.tell('old');
    told.merge('newest', 'old');
    house.clock.advance(2 * MINUTE);
    for (const id of ['old', 'new', 'newest']) expect(await open(id)).toMatchObject({ publicId: 'old' });
  });

  it('joins what the reader did with both: the earlier time stays, what was seen in either is seen', async () => {
    const { open, told, house } = await merged();
    told.tell('old', { related: [neighbor('new')] });
    house.clock.advance(MINUTE);
    await open('old');
    await open('new');
    await house.call('stories.follow', { publicId: 'new', follow: true });
    const { followedAt } = await house.call('stories.get', { publicId: 'old' });
    told.tell('new', { reports: [report('old-1'), report('new-1'), report('brand-new')] });
    told.merge('old', 'new');
    house.clock.advance(MINUTE);
    const opened = await open('old');
    expect(opened.followedAt).toBe(followedAt);
    expect(opened.fresh.reportIds).toEqual(['brand-new']);
  });

  it('that leads out of the service, or round and round, is refused, and what is stored stays', async () => {
    const { open, told, asked, house } = await merged();
    told.merge('old', 'https://elsewhere.example/api/v1/stories/new');
    expect(await open('old')).toMatchObject({ publicId: 'old' });
    expect(asked()).toEqual(['old']);
    told.merge('old', 'old');
    house.clock.advance(2 * MINUTE);
    expect(await open('old')).toMatchObject({ publicId: 'old' });
    expect(asked()).toHaveLength(6);
  });
});

describe('a story that is gone (404)', { timeout: 60_000 }, () => {
  it('is told as withdrawn once, and shown with what is stored', async () => {
    const { house, told, sync, open } = await openScene(['a']);
    await sync();
    told.lose('a');
    expect(await sync()).toMatchObject({ status: 'ok', withdrawn: 1 });
    const at = new Date(house.clock.now()).toISOString();
    expect(await open('a')).toMatchObject({ title: 'Story a', goneAt: at });
    expect(await sync()).toMatchObject({ status: 'notModified', withdrawn: 0 });
    expect((await house.call('stories.list', { which: 'all' })).stories).toMatchObject([{ publicId: 'a', goneAt: at }]);
  });

  it('is found out on opening too', async () => {
    const { house, told, sync, open } = await openScene(['a']);
    await sync();
    told.lose('a');
    house.clock.advance(MINUTE);
    expect((await open('a')).goneAt).not.toBeNull();
    expect(house.heard('stories.changed').at(-1)).toEqual({ publicIds: ['a'] });
  });

  it('before it was ever read is not found, and not asked for by every round', async () => {
    const { house, told, sync, open, asked } = await openScene(['a']);
    told.lose('a');
    await sync();
    expect(await failureOf(open('a'))).toBe('not_found');
    asked();
    house.clock.advance(HOUR);
    await sync('due');
    expect(asked()).toEqual([]);
    expect((await house.call('stories.list', { which: 'all' })).stories).toEqual([]);
  });

  it('and comes back is no longer gone', async () => {
    const { house, told, sync, open } = await openScene(['a']);
    await sync();
    told.lose('a');
    await sync();
    told.tell('a');
    house.clock.advance(6 * HOUR);
    expect(await sync('due')).toMatchObject({ revised: 1 });
    expect(await open('a')).toMatchObject({ goneAt: null });
  });
});

describe('a followed story', { timeout: 60_000 }, () => {
  async function followed(options: Parameters<typeof openHouse>[0] = {}): Promise<Scene> {
    const scene = await openScene(['a'], options);
    await scene.sync();
    await scene.house.call('stories.follow', { publicId: 'a', follow: true });
    return scene;
  }

  it('is kept up to date also when no topic links to it any more', async () => {
    const { told, sync, asked } = await followed();
    told.rank([]);
    asked();
    await sync();
    expect(asked()).toEqual(['a']);
  });

  it('is left alone again once it is not followed', async () => {
    const { house, told, sync, asked } = await followed();
    told.rank([]);
    await house.call('stories.follow', { publicId: 'a', follow: false });
    asked();
    await sync();
    expect(asked()).toEqual([]);
    expect((await house.call('stories.list', { which: 'followed' })).stories).toEqual([]);
  });

  it('shows nothing as new when it is followed', async () => {
    const { house } = await followed();
    expect((await house.call('stories.get', { publicId: 'a' })).fresh).toEqual({ reportIds: [], digest: false });
  });

  it('marks the reports and the digest that came since the last look, until the next look', async () => {
    const { house, told, sync, open } = await followed();
    told.tell('a', { digest: 'Rewritten.', reports: [report('a-2'), report('a-1')] });
    await sync();
    const lines = async () => (await house.call('stories.list', { which: 'followed' })).stories;
    expect(await lines()).toMatchObject([{ freshReports: 1 }]);
    expect((await house.call('stories.get', { publicId: 'a' })).fresh).toEqual({ reportIds: ['a-2'], digest: true });
    expect((await open('a')).fresh).toEqual({ reportIds: ['a-2'], digest: true });
    expect((await open('a')).fresh).toEqual({ reportIds: [], digest: false });
    expect(await lines()).toMatchObject([{ freshReports: 0 }]);
  });

  it('that is only starred, or neither, has nothing that is new', async () => {
    const { house, told, sync } = await openScene(['a']);
    await sync();
    await house.call('stories.star', { publicId: 'a', star: true });
    told.tell('a', { reports: [report('a-2'), report('a-1')] });
    await sync();
    expect((await house.call('stories.get', { publicId: 'a' })).fresh).toEqual({ reportIds: [], digest: false });
  });

  it('stays followed with its own service: another one is not asked for it', async () => {
    const { house, asked, told, sync } = await followed({ folder: 'temporary' });
    const other = toldStories();
    other.tell('a');
    const second = await openHouse({ content: { selected: 1 }, intercept: other.intercept });
    await house.call('settings.set', { patch: { newsAddress: second.service.newsAddress } });
    expect(house.heard('stories.changed').at(-1)).toEqual({ publicIds: [] });
    await sync();
    expect(await failureOf(house.call('stories.open', { publicId: 'a' }))).toBe('not_found');
    expect(other.asked.map(({ path }) => path)).toEqual(['/api/v1/hot-topics']);

    await house.call('settings.set', { patch: { newsAddress: null } });
    told.rank([]);
    asked();
    await sync();
    expect(asked()).toEqual(['a']);
  });
});

describe('a service that answers for stories in other ways', { timeout: 60_000 }, () => {
  it.each<[FaultKind, string, FaultOptions?]>([
    ['status429', 'rate_limited', { retryAfter: null }],
    ['problem', 'forbidden', { status: 403, code: 'forbidden' }],
    ['problem', 'method_not_allowed', { status: 405, code: 'method_not_allowed' }],
    ['problem', 'invalid_request', { status: 400, code: 'invalid_request' }],
    ['htmlPage200', 'wrong_content_type'],
    ['htmlPage502', 'service_error'],
    ['brokenJson', 'invalid_body'],
    ['cutShort', 'cut_short'],
    ['connectionReset', 'unreachable'],
    ['redirectLoop', 'too_many_redirects'],
    ['redirectElsewhere', 'redirect_refused'],
    ['hugeBody', 'too_large'],
  ])('(%s) ends in %s, and what is stored stays and opens', async (kind, code, options = {}) => {
    const told = toldStories();
    const service = await startDemoService({ clock: fakeClock(), content: { selected: 1 }, intercept: told.intercept });
    const faulty = await startFaultyService({ upstream: service.newsAddress });
    onTestFinished(async () => {
      await faulty.close();
      await service.close();
    });
    const { house, sync, open } = await openScene([], { address: () => faulty.address });
    told.rank([topic(1, 'i', { story: 'a' })]);
    told.tell('a', { related: [neighbor('b')] });
    told.tell('b');
    expect(await sync()).toMatchObject({ added: 1 });
    faulty.fault(/stories/, kind, options);
    expect(await sync()).toMatchObject({ status: 'failed', error: { code } });
    house.clock.advance(DAY);
    expect(await open('a')).toMatchObject({ title: 'Story a', goneAt: null });
    expect(await failureOf(open('b'))).toBe(code);
    faulty.mend();
    expect(await open('b')).toMatchObject({ title: 'Story b' });
    expect(await sync()).toMatchObject({ status: 'notModified', requests: 1 });
  });
});
