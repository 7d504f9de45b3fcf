import { describe, expect, it } from 'vitest';
import { rowDescription, rowName } from '../../../../src-renderer/features/feed/row-name.ts';
import { madeUpRow } from '../../support/made-up-items.ts';

const NOW = new Date(2026, 10, 20, 12, 0).getTime();
const HOUR_AGO = new Date(NOW - 3_600_000).toISOString();
const UNREAD = { readAt: null, starredAt: null };
const ROW = madeUpRow(0, NOW, {
  title: 'A new model.',
  summary: 'What it can do.',
  source: { name: 'Northlight Blog' },
  category: 'paper',
  publishedAt: HOUR_AGO,
  effectiveAt: new Date(NOW).toISOString(),
  state: UNREAD,
});
const nameOf = (changes: Parameters<typeof madeUpRow>[2], removal?: 'leftSelection'): string =>
  rowName({ ...ROW, ...changes }, removal, NOW, 'en').replace(/\u202f/g, ' ');

describe('a row is called', () => {
  it.each([
    ['an unread one', {}, 'Unread. A new model. Northlight Blog, Papers, 11:00 AM'],
    [
      'a read and starred one',
      { state: { readAt: HOUR_AGO, starredAt: HOUR_AGO } },
      'A new model. Northlight Blog, Papers, 11:00 AM. Starred',
    ],
    ['one that asks', { title: 'Why?' }, 'Unread. Why?. Northlight Blog, Papers, 11:00 AM'],
    ['one without a category', { category: null }, 'Unread. A new model. Northlight Blog, 11:00 AM'],
    [
      'one without title and source',
      { title: '', source: { name: null } },
      'Unread. Untitled. Unknown source, Papers, 11:00 AM',
    ],
  ])('%s', (_, changes, name) => {
    expect(nameOf(changes)).toBe(name);
  });

  it('one that left the selection, or was withdrawn, with that first', () => {
    expect(nameOf({}, 'leftSelection')).toMatch(/^Unread\. No longer a pick\. A new model\./);
    expect(nameOf({ withdrawnAt: HOUR_AGO })).toMatch(/^Unread\. Withdrawn\. Withdrawn item\. Papers/);
  });

  it('and described by its summary', () => {
    expect(rowDescription(ROW)).toBe('What it can do.');
    expect(rowDescription({ ...ROW, summary: null })).toBeUndefined();
    expect(rowDescription({ ...ROW, withdrawnAt: HOUR_AGO })).toMatch(/^Its text has been deleted|deleted/);
  });
});
