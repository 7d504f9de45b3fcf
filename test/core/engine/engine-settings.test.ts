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
});
