import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../support/test-app.ts';
import { failureOf, openScene, type Scene } from '../../support/story-scene.ts';
import { report, notifiedStories, topic } from '../../support/told-stories.ts';

describe('a followed story', { timeout: 60_000 }, () => {
  async function followed(options: Parameters<typeof openTestApp>[0] = {}): Promise<Scene> {
    const scene = await openScene(['a'], options);
    await scene.sync();
    await scene.app.call('stories.follow', { publicId: 'a', follow: true });
    return scene;
  }

  it('is updated even if no topic links to it any more', async () => {
    const { told, sync, asked } = await followed();
    told.rank([topic(1, 'other')]);
    asked();
    await sync();
    expect(asked()).toEqual(['a']);
  });

  it('is no longer fetched after it is unfollowed', async () => {
    const { app, told, sync, asked } = await followed();
    told.rank([topic(1, 'other')]);
    await app.call('stories.follow', { publicId: 'a', follow: false });
    asked();
    await sync();
    expect(asked()).toEqual([]);
    expect((await app.call('stories.list', { which: 'followed' })).stories).toEqual([]);
  });

  it('shows nothing as new when it is followed', async () => {
    const { app } = await followed();
    expect((await app.call('stories.get', { publicId: 'a' })).fresh).toEqual({ reportIds: [], digest: false });
  });

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

  it('that is not followed has nothing marked as new', async () => {
    const { app, told, sync } = await openScene(['a']);
    await sync();
    await app.call('stories.star', { publicId: 'a', star: true });
    told.tell('a', { reports: [report('a-2'), report('a-1')] });
    await sync();
    expect((await app.call('stories.get', { publicId: 'a' })).fresh).toEqual({ reportIds: [], digest: false });
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
