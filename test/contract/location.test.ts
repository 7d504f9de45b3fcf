import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemsQuery, OnlineSearch } from '../../src-main/contract/model/item.ts';
import { REPORT_KINDS } from '../../src-main/contract/model/report.ts';
import { MODEL_LISTS } from '../../src-main/contract/model/resource.ts';
import { VISIT_LISTS } from '../../src-main/contract/model/today.ts';
import {
  MAX_LOCATION,
  MODEL_PANELS,
  parseLocation,
  SOURCES_PANELS,
  STORY_LISTS,
  writeLocation,
  type ListOf,
  type Location,
} from '../../src-main/contract/location.ts';
import { parseFragment, parseLink, parseRef, writeRef, type Ref } from '../../src-main/contract/refs.ts';
import { SEED } from '../support/proofs.ts';

const LABELS = { daily: '2026-11-20', weekly: '2026-W47', monthly: '2026-11' };

const text = (maxLength: number) => fc.string({ unit: 'grapheme', minLength: 1, maxLength }).map((one) => `w${one}`);
const id = fc.oneof(text(60), fc.constantFrom('..', '/', '?', '#', '%2F', 'a/item/b', '\u202e', '\n', '\u0000'));
const query: fc.Arbitrary<ItemsQuery> = fc.record(
  {
    scope: fc.constantFrom('selected', 'all'),
    window: fc.constantFrom('24h', '7d', 'any'),
    state: fc.constantFrom('any', 'unread', 'starred'),
    category: text(40),
    source: text(40),
    saved: fc.constantFrom('a-B-9', '0'.repeat(36)),
    muted: fc.constant(true as const),
    text: text(40),
  },
  { requiredKeys: ['scope', 'window', 'state'] },
);
const request: fc.Arbitrary<OnlineSearch> = fc.record(
  {
    mode: fc.constantFrom('selected', 'all'),
    window: fc.constantFrom('24h', '7d'),
    by: fc.constantFrom('timeline', 'published'),
    category: text(40),
    q: fc.string({ unit: 'grapheme', maxLength: 40 }),
  },
  { requiredKeys: ['mode', 'window', 'by'] },
);
const list: fc.Arbitrary<ListOf> = fc.oneof(
  fc.record({ view: fc.constant('feed' as const), query }),
  fc.record({
    view: fc.constant('visit' as const),
    which: fc.constantFrom(...VISIT_LISTS),
    scope: fc.constantFrom('selected', 'all'),
  }),
  fc.record({ view: fc.constant('folded' as const), query, id }),
  fc.record({ view: fc.constant('online' as const), request }),
  fc.record({ view: fc.constant('stories' as const), list: fc.constantFrom(...STORY_LISTS) }),
  fc.record({ view: fc.constant('search' as const), text: text(40) }),
  fc.record(
    {
      view: fc.constant('archive' as const),
      list: fc.constantFrom(...REPORT_KINDS),
      alone: fc.constant(true as const),
    },
    { requiredKeys: ['view', 'list'] },
  ),
  fc.record({
    view: fc.constant('models' as const),
    list: fc.constantFrom(...MODEL_LISTS),
    panel: fc.constantFrom(...MODEL_PANELS),
  }),
  fc.record({ view: fc.constantFrom('today' as const, 'hotTopics' as const, 'notes' as const) }),
  fc.record({ view: fc.constant('sources' as const), panel: fc.constantFrom(...SOURCES_PANELS) }),
);
const ref: fc.Arbitrary<Ref> = fc.oneof(
  fc.record({ view: fc.constantFrom('item', 'topic'), id }),
  fc.record({ view: fc.constant('story' as const), publicId: id }),
  fc.constantFrom(...REPORT_KINDS).map((kind) => ({ view: 'report' as const, kind, label: LABELS[kind] })),
  fc.record({ view: fc.constant('model' as const), modelList: fc.constantFrom(...MODEL_LISTS), id }),
);
const location: fc.Arbitrary<Location> = fc
  .tuple(list, fc.array(ref, { maxLength: 5 }))
  .map(([shown, open]) => ({ ...shown, open }));

describe('a location', () => {
  it('comes back from its text: 2,000 random ones', () => {
    const check = (one: Location): void => {
      expect(parseLocation(writeLocation(one))).toEqual(one);
      // A scroll position may follow.
      expect(parseLocation(`${writeLocation(one)}#text=333`)).toEqual(one);
    };
    fc.assert(fc.property(location, check), { numRuns: 2_000, seed: SEED });
  });

  it('of something with a page comes back from its text, as in the recently opened', () => {
    fc.assert(
      fc.property(ref, (one) => {
        expect(parseRef(writeRef(one))).toEqual(one);
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('is read from any text without throwing, and can be written again', () => {
    const damaged = fc
      .tuple(location, fc.nat(), fc.nat(4), fc.string({ unit: 'binary', maxLength: 8 }))
      .map(([one, at, without, inserted]) => {
        const written = writeLocation(one);
        const from = at % (written.length + 1);
        return `${written.slice(0, from)}${inserted}${written.slice(from + without)}`;
      });
    const check = (any: string): void => {
      const read = parseLocation(any);
      if (read) expect(parseLocation(writeLocation(read))).toEqual(read);
      parseRef(any);
      parseLink(`broadsheet://${any}`);
      parseFragment('open', `#open=${any}`);
    };
    fc.assert(fc.property(fc.oneof(damaged, fc.string({ unit: 'binary' })), check), { numRuns: 3_000, seed: SEED });
  });

  it('has a short text', () => {
    const paper: Location = {
      view: 'feed',
      query: { scope: 'all', window: 'any', state: 'any', category: 'paper' },
      open: [{ view: 'item', id: 'a b' }],
    };
    expect(writeLocation(paper)).toBe('feed?scope=all&window=any&state=any&category=paper/item/a%20b');
  });

  it('is written with half a character as with none that is known', () => {
    const half: Location = { view: 'notes', open: [{ view: 'item', id: 'a\ud800' }] };
    expect(parseLocation(writeLocation(half))?.open).toEqual([{ view: 'item', id: 'a\ufffd' }]);
  });

  it('drops parameters that this version doesn’t know', () => {
    expect(parseLocation('stories?list=followed&more=1')).toEqual({ view: 'stories', list: 'followed', open: [] });
  });

  it('is read as an older version wrote it, which had a list of hot stories, and statistics as a view', () => {
    expect(parseLocation('sources')).toEqual({ view: 'sources', panel: 'list', open: [] });
    expect(parseLocation('statistics')).toEqual({ view: 'sources', panel: 'statistics', open: [] });
    expect(parseLocation('stories?list=hot')).toEqual({ view: 'stories', list: 'all', open: [] });
    const open = [{ view: 'story', publicId: 'a' }];
    expect(parseLocation('stories?list=hot/story/a')).toEqual({ view: 'stories', list: 'all', open });
  });

  it('of the coverage of a topic, once a page over it, leads to the topic', () => {
    const topic = { view: 'topic', id: 'i1 s1' } as const;
    const item = { view: 'item', id: 'i2' } as const;
    const other = { view: 'story', publicId: 's2' } as const;
    const old = (open: Location['open']): string => writeLocation({ view: 'hotTopics', open });
    const openIn = (text: string): Location['open'] | undefined => parseLocation(text)?.open;
    expect(openIn(old([topic, { view: 'story', publicId: 's1' }, item]))).toEqual([topic, item]);
    expect(openIn(old([topic, other]))).toEqual([topic, other]);
  });

  it.each([
    '',
    'settings',
    'constructor',
    'feed',
    'feed?scope=some&window=any&state=any',
    'feed?scope=all&window=any&state=any&category=',
    'feed?scope=all&window=any&state=any&saved=a/b',
    `feed?scope=all&window=any&state=any&text=${'x'.repeat(1_001)}`,
    'visit?which=all&scope=all',
    'folded?scope=all&window=any&state=any',
    'online?mode=all&window=any&by=timeline',
    'stories?list=some',
    'models?list=models',
    'notes/',
    'notes/item',
    'notes/item/',
    'notes/item/%',
    'notes/item/a/story',
    'notes/person/a',
    'notes/daily/2026-02-30',
    'notes/daily/x',
    'notes/model/a',
    'notes/model/chairs/a',
    `notes/item/${'a'.repeat(513)}`,
    `notes/item/a#${'x'.repeat(MAX_LOCATION)}`,
    '{"shown":{"view":"notes"}}',
    '[]',
  ])('is not %#', (text) => {
    expect(parseLocation(text), text.slice(0, 100)).toBeNull();
  });
});
