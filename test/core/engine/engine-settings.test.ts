import { describe, expect, it } from 'vitest';
import { openHouse } from '../../support/test-app.ts';

describe('settings that the engine goes by', { timeout: 60_000 }, () => {
  it.each([
    ['in the same thread', {}],
    ['in a thread of its own', { thread: true }],
  ])('reach it at once, %s', async (_, options) => {
    const house = await openHouse({ content: { selected: 3 }, ...options });
    expect(await house.call('sync.status', {})).toMatchObject({ polling: 'usual' });
    await house.call('settings.set', { patch: { polling: 'byHand', keepDays: 30, proxy: 'none' } });
    expect(await house.call('sync.status', {})).toMatchObject({ polling: 'byHand' });
    expect((await house.call('sync.run', { urgency: 'now', resources: ['items'] })).ok).toBe(true);
  });

  it('hold at the next start, and for another service', async () => {
    const house = await openHouse({ content: { selected: 3 }, folder: 'temporary' });
    await house.call('settings.set', { patch: { polling: 'seldom' } });
    await house.reopen();
    expect(await house.call('sync.status', {})).toMatchObject({ polling: 'seldom' });
    const other = await openHouse({ content: { selected: 3 } });
    await house.call('settings.set', { patch: { newsAddress: other.service.newsAddress, polling: 'byHand' } });
    const { source, polling } = await house.call('sync.status', {});
    expect({ address: source.address, polling }).toEqual({ address: other.service.newsAddress, polling: 'byHand' });
  });

  it('let a notice out into the history and onto the wire', async () => {
    const house = await openHouse({ content: { selected: 60, days: 3 } });
    await house.call('settings.set', { patch: { polling: 'byHand' } });
    house.core.start();
    await house.call('sync.run', { urgency: 'now' });
    expect(await house.call('notices.list', { limit: 10 })).toEqual({ notices: [] });
    house.clock.leap(24 * 3_600_000);
    await house.call('sync.run', { urgency: 'now' });
    const { notices } = await house.call('notices.list', { limit: 10 });
    expect(notices).toMatchObject([{ kind: 'daily', label: '2026-03-19' }]);
    expect(house.heard('notices.raised')).toEqual([{ notices, target: notices[0]?.target, catchUp: false }]);
    expect(house.heard('notices.changed')).toEqual([{}]);
  });
});
