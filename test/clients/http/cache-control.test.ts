import { describe, expect, it } from 'vitest';
import { lifetimeOf } from '../../../src-main/clients/http/cache-control.ts';

describe('the lifetime of a response', () => {
  // Holds: news-1-least-interval
  it.each([
    ['s-maxage=300', 300_000],
    ['public, max-age=30, s-maxage=300', 300_000],
    ['public, max-age=30', 30_000],
    ['s-maxage = 90', 90_000],
    ['s-maxage=0', 0],
    ['s-maxage=10, s-maxage=20', 10_000],
    ['private="max-age=5, s-maxage=6", s-maxage=70', 70_000],
    ['s-maxage=soon, max-age=40', 40_000],
    ['s-maxage=1.5', 60_000],
    ['no-store', 60_000],
    ['', 60_000],
    [undefined, 60_000],
    ['x-s-maxage=5', 60_000],
    ['s-maxage=31536000', 7 * 24 * 3_600_000],
    ['max-age=99999999999999999999', 7 * 24 * 3_600_000],
  ])('of %j is %i ms', (header, ms) => {
    expect(lifetimeOf(header)).toBe(ms);
  });
});
