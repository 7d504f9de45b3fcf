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
  { kind: 'unread' },
  { kind: 'starred' },
  { kind: 'category', category: 'paper' },
];

describe('a view and its query', () => {
  it.each(VIEWS)('agree: $kind', (view) => {
    expect(viewOf(queryOf(view, 'selected'))).toEqual(view);
  });

  it('keep the scope when a category is chosen', () => {
    expect(queryOf({ kind: 'category', category: 'tip' }, 'all').scope).toBe('all');
  });

  it('are distinguished', () => {
    expect(VIEWS.every((a, i) => VIEWS.every((b, j) => sameView(a, b) === (i === j)))).toBe(true);
    expect(sameView({ kind: 'category', category: 'a' }, { kind: 'category', category: 'b' })).toBe(false);
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
