import { beforeEach, describe, expect, it } from 'vitest';
import { PassedRows } from '../../../../src-renderer/features/feed/passed-rows.ts';

describe('rows that were scrolled past', () => {
  let passed: PassedRows;
  beforeEach(() => {
    passed = new PassedRows();
    expect(passed.look(0, 7, 0)).toEqual([]);
  });

  it('are those that were seen and left upwards, once', () => {
    expect(passed.look(2, 9, 1_000)).toEqual([0, 1]);
    expect(passed.look(4, 11, 2_000)).toEqual([2, 3]);
    expect(passed.look(0, 7, 3_000)).toEqual([]);
    expect(passed.look(5, 12, 4_000)).toEqual([4]);
  });

  it('are not those that only flew by', () => {
    expect(passed.look(50, 57, 1_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(passed.look(100, 107, 1_050)).toEqual([]);
    expect(passed.look(110, 117, 2_000)).toEqual([100, 101, 102, 103, 104, 105, 106, 107]);
  });

  it('are not those that left downwards', () => {
    passed.look(20, 27, 1_000);
    expect(passed.look(10, 17, 2_000)).toEqual([]);
    // They were seen, and are passed only when the reader goes on.
    expect(passed.look(20, 27, 2_100)).toEqual([]);
    expect(passed.look(28, 35, 3_000)).toEqual([20, 21, 22, 23, 24, 25, 26, 27]);
  });
});
