import { beforeEach, describe, expect, it } from 'vitest';
import { nextRead } from '../../../../src-renderer/features/feed/list/next-read.ts';
import { RowWindow } from '../../../../src-renderer/features/feed/list/row-window.ts';
import { madeUpRow } from '../../support/made-up-items.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const PLACES = 3_000;

let window: RowWindow;

const load = (from: number, to: number): void => {
  for (let index = from; index <= to; index += 1) window.put(index, madeUpRow(index, NOW));
};
const ends = (read: ReturnType<typeof nextRead>): unknown =>
  read === null || read === 'places' ? read : [read[0], read.at(-1)];

beforeEach(() => {
  window = new RowWindow();
  window.begin(
    [],
    Array.from({ length: PLACES }, (_, n) => PLACES - n),
  );
});

describe('what a list reads next', () => {
  it('is what is visible, and more in the direction of scrolling', () => {
    expect(ends(nextRead(window, { first: 1_000, last: 1_010, down: true }, 'all'))).toEqual([1_000, 1_199]);
    expect(ends(nextRead(window, { first: 1_000, last: 1_010, down: false }, 'all'))).toEqual([811, 1_010]);
  });

  it('is then places: all of a list, and of a search those near the view', () => {
    load(1_000, 1_010);
    const view = { first: 1_000, last: 1_010, down: true };
    expect(nextRead(window, view, 'all')).toBe('places');
    expect(ends(nextRead(window, view, 'near'))).toEqual([1_011, 1_210]);
    load(2_500, 2_510);
    expect(nextRead(window, { first: 2_500, last: 2_510, down: true }, 'near')).toBe('places');
  });

  it('is then what lies ahead, and a part that begins a little behind', () => {
    load(1_000, 1_610);
    const down = { first: 1_000, last: 1_010, down: true };
    expect(ends(nextRead(window, down, 'none'))).toEqual([800, 999]);
    load(900, 999);
    expect(nextRead(window, down, 'none')).toBeNull();
    expect(ends(nextRead(window, { ...down, down: false }, 'none'))).toEqual([700, 899]);
  });
});
