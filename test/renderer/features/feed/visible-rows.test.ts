import { describe, expect, it } from 'vitest';
import { VisibleRows } from '../../../../src-renderer/features/feed/visible-rows.svelte.ts';
import '../../support/page.ts';

/** A list whose view is 900 px high (support/page.ts), scrolled to `top`, in px. */
function scrolledTo(top: number): VisibleRows {
  const scroller = document.createElement('div');
  const rows = new VisibleRows();
  rows.watch(scroller);
  Object.defineProperty(scroller, 'scrollTop', { value: top });
  scroller.dispatchEvent(new Event('scroll'));
  return rows;
}

describe('the rows that are drawn', () => {
  it('are those in sight and twelve more at each edge', () => {
    expect(scrolledTo(0).range(100_000, 100)).toEqual({ first: 0, last: 20 });
    expect(scrolledTo(5_000).range(100_000, 100)).toEqual({ first: 38, last: 70 });
    expect(scrolledTo(5_050).range(100_000, 100)).toEqual({ first: 38, last: 71 });
  });

  it('end with the list, also when it has become shorter', () => {
    expect(scrolledTo(9_999_100).range(100_000, 100)).toEqual({ first: 99_979, last: 99_999 });
    expect(scrolledTo(9_999_100).range(30, 100)).toEqual({ first: 9, last: 29 });
    expect(scrolledTo(0).range(3, 100)).toEqual({ first: 0, last: 2 });
    expect(scrolledTo(500).range(0, 100)).toEqual({ first: 0, last: -1 });
  });

  it('are none while the list is not shown', () => {
    expect(new VisibleRows().range(100, 100)).toEqual({ first: 0, last: -1 });
  });
});
