import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../src-main/clients/http/retry-after.ts';

const NOW = Date.parse('2026-03-18T06:30:00Z');
const DAY = 24 * 3600 * 1000;

describe('a Retry-After', () => {
  // Holds: news-7-retry-after
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['99999999999999999999', 1e23],
    ['Wed, 18 Mar 2026 06:31:30 GMT', 90_000],
    ['Wednesday, 18-Mar-26 06:31:30 GMT', 90_000],
    ['Wed Mar 18 06:31:30 2026', 90_000],
    ['Wed, 18 Mar 2026 06:00:00 GMT', 0],
    ['Fri, 18 Mar 2033 06:30:00 GMT', 2557 * DAY],
    ['soon', null],
    ['1.5', null],
    ['Wed, 99 Foo 2026', null],
    ['', null],
    [undefined, null],
  ])('of %j waits %s ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
