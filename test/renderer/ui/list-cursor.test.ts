import { beforeEach, describe, expect, it } from 'vitest';
import { ListCursor } from '../../../src-renderer/ui/list-cursor.svelte.ts';
import { effect } from '../support/effects.svelte.ts';
import { settle } from '../support/settle.ts';

const ROW = 100;

let cursor: ListCursor;
let scroller: HTMLElement;
let count: number;

/** The view is 900 px high (support/setup.ts). */
async function watch(): Promise<void> {
  effect(() => void cursor.watch(scroller));
  await settle();
}

function scrollTo(top: number): void {
  scroller.scrollTop = top;
  scroller.dispatchEvent(new Event('scroll'));
}

const ends = (): (number | undefined)[] => [cursor.drawn[0], cursor.drawn.at(-1)];

beforeEach(() => {
  cursor = new ListCursor();
  scroller = document.createElement('div');
  count = 100_000;
  cursor.shape = () => ({ count, rowHeight: ROW });
});

describe('the drawn rows', () => {
  it('are those in view and eight more at each edge', async () => {
    await watch();
    expect(ends()).toEqual([0, 16]);
    scrollTo(5_000);
    expect(ends()).toEqual([42, 66]);
    scrollTo(5_050);
    expect(ends()).toEqual([42, 67]);
    expect([cursor.scrolled, cursor.whole]).toEqual([50.5, [51, 58]]);
  });

  it.each([
    [100_000, 9_999_100, [99_983, 99_999]],
    [30, 9_999_100, [13, 29]],
    [3, 0, [0, 2]],
    [0, 500, [undefined, undefined]],
  ])('end with the list, also when it has become shorter: %i rows at %i px', async (rows, top, drawn) => {
    count = rows;
    await watch();
    scrollTo(top);
    expect(ends()).toEqual(drawn);
  });

  it.each([5_000, 5_050, 0, 9_999_100])('have a place of their own each, at %i px', async (top) => {
    await watch();
    scrollTo(top);
    const places = cursor.drawn.map((index) => index % cursor.places);
    expect(new Set(places).size).toBe(cursor.drawn.length);
  });

  it('are none while the list is not shown', () => {
    expect(cursor.drawn).toEqual([]);
  });
});

describe('the active row', () => {
  beforeEach(watch);

  it('is led by keys, within the list', () => {
    const press = (key: string): number => {
      const to = cursor.target({ key });
      if (to !== null) cursor.moveTo(to);
      return cursor.active;
    };
    count = 30;
    const keys = [
      'ArrowDown',
      'ArrowDown',
      'PageDown',
      'ArrowUp',
      'PageUp',
      'End',
      'ArrowDown',
      'Home',
      'ArrowUp',
      'x',
    ];
    expect(keys.map(press)).toEqual([0, 1, 9, 8, 0, 29, 29, 0, 0, 0]);
  });

  it('is shown with two rows beyond it, and scrolls no more than it must', () => {
    cursor.moveTo(6);
    expect(scroller.scrollTop).toBe(0);
    cursor.moveTo(7);
    expect(scroller.scrollTop).toBe(100);
    cursor.moveTo(99_999);
    expect(scroller.scrollTop).toBe(9_999_100);
    cursor.moveTo(99_990);
    expect(scroller.scrollTop).toBe(9_998_800);
  });
});

it('scrolls to a row that is there only after the next drawing, and remembers it until the list is shown', async () => {
  cursor.scrollTo(412.25);
  await watch();
  expect(scroller.scrollTop).toBe(41_225);
  cursor.scrollTo(3);
  expect(scroller.scrollTop).toBe(41_225);
  await settle();
  expect(scroller.scrollTop).toBe(300);
});
