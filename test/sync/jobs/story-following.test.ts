import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { startFaultyService, type FaultKind, type FaultOptions } from '../../support/faults.ts';
import { openTestApp } from '../../support/test-app.ts';
import { failureOf, openScene, type Scene } from '../../support/story-scene.ts';
import { neighbor, report, notifiedStories, topic } from '../../support/told-stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

describe('a service that fails for stories', { timeout: 60_000 }, () => {
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
  ])('(%s) fails with %s, and the saved story stays and opens', async (kind, code, options = {}) => {
    const told = notifiedStories();
    const service = await startDemoService({ clock: fakeClock(), content: { selected: 1 }, intercept: told.intercept });
    const faulty = await startFaultyService({ upstream: service.newsAddress });
    onTestFinished(async () => {
      await faulty.close();
      await service.close();
    });
    const { app, sync, open } = await openScene([], { address: () => faulty.address });
    told.rank([topic(1, 'i', { story: 'a' })]);
    told.tell('a', { related: [neighbor('b')] });
    told.tell('b');
    expect(await sync()).toMatchObject({ added: 1 });
    faulty.fault(/stories/, kind, options);
    expect(await sync()).toMatchObject({ status: 'failed', error: { code } });
    app.clock.advance(DAY);
    expect(await open('a')).toMatchObject({ title: 'Story a', goneAt: null });
    expect(await failureOf(open('b'))).toBe(code);
    faulty.mend();
    expect(await open('b')).toMatchObject({ title: 'Story b' });
    expect(await sync()).toMatchObject({ status: 'notModified', requests: 1 });
  });
});
