import { describe, expect, it, vi } from 'vitest';
import { openHouse, type House } from '../../support/test-app.ts';
import { SELECTED, rowsOf } from '../../support/selected-set.ts';

const MORTAL = new URL('../../support/mortal-engine.ts', import.meta.url);

/** Asks what it dies of; the answer is that it is gone. */
const kill = async (house: House): Promise<void> => {
  expect(await house.reply('health.check', {})).toMatchObject({ ok: false, error: { code: 'closed' } });
};
const problems = async (house: House) => (await house.call('health.get', {})).problems;
const standsAgain = (house: House) =>
  vi.waitUntil(async () => (await house.reply('sync.status', {})).ok, { timeout: 30_000 });

describe('an engine that dies', { timeout: 60_000 }, () => {
  it('is replaced once, with everything that was stored and marked', async () => {
    const house = await openHouse({ thread: MORTAL });
    await house.call('sync.run', { urgency: 'now' });
    const [first] = await rowsOf(house, SELECTED);
    await house.call('items.mark', { ids: [first!.id], mark: 'star' });
    house.events.length = 0;
    await kill(house);
    await standsAgain(house);
    expect(await house.call('counts.get', {})).toMatchObject({ selected: { total: 40 }, starred: { total: 1 } });
    expect(await house.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(house.heard('items.changed')[0]).toMatchObject({ ids: null });
  });

  it('is told of in data health, once, without secrets', async () => {
    const house = await openHouse({ thread: MORTAL });
    await kill(house);
    await standsAgain(house);
    expect(await problems(house)).toMatchObject([
      { where: 'engine', message: 'Died of a test, with Bearer [removed]' },
    ]);
    await house.call('problems.dismiss', {});
    expect(await problems(house)).toEqual([]);
  });

  it('again within a minute stays down, and the reader may start anew; again later it does not', async () => {
    const house = await openHouse({ thread: MORTAL });
    let offers = 0;
    Object.assign(house.ports, { desktop: { offerRestart: () => (offers += 1) } });
    await kill(house);
    await standsAgain(house);
    house.clock.advance(61_000);
    await kill(house);
    await standsAgain(house);
    expect(offers).toBe(0);
    await kill(house);
    await vi.waitUntil(() => house.log.filter(({ message }) => message === 'A defect was met.').length === 3);
    expect(await house.reply('sync.status', {})).toMatchObject({ ok: false, error: { code: 'closed' } });
    expect(await house.reply('items.count', { query: SELECTED })).toMatchObject({ ok: true });
    expect(offers).toBe(1);
    await house.core.close();
  });
});
