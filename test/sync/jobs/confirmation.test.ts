import { describe, expect, it } from 'vitest';
import type { Doubt } from '../../../src-main/store/index.ts';
import { doubtAbout, isConfirmed, lastingDoubt } from '../../../src-main/sync/jobs/confirmation.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 2, 18);

describe('a doubt about a document', () => {
  const loss = { noun: 'stories', saved: 20, received: 3 };
  const first = doubtAbout(loss, null, NOW);

  it.each<[string, number, number, Doubt | null]>([
    ['waits for 15 minutes', 3, NOW + 15 * MINUTE - 1, first],
    ['ends when another answer agrees after them', 3, NOW + 15 * MINUTE, null],
    ['begins again with another size', 9, NOW + DAY, { since: NOW + DAY, stored: 20, received: 9 }],
    ['begins again if the clock was set back', 3, NOW - DAY, { since: NOW - DAY, stored: 20, received: 3 }],
  ])('%s', (_, received, now, expected) => {
    expect(first).toEqual({ since: NOW, stored: 20, received: 3 });
    expect(doubtAbout({ ...loss, received }, first, now)).toEqual(expected);
  });
});

describe('a doubt about a list of models', () => {
  const loss = { noun: 'prices', of: 'prices', saved: 800, received: 0 } as const;
  const first = doubtAbout(loss, null, NOW);

  it('ends neither by repetition nor by time, and keeps when it began, unless the clock was set back', () => {
    expect(doubtAbout(loss, first, NOW + 365 * DAY)).toEqual(first);
    const other = doubtAbout({ ...loss, of: 'models', received: 3 }, first, NOW + DAY);
    expect(other).toEqual({ since: NOW, stored: 800, received: 3, of: 'models' });
    expect(doubtAbout(loss, first, NOW - DAY)).toEqual({ since: NOW - DAY, stored: 800, received: 0, of: 'prices' });
  });
});

describe('time alone', () => {
  const times = [0, 15 * MINUTE, 60 * MINUTE, DAY, 365 * DAY, -DAY];

  it.each(['parts', 'left', 'old'] as const)('confirms no loss: another answer must agree (%s)', (lost) => {
    for (const time of times) expect(isConfirmed(lost, false, NOW, NOW + time)).toBe(false);
    expect(isConfirmed(lost, true, NOW, NOW - DAY)).toBe(false);
    expect(isConfirmed(lost, true, NOW, NOW + DAY)).toBe(true);
  });

  it('ends no doubt about members, nor does the same answer again, or a set that grew meanwhile', () => {
    const first = lastingDoubt({ stored: 100, missing: 21, received: 79 }, null, NOW, false);
    for (const time of times) {
      for (const stored of [100, 150, 1000]) {
        const size = { stored, missing: 21, received: stored - 21 };
        expect(lastingDoubt(size, first, NOW + time, false)).toMatchObject({ since: NOW, stored: 100 });
      }
      expect(lastingDoubt({ stored: 100, missing: 20, received: 80 }, first, NOW + time, false)).toBeNull();
    }
  });
});
