import { describe, expect, it } from 'vitest';
import { modelChip, rowDescription, rowName } from '../../../../src-renderer/features/feed/row-name.ts';
import { madeUpRow } from '../../support/made-up-items.ts';

const NOW = new Date(2026, 10, 20, 12, 0).getTime();
const HOUR_AGO = new Date(NOW - 3_600_000).toISOString();
const UNREAD = { readAt: null, starredAt: null };
const ROW = madeUpRow(0, NOW, {
  title: 'A new model.',
  summary: 'What it can do.',
  source: { name: 'Northlight Blog' },
  category: 'paper',
  publishedAt: new Date(NOW - 5 * 3_600_000).toISOString(),
  effectiveAt: HOUR_AGO,
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

describe('the model of a row', () => {
  const chipOf = (title: string, ...names: string[]): string =>
    modelChip({
      title,
      models: names.map((name) => ({ modelList: 'models', id: name, name, contextLength: null, pricing: {} as never })),
    });

  it.each([
    ['is named without its vendor', 'A cheaper model', ['Northlight: Aurora 32B'], 'Aurora 32B'],
    ['is named without its variant', 'A cheaper model', ['Northlight: Aurora 32B (free)'], 'Aurora 32B'],
    ['is not repeated from the title', 'Aurora 32B gets cheaper', ['Northlight: Aurora 32B (free)'], ''],
    ['is not repeated from a title that writes it in another way', 'aurora-32b gets cheaper', ['Aurora 32B'], ''],
    ['is not repeated from a title that names it in Chinese', '鹤鸣-3 Flash 离线运行', ['Heming-3 Flash'], ''],
    ['is named where only a figure is the same', '发布 3 个模型', ['Heming-3'], 'Heming-3'],
    ['is not named beside another of the title', 'Aurora 32B gets cheaper', ['Vellum 2', 'Aurora 32B'], ''],
    ['is the first of several', 'Two are cheaper', ['Aurora 32B', 'Vellum 2'], 'Aurora 32B'],
    ['is none where the row has none', 'A cheaper model', [], ''],
    ['is what it is called, even in brackets alone', 'A cheaper model', ['(free)'], '(free)'],
  ])('%s', (_, title, names, chip) => {
    expect(chipOf(title, ...names)).toBe(chip);
  });
});
