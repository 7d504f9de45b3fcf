import { describe, expect, it } from 'vitest';
import { HOUR, type SceneOptions, openSettled, history } from '../../support/notification-scene.ts';
import { report, notifiedStories, topic } from '../../support/told-stories.ts';

describe('a followed story', () => {
  async function openFollowed(options: SceneOptions = {}) {
    const told = notifiedStories();
    told.rank([topic(1, 'item-1', { story: 'a' }), topic(2, 'item-2', { story: 'b' })]);
    for (const id of ['a', 'b']) told.tell(id);
    const scene = await openSettled({ content: { selected: 1 }, intercept: told.intercept, ...options });
    await scene.room.call('stories.follow', { publicId: 'a', follow: true });
    await scene.sync();
    expect(scene.told()).toEqual([]);
    return { scene, stories: told };
  }

  it('is notified with the number of new reports; one that is not followed is not', async () => {
    const { scene, stories } = await openFollowed();
    for (const id of ['a', 'b'])
      stories.tell(id, { reports: [`${id}-3`, `${id}-2`, `${id}-1`].map((one) => report(one)) });
    await scene.sync();
    const target = { view: 'story', publicId: 'a' };
    expect(scene.told()).toMatchObject([
      { target, notifications: [{ kind: 'story', title: 'Story a', label: null, count: 2, target }] },
    ]);
    await scene.sync();
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toEqual([]);
  });

  it('is notified when its digest changed, without a number of reports', async () => {
    const { scene, stories } = await openFollowed();
    stories.tell('a', { digest: 'Rewritten.' });
    await scene.sync();
    expect(scene.told()).toMatchObject([{ notifications: [{ kind: 'story', count: 0 }] }]);
    await scene.sync();
    expect(scene.told()).toEqual([]);
  });

  it('that the user opens in quiet hours is not notified in the morning', async () => {
    const { scene, stories } = await openFollowed();
    await scene.use({ quietHours: { on: true, from: '14:00', to: '16:00' } });
    stories.tell('a', { reports: ['a-2', 'a-1'].map((one) => report(one)) });
    await scene.sync();
    await scene.room.call('stories.open', { publicId: 'a' });
    scene.clock.advance(3 * HOUR);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ kind: 'story', toldAt: null }]);
  });

  it('that is unfollowed, or gone, is no longer notified', async () => {
    for (const leave of ['unfollow', 'lose'] as const) {
      const { scene, stories } = await openFollowed();
      await scene.use({ quietHours: { on: true, from: '14:00', to: '16:00' } });
      stories.tell('a', { reports: ['a-2', 'a-1'].map((one) => report(one)) });
      await scene.sync();
      if (leave === 'lose') stories.lose('a');
      else await scene.room.call('stories.follow', { publicId: 'a', follow: false });
      await scene.sync();
      scene.clock.advance(3 * HOUR);
      expect(scene.told()).toEqual([]);
      expect(history(scene)).toMatchObject([{ kind: 'story', title: leave === 'lose' ? '' : 'Story a' }]);
    }
  });

  it('that is merged passes on its notifications, and is not notified again', async () => {
    const { scene, stories } = await openFollowed();
    stories.tell('a', { reports: ['a-2', 'a-1'].map((one) => report(one)) });
    await scene.sync();
    expect(scene.told()).toHaveLength(1);
    stories.tell('b', {
      title: 'Both',
      digest: 'What is **known**.',
      reports: ['a-2', 'a-1'].map((one) => report(one)),
    });
    stories.merge('a', 'b');
    await scene.sync();
    expect(history(scene).at(-1)).toMatchObject({ title: 'Both', target: { view: 'story', publicId: 'b' } });
    expect(scene.told()).toEqual([]);
  });

  it('that was followed before its first fetch starts with what is fetched first', async () => {
    const { scene, stories } = await openFollowed();
    stories.rank([topic(1, 'item-3', { story: 'c' })]);
    await scene.room.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    await scene.room.call('stories.follow', { publicId: 'c', follow: true });
    stories.tell('c', { reports: ['c-2', 'c-1'].map((one) => report(one)) });
    await scene.sync();
    expect(scene.told()).toEqual([]);
    stories.tell('c', { reports: ['c-3', 'c-2', 'c-1'].map((one) => report(one)) });
    await scene.sync();
    expect(scene.told()).toMatchObject([{ notifications: [{ kind: 'story', count: 1 }] }]);
  });
});
