import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { viewAt, writeLocation, type Location, type ViewName } from '../../../src-main/contract/location.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import { History, openKey, parseEntry, type Entry } from '../../../src-renderer/app/history.svelte.ts';
import { parseScroll, TOP, writeScroll } from '../../../src-renderer/app/scroll.ts';
import { isWhole, SEED } from '../../support/proofs.ts';

const story = (publicId: string): Ref => ({ view: 'story', publicId });
const LOCATIONS: readonly Location[] = [
  { view: 'stories', list: 'all', open: [] },
  { view: 'stories', list: 'all', open: [story('a')] },
  { view: 'stories', list: 'all', open: [story('a')] },
  { view: 'stories', list: 'all', open: [story('a'), story('b')] },
  { view: 'feed', query: { scope: 'all', window: 'any', state: 'any' }, open: [{ view: 'item', id: 'a/b' }] },
  { view: 'visit', which: 'added', scope: 'all', open: [] },
  { view: 'online', request: { mode: 'all', window: '7d', by: 'timeline', q: 'a#b' }, open: [] },
  { view: 'archive', list: 'daily', open: [{ view: 'report', kind: 'daily', label: '2026-11-20' }] },
  {
    ...{ view: 'archive', list: 'weekly' },
    open: [
      { view: 'report', kind: 'daily', label: '2026-11-20' },
      { view: 'item', id: 'c' },
    ],
  },
  { view: 'models', list: 'models', panel: 'chart', open: [{ view: 'model', modelList: 'embeddings', id: 'm' }] },
  { view: 'notes', open: [] },
];
const VIEWS: readonly ViewName[] = ['feed', 'stories', 'archive', 'models', 'notes'];
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
      enter: ({ location }) => {
        if (location === this.history.location) this.scrolled = 0;
      },
      show: ({ scroll }) => {
        this.scrolled = scroll.text;
        return Promise.resolve();
      },
      save: (text) => {
        if (this.isHostUp) this.saved = text;
        return Promise.resolve(this.isHostUp);
      },
    });
    const first = this.history.reloaded ?? parseEntry(this.saved) ?? { location: FIRST, scroll: TOP };
    this.history.restore(first);
    this.scrolled = first.scroll.text;
    this.#end = this.history.begin();
  }

  scroll(to: number): void {
    this.scrolled = to;
    document.dispatchEvent(new Event('scroll'));
  }

  leave(): void {
    window.dispatchEvent(new Event('pagehide'));
    this.#end();
  }

  newTab(): void {
    // Nothing to go forward to.
    history.pushState(null, '');
    sessionStorage.clear();
  }
}

interface Noted {
  location: Location;
  scroll: number;
}

/** The same, as a list of entries and an index. */
class Model {
  entries: Noted[] = [];
  at = 0;
  /** Shown, but not yet noted. */
  passing: Noted | null = null;
  saved: Noted | null = null;
  isHostUp = true;
  /** A change since the last rest. */
  isMoving = false;
  isReturn = true;
  /** The location of each view that was shown since the page was opened. */
  readonly views = new Map<ViewName, Location>();

  get shown(): Noted {
    return this.passing ?? this.entries[this.at]!;
  }

  /** In a new tab. */
  open(): void {
    [this.entries, this.at, this.passing] = [[{ ...(this.saved ?? { location: FIRST, scroll: 0 }) }], 0, null];
    this.isMoving = false;
    this.load();
  }

  /** In the same tab. */
  load(): void {
    this.views.clear();
    this.#show(true);
  }

  go(location: Location): void {
    if (isSame(location, this.shown.location)) return;
    this.passing = { location, scroll: 0 };
    this.isMoving = true;
    this.#show(false);
  }

  put(location: Location): void {
    if (viewAt(location) === viewAt(this.shown.location)) this.go(location);
    else this.views.set(viewAt(location), location);
  }

  drop(): void {
    const { location } = this.shown;
    this.shown.location = { ...location, open: location.open.slice(0, -1) };
    this.isMoving = true;
    this.#show(this.isReturn);
  }

  stay(): void {
    const { passing } = this;
    if (!passing) return;
    if (!isSame(passing.location, this.entries[this.at]!.location)) this.entries = this.entries.slice(0, ++this.at);
    this.entries[this.at] = passing;
    this.passing = null;
  }

  rest(): void {
    this.stay();
    this.isMoving = false;
    if (this.isHostUp) this.saved = { ...this.shown };
  }

  step(by: 1 | -1, isWanted: (location: Location) => boolean): void {
    this.rest();
    let to = this.at + by;
    while (this.entries[to] && !isWanted(this.entries[to]!.location)) to += by;
    this.isMoving = this.entries[to] !== undefined;
    if (!this.isMoving) return;
    this.at = to;
    this.#show(true);
  }

  #show(isReturn: boolean): void {
    this.isReturn = isReturn;
    this.views.set(viewAt(this.shown.location), this.shown.location);
  }
}

function isSame(one: Location, other: Location): boolean {
  return writeLocation(one) === writeLocation(other);
}

type Step =
  | { do: 'open'; which: number }
  | { do: 'put'; which: number }
  | { do: 'show'; view: ViewName }
  | { do: 'scroll'; to: number }
  | { do: 'drop' | 'stay' | 'back' | 'forward' | 'backToRead' | 'reload' | 'reopen' | 'hostDies' | 'hostIsBack' };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), which: fc.nat(LOCATIONS.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('put' as const), which: fc.nat(LOCATIONS.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('show' as const), view: fc.constantFrom(...VIEWS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('scroll' as const), to: fc.integer({ min: 1, max: 999 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('drop', 'stay', 'stay', 'back', 'back', 'forward', 'backToRead', 'reload', 'reopen'),
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
    const before = openKey(shown.location);
    const isRead = (location: Location): boolean => !['', before].includes(openKey(location));
    switch (step.do) {
      case 'open':
        page.history.go(LOCATIONS[step.which]!);
        model.go(LOCATIONS[step.which]!);
        break;
      case 'put':
        page.history.put(LOCATIONS[step.which]!);
        model.put(LOCATIONS[step.which]!);
        break;
      case 'show': {
        const left = model.views.get(step.view);
        if (!left) break;
        page.history.show(step.view);
        model.go(left);
        break;
      }
      case 'drop':
        if (shown.location.open.length === 0) break;
        page.history.drop();
        model.drop();
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
        page.history.step(-1, isRead);
        model.step(-1, isRead);
        break;
      case 'reload':
      case 'reopen':
        page.leave();
        model.rest();
        if (step.do === 'reopen') page.newTab();
        page.open();
        if (step.do === 'reopen') model.open();
        else model.load();
        break;
      case 'hostDies':
      case 'hostIsBack':
        page.isHostUp = model.isHostUp = step.do === 'hostIsBack';
    }
    if (step.do === 'back' || step.do === 'forward' || step.do === 'backToRead') await traversed();
    else await Promise.resolve();
    expect(writeLocation(page.history.location)).toBe(writeLocation(model.shown.location));
    expect(page.history.isReturn).toBe(model.isReturn);
    expect(page.history.in(page.history.view)).toBe(page.history.location);
    expect([page.scrolled, page.history.scroll.text]).toEqual([model.shown.scroll, model.shown.scroll]);
  }
}

describe('the history', () => {
  it('is that of a list of entries, after random sequences', async () => {
    await fc.assert(fc.asyncProperty(fc.array(STEP, { maxLength: 16 }), walk), {
      numRuns: isWhole ? 1_000 : 250,
      seed: SEED,
    });
  });

  it('remembers what was open in a list, and how far it was scrolled, until another service is used', () => {
    const page = new Page();
    page.newTab();
    page.open();
    page.history.go(LOCATIONS[1]!);
    page.scroll(70);
    page.history.go(LOCATIONS.at(-1)!);
    const left: Entry | null = page.history.leftIn({ view: 'stories', list: 'all' });
    expect([left?.location, left?.scroll.text]).toEqual([LOCATIONS[1], 70]);
    expect(page.history.leftIn({ view: 'hotTopics' })).toBeNull();
    page.history.forget();
    expect(page.history.leftIn({ view: 'stories', list: 'all' })).toBeNull();
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
