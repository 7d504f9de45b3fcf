import { describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { SELECTED, rowsOf } from '../../support/selected-set.ts';

const MORTAL = new URL('../../support/mortal-engine.ts', import.meta.url);

/** Stops the engine; the call fails. */
const kill = async (app: TestApp): Promise<void> => {
  expect(await app.reply('health.check', {})).toMatchObject({ ok: false, error: { code: 'closed' } });
};
const problems = async (app: TestApp) => (await app.call('health.get', {})).problems;
const standsAgain = (app: TestApp) =>
  vi.waitUntil(async () => (await app.reply('sync.status', {})).ok, { timeout: 30_000 });

describe('an engine that stops', () => {
  it('is replaced once, with all saved data and statuses', async () => {
    const app = await openTestApp({ thread: MORTAL });
    await app.call('sync.run', { urgency: 'now' });
    const [first] = await rowsOf(app, SELECTED);
    await app.call('items.mark', { ids: [first!.id], mark: 'star' });
    app.events.length = 0;
    await kill(app);
    await standsAgain(app);
    expect(await app.call('counts.get', {})).toMatchObject({ selected: { total: 40 }, starred: { total: 1 } });
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(app.heard('data.replaced')).toEqual([{}]);
  });

  it('is listed in data health once, without secrets', async () => {
    const app = await openTestApp({ thread: MORTAL });
    await kill(app);
    await standsAgain(app);
    expect(await problems(app)).toMatchObject([{ where: 'engine', message: 'Died of a test, with Bearer [removed]' }]);
    await app.call('problems.dismiss', {});
    expect(await problems(app)).toEqual([]);
  });

  it('again within a minute is replaced after a pause, and a restart is offered', async () => {
    const app = await openTestApp({ thread: MORTAL });
    let offers = 0;
    Object.assign(app.ports, { desktop: { offerRestart: () => (offers += 1) } });
    await kill(app);
    await standsAgain(app);
    app.clock.advance(61_000);
    await kill(app);
    await standsAgain(app);
    expect(offers).toBe(0);
    expect(app.heard('engine.changed')).toEqual([]);
    await kill(app);
    await vi.waitUntil(() => app.log.filter(({ message }) => message === 'Unexpected error').length === 3);
    expect(await app.reply('sync.status', {})).toMatchObject({ ok: false, error: { code: 'closed' } });
    expect(await app.reply('items.count', { query: SELECTED })).toMatchObject({ ok: true });
    expect(offers).toBe(1);
    expect(app.heard('engine.changed')).toEqual([{ running: false }]);
    app.clock.advance(14_000);
    expect(await app.reply('sync.status', {})).toMatchObject({ ok: false, error: { retryable: true } });
    app.clock.advance(1_000);
    await standsAgain(app);
    expect(app.heard('engine.changed')).toEqual([{ running: false }, { running: true }]);
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
  });
});
