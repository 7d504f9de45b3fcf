import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOnDaily, pressGo } from '../../support/shown-view.ts';

askShownView();

type Sight = Pick<IntersectionObserverEntry, 'target' | 'intersectionRatio' | 'boundingClientRect' | 'rootBounds'>;

/** One for each observer of the page. */
let looks: ((sights: Sight[]) => void)[];

beforeEach(async () => {
  looks = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (sights: Sight[]) => void) {
        looks.push(callback);
      }
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
  Element.prototype.checkVisibility = () => true;
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(Element.prototype, 'checkVisibility');
  });
  await openOnDaily();
  await pressGo('d');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

const isUnread = (story: HTMLElement): boolean => story.matches('.unread');

function unreadStories(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('#archive-reading .citation')].filter(isUnread);
}

/** The view is from 0 to 900 px. */
async function move(top: number, ...stories: HTMLElement[]): Promise<void> {
  const rootBounds = new DOMRect(0, 0, 600, 900);
  const sights = stories.map((story) => ({
    target: story.querySelector('.meta')!,
    intersectionRatio: top >= 0 && top <= 900 ? 1 : 0,
    boundingClientRect: new DOMRect(0, top, 600, 20),
    rootBounds,
  }));
  for (const look of looks) look(sights);
  await settle();
}

async function wait(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await settle();
}

async function press(key: string, on: Element = document.body): Promise<void> {
  await keyDown(on, { key });
}

describe('a story that was taken back', () => {
  it('counts when it comes into view again', async () => {
    const [one] = unreadStories() as [HTMLElement];
    await move(100, one);
    await wait(1_000);
    expect(isUnread(one)).toBe(false);
    await press('z');
    await move(-50, one);
    await move(100, one);
    await wait(999);
    expect(isUnread(one)).toBe(true);
    await wait(1);
    expect(isUnread(one)).toBe(false);
  });

  it('counts when the reader goes on to the next one', async () => {
    const [one] = unreadStories() as [HTMLElement];
    one.focus();
    await move(100, one);
    await wait(1_000);
    await press('z', one);
    expect(isUnread(one)).toBe(true);
    await press('n', one);
    expect(isUnread(one)).toBe(false);
  });

  it('is the one that was marked last, not one that was in view before', async () => {
    const [one, two] = unreadStories() as [HTMLElement, HTMLElement];
    await move(100, two);
    await wait(500);
    one.focus();
    await press('m', one);
    await wait(500);
    expect([one, two].map(isUnread)).toEqual([false, false]);
    await press('z', one);
    expect([one, two].map(isUnread)).toEqual([true, false]);
    await press('z', one);
    expect([one, two].map(isUnread)).toEqual([true, true]);
  });
});
