import { describe, expect, it } from 'vitest';
import {
  canFold,
  FIRST_QUERY,
  queryOf,
  sameView,
  viewOf,
  withCategory,
  withText,
} from '../../../../src-renderer/features/feed/query.ts';
import type { ViewId } from '../../../../src-renderer/ui/page-context.ts';

const VIEWS: ViewId[] = [
  { kind: 'selected' },
  { kind: 'everything' },
  { kind: 'starred' },
  { kind: 'muted' },
  { kind: 'saved', id: 'a' },
  { kind: 'source', source: 'a' },
];

describe('a view and its query', () => {
  it.each(VIEWS)('agree: $kind', (view) => {
    expect(viewOf(queryOf(view, 'selected'))).toEqual(view);
  });

  it('agree for what only narrows a list: it belongs to the list', () => {
    expect(viewOf(queryOf({ kind: 'unread' }, 'selected'))).toEqual({ kind: 'everything' });
    const category = { kind: 'category', category: 'tip' } as const;
    expect(viewOf(queryOf(category, 'selected'))).toEqual({ kind: 'selected' });
    expect(viewOf(queryOf(category, 'all'))).toEqual({ kind: 'everything' });
  });

  it('are distinguished', () => {
    expect(VIEWS.every((a, i) => VIEWS.every((b, j) => sameView(a, b) === (i === j)))).toBe(true);
    expect(sameView({ kind: 'saved', id: 'a' }, { kind: 'saved', id: 'b' })).toBe(false);
  });
});

describe('a query', () => {
  it.each([{ saved: 'a' }, { muted: true }, { text: 'a' }, { source: 'a' }, { state: 'unread' }] as const)(
    'with %o shows each match',
    (part) => {
      expect(canFold(FIRST_QUERY)).toBe(true);
      expect(canFold({ ...FIRST_QUERY, ...part })).toBe(false);
    },
  );

  it('has no empty text and no empty category', () => {
    expect(withText(withText(FIRST_QUERY, 'x'), '  ')).toEqual(FIRST_QUERY);
    expect(withCategory(withCategory(FIRST_QUERY, 'tip'), null)).toEqual(FIRST_QUERY);
  });
});
