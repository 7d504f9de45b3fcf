import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReadThrough } from '../../../../src-renderer/features/archive/read-through.ts';

type Sight = Pick<IntersectionObserverEntry, 'target' | 'intersectionRatio' | 'boundingClientRect' | 'rootBounds'>;

/** The view is from 0 to 900 px. */
const VIEW = new DOMRect(0, 0, 600, 900);

let look: (sights: Sight[]) => void;
let read: string[][];
let times: number[];
let through: ReadThrough;
let hidden: Set<Element>;

/** Adds the last line of a story. Returns what moves it. */
function story(key: string): { to: (top: number) => Sight; element: HTMLElement; leave: () => void } {
  const element = document.createElement('p');
  element.checkVisibility = () => !hidden.has(element);
  const leave = through.end(key)!(element) as () => void;
  const to = (top: number): Sight => ({
    target: element,
    intersectionRatio: top >= 0 && top <= 900 ? 1 : 0,
    boundingClientRect: new DOMRect(0, top, 600, 20),
    rootBounds: VIEW,
  });
  return { to, element, leave };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (sights: Sight[]) => void) {
        look = callback;
      }
      observe(): void {}
      unobserve(): void {}
    },
  );
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  read = [];
  times = [];
  hidden = new Set();
  through = new ReadThrough((keys, began) => {
    read.push([...keys]);
    times.push(began);
  });
});

describe('a story', () => {
  it('is read when its end was in view for a second', () => {
    const one = story('one');
    look([one.to(100)]);
    vi.advanceTimersByTime(999);
    expect(read).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(read).toEqual([['one']]);
  });

  it('is read when its end is scrolled past, together with others of that step', () => {
    const [one, two, three] = [story('one'), story('two'), story('three')];
    look([one.to(100), two.to(400), three.to(950)]);
    look([one.to(-800), two.to(-500), three.to(50)]);
    expect(read).toEqual([['one', 'two']]);
  });

  it('is not read when it was jumped over, or scrolled back out of view', () => {
    const [one, two] = [story('one'), story('two')];
    look([one.to(1_000), two.to(800)]);
    look([one.to(-1_000), two.to(1_500)]);
    vi.advanceTimersByTime(5_000);
    expect(read).toEqual([]);
  });

  it('is not read while another view hides it, or after it was removed', () => {
    const [one, two] = [story('one'), story('two')];
    look([one.to(100), two.to(200)]);
    hidden.add(one.element);
    two.leave();
    vi.advanceTimersByTime(5_000);
    expect(read).toEqual([]);
  });

  it('keeps what was in view when it is drawn again', () => {
    expect(through.end('one')).toBe(through.end('one'));
  });

  it('stays unread when it was marked so in view, until it has left and comes back', () => {
    const one = story('one');
    through.follow(new Set(['one']));
    look([one.to(100)]);
    vi.advanceTimersByTime(500);
    through.follow(new Set());
    through.follow(new Set(['one']));
    vi.advanceTimersByTime(1_000);
    look([one.to(-50)]);
    expect(read).toEqual([]);
    look([one.to(100)]);
    look([one.to(-50)]);
    expect(read).toEqual([['one']]);
  });

  it('has been read since it came into view, or was passed', () => {
    const [one, two] = [story('one'), story('two')];
    const start = performance.now();
    look([one.to(100), two.to(200)]);
    vi.advanceTimersByTime(600);
    look([one.to(-50)]);
    vi.advanceTimersByTime(400);
    expect(times).toEqual([start + 600, start]);
  });
});
