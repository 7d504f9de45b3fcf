import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../support/test-app.ts';

describe('settings of the engine', () => {
  it.each([
    ['in the same thread', {}],
    ['in a thread of its own', { thread: true }],
  ])('take effect at once, %s', async (_, options) => {
    const app = await openTestApp({ content: { selected: 3 }, ...options });
    expect(await app.call('sync.status', {})).toMatchObject({ polling: 'usual' });
    await app.call('settings.set', { patch: { polling: 'byHand', keepDays: 30, proxy: 'none' } });
    expect(await app.call('sync.status', {})).toMatchObject({ polling: 'byHand' });
    expect((await app.call('sync.run', { urgency: 'now', resources: ['items'] })).ok).toBe(true);
  });

  it('apply at the next start, and for another service', async () => {
    const app = await openTestApp({ content: { selected: 3 }, folder: 'temporary' });
    await app.call('settings.set', { patch: { polling: 'byHand' } });
    await app.reopen();
    expect(await app.call('sync.status', {})).toMatchObject({ polling: 'byHand' });
    const other = await openTestApp({ content: { selected: 3 } });
    await app.call('settings.set', { patch: { newsAddress: other.service.newsAddress, polling: 'byHand' } });
    const { source, polling } = await app.call('sync.status', {});
    expect({ address: source.address, polling }).toEqual({ address: other.service.newsAddress, polling: 'byHand' });
  });

  it('control the notification history and events', async () => {
    const app = await openTestApp({ content: { selected: 60, days: 3 } });
    await app.call('settings.set', { patch: { polling: 'byHand' } });
    app.core.start();
    await app.call('sync.run', { urgency: 'now' });
    expect(await app.call('notifications.list', { limit: 10 })).toEqual({ notifications: [] });
    app.clock.leap(24 * 3_600_000);
    await app.call('sync.run', { urgency: 'now' });
    const { notifications } = await app.call('notifications.list', { limit: 10 });
    expect(notifications).toMatchObject([{ kind: 'daily', label: '2026-03-19' }]);
    expect(app.heard('notifications.raised')).toEqual([
      { notifications, target: notifications[0]?.target, catchUp: false },
    ]);
    expect(app.heard('notifications.changed')).toEqual([{}]);
  });
});
