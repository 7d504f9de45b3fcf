import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
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

/** Moves the last line of a story in a view from 0 to 900 px. */
async function move(story: HTMLElement, top: number): Promise<void> {
  const sight: Sight = {
    target: story.querySelector('.meta')!,
    intersectionRatio: top >= 0 && top <= 900 ? 1 : 0,
    boundingClientRect: new DOMRect(0, top, 600, 20),
    rootBounds: new DOMRect(0, 0, 600, 900),
  };
  for (const look of looks) look([sight]);
  await settle();
}

async function wait(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await settle();
}

it('a story that was taken back counts when it comes into view again', async () => {
  const story = document.querySelector<HTMLElement>('#archive-reading .citation.unread')!;
  const isUnread = (): boolean => story.matches('.unread');
  await move(story, 100);
  await wait(1_000);
  expect(isUnread()).toBe(false);
  await keyDown(document.body, { key: 'z' });
  await move(story, -50);
  await move(story, 100);
  await wait(999);
  expect(isUnread()).toBe(true);
  await wait(1);
  expect(isUnread()).toBe(false);
});
