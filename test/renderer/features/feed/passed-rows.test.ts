import { beforeEach, describe, expect, it } from 'vitest';
import { PassedRows } from '../../../../src-renderer/features/feed/passed-rows.ts';

describe('rows that were scrolled past', () => {
  let rows: string[];
  let passed: PassedRows;
  const span = (first: number, last: number): string[] => rows.slice(first, last + 1);
  /** The rows from one index to another are whole in the view. */
  const look = (first: number, last: number, now: number): string[] =>
    passed.look({ shown: span(first, last), first, indexOf: (id) => rows.indexOf(id) }, now);

  beforeEach(() => {
    rows = Array.from({ length: 200 }, (_, n) => `item-${n}`);
    passed = new PassedRows();
    expect(look(0, 7, 0)).toEqual([]);
  });

  it('are those that were seen and left upwards, once', () => {
    expect(look(2, 9, 1_000)).toEqual(span(0, 1));
    expect(look(4, 11, 2_000)).toEqual(span(2, 3));
    expect(look(0, 7, 3_000)).toEqual([]);
    expect(look(5, 12, 4_000)).toEqual(span(4, 4));
  });

  it('are not those that only flew by', () => {
    expect(look(50, 57, 1_000)).toEqual(span(0, 7));
    expect(look(100, 107, 1_050)).toEqual([]);
    expect(look(110, 117, 2_000)).toEqual(span(100, 107));
  });

  it('are not those that left downwards', () => {
    look(20, 27, 1_000);
    expect(look(10, 17, 2_000)).toEqual([]);
    // They were seen, and are passed only when the reader scrolls on.
    expect(look(20, 27, 2_100)).toEqual([]);
    expect(look(28, 35, 3_000)).toEqual(span(20, 27));
  });

  it('are not new rows that were put above those that were seen', () => {
    const seen = span(0, 7);
    rows = [...Array.from({ length: 8 }, (_, n) => `new-${n}`), ...rows];
    expect(look(8, 15, 1_000)).toEqual([]);
    expect(look(12, 19, 2_000)).toEqual(seen.slice(0, 4));
  });
});
