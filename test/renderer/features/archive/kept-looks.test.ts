import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOnDaily, pressGo } from '../../support/shown-view.ts';

askShownView();

type Sight = Pick<IntersectionObserverEntry, 'target' | 'isIntersecting'>;

/** One for each observer of the page. */
let looks: ((sights: Sight[]) => void)[];
let app: AppState;

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
    vi.unstubAllGlobals();
    Reflect.deleteProperty(Element.prototype, 'checkVisibility');
  });
  ({ app } = await openOnDaily());
  await pressGo('d');
  await settle();
});

const reading = () => document.querySelector<HTMLElement>('#archive-reading')!;
const read = (): number => app.views.archive.length!.read;
const entries = (): HTMLElement[] => [...reading().querySelectorAll<HTMLElement>('.citation:has(.title)')];
const unread = (): HTMLElement[] => entries().filter((entry) => entry.matches('.unread'));
const keyOf = (entry: HTMLElement): string => app.views.archive.stories[Number(entry.id.match(/\d+$/))]!.key!;

async function moveHeadlines(isIntersecting: boolean, ...of: HTMLElement[]): Promise<void> {
  const sights = of.map((entry) => ({ target: entry.querySelector('.title')!, isIntersecting }));
  for (const look of looks) look(sights);
  await settle();
}

async function pass(...passed: HTMLElement[]): Promise<void> {
  app.marks.passed(passed.map(keyOf));
  await settle();
}

describe('a story that counts as read while it is read', () => {
  it('counts at once, and looks read only when its headline has left the view', async () => {
    const [one, two] = unread() as [HTMLElement, HTMLElement];
    const before = read();
    await moveHeadlines(true, one, two);
    await pass(one, two);
    expect(read()).toBe(before + 2);
    expect(within(reading()).getByText(`${before + 2} of ${app.views.archive.length!.stories}`)).toBeTruthy();
    expect(unread()).toContain(one);
    await moveHeadlines(false, one);
    expect(unread()).not.toContain(one);
    expect(unread()).toContain(two);
    await moveHeadlines(true, one);
    expect(unread()).not.toContain(one);
  });

  it('looks read at once if its headline is not in view', async () => {
    const [one] = unread() as [HTMLElement];
    await pass(one);
    expect(unread()).not.toContain(one);
  });

  it('looks read on the next visit', async () => {
    const [one] = unread() as [HTMLElement];
    await moveHeadlines(true, one);
    await pass(one);
    app.navigation.showView('today');
    await settle();
    app.navigation.showView('archive');
    await settle();
    expect(unread()).not.toContain(one);
  });

  it('is one for n, and for a button that marks what it says', async () => {
    const [one, two] = unread() as [HTMLElement, HTMLElement];
    await moveHeadlines(true, one, two);
    await pass(one, two);
    app.actions.nextUnreadStory();
    await settle();
    expect(document.activeElement).toBe(one);
    const before = read();
    await fireEvent.click(within(one).getByRole('button', { name: 'Mark as read' }));
    await settle();
    expect(unread()).not.toContain(one);
    expect(read()).toBe(before);
    await app.actions.takeBack();
    await settle();
    expect(unread()).toContain(one);
    expect(read()).toBe(before - 1);
  });
});
