import { describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { parseJson } from '../../../src-main/clients/parsing/json.ts';
import { readChangesPage, readItemsAnswer, readSnapshotPage } from '../../../src-main/clients/news/schemas.ts';

const FULL = {
  id: 'i-1',
  title: 'A title 标题',
  originalTitle: '原题',
  summary: 'Two\nlines <script>',
  source: { name: 'A paper', country: 'FR' },
  links: { original: 'https://example.org/a', aihot: 'https://example.com/i/1', story: 'https://example.com/s/1' },
  publishedAt: '2026-03-18T06:00:00Z',
  discoveredAt: '2026-03-18T06:10:00.123Z',
  category: 'a-new-category',
  score: 87.5,
  selected: true,
  reason: 'Because.',
  attribution: { name: 'A list', url: 'https://example.net', licence: 'CC' },
};

const BARE = {
  id: 'i-2',
  title: '',
  originalTitle: null,
  summary: null,
  source: { name: null },
  links: { original: null, aihot: null },
  publishedAt: null,
  discoveredAt: null,
  category: null,
  score: null,
  selected: null,
  reason: null,
  attribution: null,
  extra: {},
};

const itemsOf = (...items: unknown[]) => readItemsAnswer(parseJson(JSON.stringify({ items })));
const parsed = (text: string) => readItemsAnswer(parseJson(text));

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof BroadsheetError) return error.code;
    throw error;
  }
  return 'none';
}

describe('an item', () => {
  // Holds: news-2-item-id, news-2-item-link, news-2-item-published-at, news-2-item-discovered-at
  it('keeps all its fields', () => {
    expect(itemsOf(FULL).items).toEqual([{ ...FULL, extra: {} }]);
  });

  // Holds: news-2-item-id, news-2-item-published-at, news-2-other-fields
  it('needs only an id and a title', () => {
    expect(itemsOf({ id: 'i-2', title: '' }).items).toEqual([BARE]);
  });

  // Holds: news-2-other-fields
  it('keeps unknown fields', () => {
    const extra = { mood: 'glad', tags: ['a', { b: [1, null] }], constructor: 1, hasOwnProperty: 'x', reads: 3 };
    expect(itemsOf({ ...FULL, ...extra }).items[0]?.extra).toEqual(extra);
  });

  it.each([
    [1_773_813_600, '2026-03-18T06:00:00.000Z'],
    [1_773_813_600_000, '2026-03-18T06:00:00.000Z'],
    [99_999_999, null],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
    [8.64e15 + 2, null],
    ['20260318', '20260318'],
    [true, null],
  ])('may have the time %j: as seconds or milliseconds since 1970', (publishedAt, time) => {
    expect(itemsOf({ ...FULL, publishedAt }).items[0]?.publishedAt).toBe(time);
  });

  it('treats a field of the wrong type as absent', () => {
    const wrong = Object.fromEntries(
      Object.keys(BARE).map((name) => [name, name === 'title' || name === 'id' ? 'x' : ['wrong']]),
    );
    expect(itemsOf({ ...wrong, extra: undefined }).items).toEqual([{ ...BARE, id: 'x', title: 'x' }]);
    expect(itemsOf({ ...BARE, source: 'A paper', links: 7, score: 'high', selected: 'yes' }).items[0]).toMatchObject({
      source: { name: null },
      links: { original: null, aihot: null },
      score: null,
      selected: null,
    });
    expect(itemsOf({ ...FULL, source: { name: 7, country: 'FR' } }).items[0]?.source).toEqual({
      name: null,
      country: 'FR',
    });
  });

  it.each([
    ['null', null, 'a record is null, not an object', undefined],
    ['without an id', { title: 't' }, 'id is missing or not a string', undefined],
    ['with a number for an id', { id: 7, title: 't' }, 'id is missing or not a string', undefined],
    ['with NUL in its id', { id: 'a\0', title: 't' }, 'id contains a NUL character', undefined],
    ['with an endless id', { id: 'a'.repeat(513), title: 't' }, 'id is longer than 512 characters', undefined],
    ['without a title', { id: 'a'.repeat(512) }, 'title is missing or not a string', 'a'.repeat(512)],
  ])('that is %s is skipped and counted, and the others are kept', (_, bad, reason, id) => {
    const answer = itemsOf(FULL, bad, { id: 'i-2', title: 't' });
    expect(answer.items.map((item) => item.id)).toEqual(['i-1', 'i-2']);
    expect(answer.skipped).toEqual([id === undefined ? { reason } : { reason, id }]);
  });

  it('keeps its texts unchanged, except lone surrogates', () => {
    const text =
      '{"items":[{"id":"a\\udc00","title":"\\ud800<b>\\u0000\\u202e\\ud83d\\ude00","mood":{"k\\ud800":["\\udfff"]}}]}';
    const [item] = parsed(text).items;
    expect(item).toMatchObject({
      id: 'a\uFFFD',
      title: '\uFFFD<b>\u0000\u202e😀',
      extra: { mood: { 'k\uFFFD': ['\uFFFD'] } },
    });
  });

  it.each(['__proto__', '\\u005f_proto__', '__proto\\u005f_'])(
    'cannot modify other objects with a member %s',
    (key) => {
      const evil = `"${key}":{"polluted":true,"name":"x"}`;
      const answer = parsed(
        `{"items":[{"id":"a","title":"t",${evil},"source":{${evil}},"deep":{"er":{${evil}}}}],${evil}}`,
      );
      const [item] = answer.items;
      expect(item?.source.name).toBeNull();
      for (const object of [{}, item, item?.source, item?.extra, item?.extra['deep']])
        expect(object).not.toHaveProperty('polluted');
      expect(JSON.stringify(item)).not.toContain('polluted');
    },
  );

  it('drops only a member that is nested too deeply', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const escape of ['', '\\ud800']) {
      const answer = parsed(`{"items":[{"id":"a","title":"t${escape}","deep":${deep},"flat":[1]}]}`);
      expect(answer.items[0]?.extra['flat']).toEqual([1]);
      expect(JSON.stringify(answer).length).toBeLessThan(1000);
    }
  });
});

describe('a body', () => {
  it.each(['', '{', 'null,', '<html>', '{"items":[]} trailing'])('%j is not valid JSON', (text) => {
    expect(codeOf(() => parseJson(text))).toBe('invalid_body');
  });
});

describe('a page of items', () => {
  // Holds: news-2-item-cursor
  it.each([
    [{ hasMore: true, nextCursor: 'n' }, true, 'n'],
    [{ hasMore: false, nextCursor: null }, false, null],
    [{ hasMore: false, nextCursor: 'n' }, false, null],
    [{ nextCursor: 'n' }, true, 'n'],
    [{}, false, null],
  ])('with %j has a next page: %s', (page, hasMore, nextCursor) => {
    const contradicts = JSON.stringify(page) === JSON.stringify({ hasMore: false, nextCursor: 'n' });
    const answer = { items: [], hasMore, nextCursor, contradicts, skipped: [] };
    expect(readItemsAnswer({ items: [], page })).toEqual(answer);
  });

  it.each([
    null,
    7,
    [],
    {},
    { items: null },
    { items: {} },
    { items: [], page: { hasMore: true } },
    { items: [], page: { hasMore: true, nextCursor: '' } },
  ])('%j is rejected', (value) => {
    expect(codeOf(() => readItemsAnswer(value))).toBe('invalid_body');
  });
});

describe('a page of the snapshot', () => {
  const page = {
    asOf: '2026-03-18T06:00:00Z',
    fields: 'default',
    cursor: 'c-1',
    count: 3,
    hasMore: true,
    nextPage: 'p-2',
  };

  it('has the cursor and the next page', () => {
    expect(readSnapshotPage({ ...page, items: [FULL, null] })).toEqual({
      asOf: '2026-03-18T06:00:00Z',
      cursor: 'c-1',
      count: 3,
      hasMore: true,
      nextPage: 'p-2',
      items: [{ ...FULL, extra: {} }],
      skipped: [{ reason: 'a record is null, not an object' }],
    });
  });

  it.each([
    ['a cursor', { cursor: undefined }],
    ['a cursor that is not empty', { cursor: '' }],
    ['items', { items: undefined }],
    ['a next page although there is more', { nextPage: null }],
    ['more although there is a next page', { hasMore: false }],
  ])('is rejected without %s', (_, change) => {
    expect(codeOf(() => readSnapshotPage({ ...page, items: [], ...change }))).toBe('invalid_body');
  });
});

describe('a page of changes', () => {
  it('has upserts and removals in order, and skips invalid records', () => {
    const changes = [
      { op: 'upsert', changedAt: '2026-03-18T06:00:00Z', item: { id: 'a', title: 't' } },
      { op: 'remove', changedAt: '2026-03-18T06:01:00Z', id: 'a' },
      { op: 'remove', id: 'b' },
      { op: 'rename', id: 'c' },
      { op: 'upsert', item: { title: 'no id' } },
      { op: 'upsert', item: null },
      { op: 'remove' },
      { id: 'd' },
      null,
    ];
    const page = readChangesPage({ cursor: 'c-2', count: 9, hasMore: false, changes }, 'c-1');
    expect(page.changes).toEqual([
      { op: 'upsert', changedAt: '2026-03-18T06:00:00Z', item: { ...BARE, id: 'a', title: 't' } },
      { op: 'remove', changedAt: '2026-03-18T06:01:00Z', id: 'a' },
      { op: 'remove', changedAt: null, id: 'b' },
    ]);
    expect(page.skipped.map(({ reason }) => reason)).toEqual([
      'op rename is unknown',
      'id is missing or not a string',
      'item is missing or not an object',
      'id is missing or not a string',
      'op is missing or not a string',
      'a record is null, not an object',
    ]);
  });

  it.each([{ cursor: 'c-1', hasMore: true, changes: [] }, { hasMore: false, changes: [] }, { cursor: 'c-2' }])(
    '%j is rejected',
    (value) => {
      expect(codeOf(() => readChangesPage(value, 'c-1'))).toBe('invalid_body');
    },
  );
});
