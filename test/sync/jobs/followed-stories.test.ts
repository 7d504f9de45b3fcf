import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../support/test-app.ts';
import { failureOf, openScene, type Scene } from '../../support/story-scene.ts';
import { neighbor, notifiedStories, report, topic } from '../../support/told-stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('another story than the requested one', () => {
  it('is refused without a redirect: follow, star and text of the requested one stay', async () => {
    const { sync, told, app } = await openScene(['asked', 'other']);
    await sync();
    await app.call('stories.follow', { publicId: 'asked', follow: true });
    const { title, followedAt } = await app.call('stories.get', { publicId: 'asked' });
    told.tell('asked', { publicId: 'other', title: 'Story other' });
    app.clock.advance(2 * MINUTE);
    expect(await sync()).toMatchObject({ skipped: 1 });
    expect(await app.call('stories.get', { publicId: 'asked' })).toMatchObject({ title, followedAt });
    expect(await app.call('stories.get', { publicId: 'other' })).toMatchObject({ followedAt: null });
  });
});

describe('a story that was merged into another (308)', () => {
  /** `old` is stored, followed and starred, and then merged into `new`. */
  async function merged(): Promise<Scene> {
    const scene = await openScene(['old']);
    await scene.sync();
    await scene.app.call('stories.follow', { publicId: 'old', follow: true });
    await scene.app.call('stories.star', { publicId: 'old', star: true });
    scene.told.tell('new');
    scene.told.merge('old', 'new');
    scene.app.clock.advance(2 * MINUTE);
    scene.asked();
    return scene;
  }

  // Holds: news-3-merged-followed, news-4.3-merged
  it('is shown as the other one, with one more request and without a loop', async () => {
    const { open, asked, app } = await merged();
    expect(await open('old')).toMatchObject({ publicId: 'new', title: 'Story new' });
    expect(asked()).toEqual(['old', 'new']);
    // From then on the other one is fetched directly.
    app.clock.advance(2 * MINUTE);
    expect(await open('old')).toMatchObject({ publicId: 'new' });
    expect(asked()).toEqual(['new']);
  });

  it('is not asked for again under its other name in the same sync', async () => {
    const { sync, asked, told, app } = await openScene(['old', 'new']);
    await sync();
    told.merge('old', 'new');
    app.clock.advance(2 * MINUTE);
    asked();
    await sync('permitted');
    expect(asked()).toEqual(['old', 'new']);
  });

  it('passes on follow and star, and leaves all lists', async () => {
    const { open, app } = await merged();
    const { followedAt, starredAt } = await app.call('stories.get', { publicId: 'old' });
    await open('old');
    expect(await app.call('stories.get', { publicId: 'new' })).toMatchObject({ followedAt, starredAt });
    for (const which of ['all', 'followed', 'starred'] as const) {
      const { stories } = await app.call('stories.list', { which });
      expect(stories.map(({ publicId }) => publicId)).toEqual(['new']);
    }
    expect(app.heard('stories.changed')).toContainEqual({ publicIds: ['new', 'old'] });
    await app.call('stories.follow', { publicId: 'old', follow: false });
    expect(await app.call('stories.get', { publicId: 'new' })).toMatchObject({ followedAt: null, starredAt });
  });

  it('keeps the history of its topic', async () => {
    const { open, sync, told, app } = await merged();
    await open('old');
    told.rank([topic(2, 'other', { story: 'new' })]);
    await sync();
    const { topics } = await app.call('hotTopics.list', {});
    expect(topics[0]!.history.points.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  it('joins the statuses of both: the later act stays, what was seen in either is seen', async () => {
    const { open, told, app } = await merged();
    told.tell('old', { related: [neighbor('new')] });
    app.clock.advance(MINUTE);
    await open('old');
    await open('new');
    await app.call('stories.follow', { publicId: 'new', follow: true });
    const { followedAt } = await app.call('stories.get', { publicId: 'new' });
    told.tell('new', { reports: [report('old-1'), report('new-1'), report('brand-new')] });
    told.merge('old', 'new');
    app.clock.advance(MINUTE);
    const opened = await open('old');
    expect(opened.followedAt).toBe(followedAt);
    expect(opened.fresh.reportIds).toEqual(['brand-new']);
  });

  it('that redirects to another service or in a loop is rejected, and the saved story stays', async () => {
    const { open, told, asked, app } = await merged();
    told.merge('old', 'https://elsewhere.example/api/v1/stories/new');
    expect(await open('old')).toMatchObject({ publicId: 'old' });
    expect(asked()).toEqual(['old']);
    told.merge('old', 'old');
    app.clock.advance(2 * MINUTE);
    expect(await open('old')).toMatchObject({ publicId: 'old' });
    expect(asked()).toHaveLength(6);
  });
});

describe('a story that is gone (404)', () => {
  it('is marked in the ranking, saved or not, until it returns', async () => {
    const { app, told, sync } = await openScene(['saved', 'never', 'here']);
    told.lose('never');
    await sync();
    told.lose('saved');
    await sync();
    const stories = async () =>
      (await app.call('hotTopics.list', {})).topics.map((topic) => [topic.storyGoneAt !== null, topic.storySaved]);
    expect(await stories()).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
    told.tell('saved');
    await sync();
    expect(await stories()).toMatchObject([
      [false, true],
      [true, false],
      [false, true],
    ]);
  });

  it('before its first fetch is not found, and not fetched by every sync', async () => {
    const { app, told, sync, open, asked } = await openScene(['a']);
    told.lose('a');
    await sync();
    expect(await failureOf(open('a'))).toBe('not_found');
    asked();
    app.clock.advance(HOUR);
    await sync('due');
    expect(asked()).toEqual([]);
    expect((await app.call('stories.list', { which: 'all' })).stories).toEqual([]);
  });
});

describe('a followed story', () => {
  async function followed(options: Parameters<typeof openTestApp>[0] = {}): Promise<Scene> {
    const scene = await openScene(['a'], options);
    await scene.sync();
    await scene.app.call('stories.follow', { publicId: 'a', follow: true });
    return scene;
  }

  // Holds: news-2-story-digest
  it('marks reports and digest as new until the story is opened', async () => {
    const { app, told, sync, open } = await followed();
    told.tell('a', { digest: 'Rewritten.', reports: [report('a-2'), report('a-1')] });
    await sync();
    const lines = async () => (await app.call('stories.list', { which: 'followed' })).stories;
    expect(await lines()).toMatchObject([{ freshReports: 1 }]);
    expect((await app.call('stories.get', { publicId: 'a' })).fresh).toEqual({ reportIds: ['a-2'], digest: true });
    expect((await open('a')).fresh).toEqual({ reportIds: ['a-2'], digest: true });
    expect((await open('a')).fresh).toEqual({ reportIds: [], digest: false });
    expect(await lines()).toMatchObject([{ freshReports: 0 }]);
  });

  it('stays followed with its own service: it is not fetched from another one', async () => {
    const { app, asked, told, sync } = await followed({ folder: 'temporary' });
    const other = notifiedStories();
    other.tell('a');
    const second = await openTestApp({ content: { selected: 1 }, intercept: other.intercept });
    await app.call('settings.set', { patch: { newsAddress: second.service.newsAddress } });
    expect(app.heard('data.replaced')).toEqual([{}]);
    await sync();
    expect(await failureOf(app.call('stories.open', { publicId: 'a' }))).toBe('not_found');
    expect(other.asked.map(({ path }) => path)).toEqual(['/api/v1/hot-topics']);

    await app.call('settings.set', { patch: { newsAddress: null } });
    told.rank([topic(1, 'other')]);
    asked();
    await sync();
    expect(asked()).toEqual(['a']);
  });
});
