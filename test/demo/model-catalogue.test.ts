import { describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { demo } from './service.ts';

const DAY = 86_400_000;

describe('The model catalogue of living content', () => {
  const living = (start: string, seed = 1) => demo({ content: 'living', clock: fakeClock(start), seed });

  it('is the same after a restart, also in another month', async () => {
    const first = await living('2026-03-18T06:30:00Z');
    const before = first.service.control.models('models');
    first.clock.advance(30 * DAY);
    const second = await living('2026-04-17T06:30:00Z');
    expect(second.service.control.models('models')).toEqual(first.service.control.models('models'));
    expect(second.service.control.models('embeddings')).toEqual(first.service.control.models('embeddings'));
    expect(first.service.control.models('models')).not.toEqual(before);
  });

  it('stays about as long for years, and its prices readable', async () => {
    const { clock, service } = await living('2026-03-18T06:30:00Z', 5);
    for (let month = 0; month < 60; month += 1) {
      clock.advance(30 * DAY);
      expect(Math.abs(service.control.models('models').length - 120)).toBeLessThanOrEqual(4);
    }
    const prices = service.control
      .models('models')
      .filter(({ id }) => !id.startsWith('edge-cases/'))
      .map(({ pricing }) => (pricing as Record<string, string>)['prompt']);
    expect(prices.every((price) => /^\d+(\.\d{1,13})?$/.test(price ?? ''))).toBe(true);
  });
});
