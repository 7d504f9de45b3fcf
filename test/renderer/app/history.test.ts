import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeLocation, type Location } from '../../../src-main/contract/location.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import { History, openKey, parseEntry, type Entry } from '../../../src-renderer/app/history.svelte.ts';
import { parseScroll, TOP, writeScroll } from '../../../src-renderer/app/scroll.ts';
import { SEED } from '../../support/proofs.ts';

const story = (publicId: string): Ref => ({ view: 'story', publicId });
const LOCATIONS: readonly Location[] = [
  { view: 'stories', list: 'hot', open: [] },
  { view: 'stories', list: 'hot', open: [story('a')] },
  { view: 'stories', list: 'all', open: [story('a')] },
  { view: 'stories', list: 'hot', open: [story('a'), story('b')] },
  { view: 'feed', query: { scope: 'all', window: 'any', state: 'any' }, open: [{ view: 'item', id: 'a/b' }] },
  { view: 'notes', open: [] },
];
const FIRST = LOCATIONS[0]!;

const nextTask = setTimeout;
/** The browser goes through its history in tasks of its own. */
async function traversed(): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    vi.advanceTimersByTime(1);
    await new Promise((resolve) => nextTask(resolve, 0));
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => (run(), 0));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A window with a history, whose host keeps the last place. */
class Page {
  saved: string | null = null;
  isHostUp = true;
  scrolled = 0;
  history!: History;
  #end = (): void => undefined;

  /** Opens the page: in a new tab, or again in the same one. */
  open(): void {
    this.history = new History({
      measure: () => ({ ...TOP, text: this.scrolled }),
      show: ({ location, scroll }) => {
        this.scrolled = scroll.text;
        return Promise.resolve(location);
      },
      save: (text) => {
        if (this.isHostUp) this.saved = text;
        return Promise.resolve(this.isHostUp);
      },
    });
    const { location, scroll } = this.history.reloaded ?? parseEntry(this.saved) ?? { location: FIRST, scroll: TOP };
    this.scrolled = scroll.text;
    this.#end = this.history.begin(location, scroll);
  }

  scroll(to: number): void {
    this.scrolled = to;
    document.dispatchEvent(new Event('scroll'));
  }

  leave(): void {
    window.dispatchEvent(new Event('pagehide'));
    this.#end();
  }

  go(location: Location): void {
    if (writeLocation(location) !== writeLocation(this.history.location)) this.scrolled = 0;
    this.history.go(location);
  }

  newTab(): void {
    // Nothing to go forward to.
    history.pushState(null, '');
    sessionStorage.clear();
  }
}

/** The same, as a list of entries and an index. */
class Model {
  entries: { text: string; open: string; scroll: number }[] = [];
  at = 0;
  /** Shown, but not yet noted. */
  passing: { text: string; open: string; scroll: number } | null = null;
  saved: { text: string; open: string; scroll: number } | null = null;
  isHostUp = true;
  /** A change since the last rest. */
  isMoving = false;

  get shown(): { text: string; open: string; scroll: number } {
    return this.passing ?? this.entries[this.at]!;
  }

  open(): void {
    [this.entries, this.at, this.passing] = [[{ ...(this.saved ?? entryOf(FIRST)) }], 0, null];
    this.isMoving = false;
  }

  go(location: Location): void {
    if (writeLocation(location) === this.shown.text) return;
    this.passing = entryOf(location);
    this.isMoving = true;
  }

  stay(): void {
    const { passing } = this;
    if (!passing) return;
    if (passing.text !== this.entries[this.at]?.text) this.entries = this.entries.slice(0, ++this.at);
    this.entries[this.at] = passing;
    this.passing = null;
  }

  rest(): void {
    this.stay();
    this.isMoving = false;
    if (this.isHostUp) this.saved = { ...this.shown };
  }

  step(by: 1 | -1, isWanted: (open: string) => boolean): void {
    this.rest();
    let to = this.at + by;
    while (this.entries[to] && !isWanted(this.entries[to]!.open)) to += by;
    this.isMoving = this.entries[to] !== undefined;
    if (this.isMoving) this.at = to;
  }
}

function entryOf(location: Location): { text: string; open: string; scroll: number } {
  return { text: writeLocation(location), open: openKey(location), scroll: 0 };
}

type Step =
  | { do: 'open'; which: number }
  | { do: 'scroll'; to: number }
  | { do: 'stay' | 'back' | 'forward' | 'backToRead' | 'reload' | 'reopen' | 'hostDies' | 'hostIsBack' };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), which: fc.nat(LOCATIONS.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('scroll' as const), to: fc.integer({ min: 1, max: 999 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('stay', 'stay', 'back', 'back', 'forward', 'backToRead', 'reload', 'reopen'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('hostDies' as const, 'hostIsBack' as const) }) },
);

async function walk(steps: readonly Step[]): Promise<void> {
  const page = new Page();
  try {
    await follow(page, steps);
  } finally {
    page.leave();
  }
}

async function follow(page: Page, steps: readonly Step[]): Promise<void> {
  const model = new Model();
  page.newTab();
  page.open();
  model.open();
  for (const step of steps) {
    const { shown } = model;
    const isRead = (open: string): boolean => open !== '' && open !== shown.open;
    switch (step.do) {
      case 'open':
        page.go(LOCATIONS[step.which]!);
        model.go(LOCATIONS[step.which]!);
        break;
      case 'scroll':
        page.scroll(step.to);
        shown.scroll = step.to;
        model.isMoving = true;
        break;
      case 'stay':
        vi.advanceTimersByTime(2_000);
        if (model.isMoving) model.rest();
        break;
      case 'back':
      case 'forward':
        page.history.step(step.do === 'back' ? -1 : 1);
        model.step(step.do === 'back' ? -1 : 1, () => true);
        break;
      case 'backToRead':
        page.history.step(-1, (location) => isRead(openKey(location)));
        model.step(-1, isRead);
        break;
      case 'reload':
      case 'reopen':
        page.leave();
        model.rest();
        if (step.do === 'reopen') page.newTab();
        page.open();
        if (step.do === 'reopen') model.open();
        break;
      case 'hostDies':
      case 'hostIsBack':
        page.isHostUp = model.isHostUp = step.do === 'hostIsBack';
    }
    if (step.do === 'back' || step.do === 'forward' || step.do === 'backToRead') await traversed();
    else await Promise.resolve();
    expect(writeLocation(page.history.location)).toBe(model.shown.text);
    expect([page.scrolled, page.history.scroll.text]).toEqual([model.shown.scroll, model.shown.scroll]);
  }
}

describe('the history', () => {
  it('is that of a list of entries, after 1,000 random sequences', { timeout: 300_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(STEP, { maxLength: 16 }), walk), { numRuns: 1_000, seed: SEED });
  });

  it('remembers what was open in a list, and how far it was scrolled, until another service is used', () => {
    const page = new Page();
    page.newTab();
    page.open();
    page.go(LOCATIONS[1]!);
    page.scroll(70);
    page.go(LOCATIONS[5]!);
    const left: Entry | null = page.history.leftIn({ view: 'stories', list: 'hot' });
    expect([left?.location, left?.scroll.text]).toEqual([LOCATIONS[1], 70]);
    expect(page.history.leftIn({ view: 'hotTopics' })).toBeNull();
    page.history.forget();
    expect(page.history.leftIn({ view: 'stories', list: 'hot' })).toBeNull();
    page.leave();
  });
});

describe('a scroll position', () => {
  it('comes back from its text', () => {
    const position = {
      row: { key: 123, part: 0.25, top: 456 },
      list: { top: 900, part: 3.5, entry: 'a&b #' },
      text: 333,
      find: 'wire & more',
    };
    expect(parseScroll(writeScroll(position))).toEqual(position);
    expect(writeScroll(TOP)).toBe('');
  });

  it.each(['', 'text=-1', 'text=x', 'text=Infinity', 'row=1,2', 'row=-1,0,0', 'list=1,NaN', '%', '={}'])(
    'is the top if it can’t be used: %j',
    (text) => {
      expect(parseScroll(text)).toEqual(TOP);
    },
  );
});
