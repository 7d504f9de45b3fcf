import { describe, expect, it } from 'vitest';
import type { CitationWithStatus, StoredReport } from '../../src-main/contract/model/report.ts';
import { isUnread, readingMinutes, reportLength } from '../../src-main/common/readable-report.ts';
import { citation, daily } from '../support/reports.ts';

const words = (count: number): string => 'word '.repeat(count);

describe('the time it takes to read', () => {
  it.each([
    ['nothing', [null, '', ' — …'], 0],
    ['a few words is a minute', ['Three short words'], 1],
    ['240 words is a minute', [words(240)], 1],
    ['1,440 words is six', [words(720), words(720)], 6],
    ['400 Chinese characters is a minute', ['字'.repeat(400)], 1],
    ['Chinese with English is the sum of both', ['字'.repeat(1_200) + words(480)], 5],
    ['words with apostrophes, hyphens and points are one each', [`don’t state-of-the-art 2.5 `.repeat(160)], 2],
    ['Japanese and Korean is read like Chinese', ['カ'.repeat(400) + '한'.repeat(400)], 2],
  ])('%s', (_name, texts, minutes) => {
    expect(readingMinutes(texts)).toBe(minutes);
  });
});

const shown = (name: string, rest: Partial<CitationWithStatus> = {}): CitationWithStatus => ({
  ...citation(name),
  itemId: null,
  readAt: null,
  key: `//example.org/${name}`,
  ...rest,
});

function stored(stories: CitationWithStatus[], flashes: CitationWithStatus[]): StoredReport {
  return {
    ...daily({}),
    sections: [{ label: 'A', summary: null, items: stories, extra: {} }],
    flashes,
    listed: { headline: null, overview: null, attribution: null },
    fetchedAt: '',
    checkedAt: '',
    freshUntil: '',
    goneAt: null,
    readAt: null,
    corrections: [],
    previous: null,
    next: null,
  };
}

describe('the length of a report', () => {
  it('counts stories and briefs, and which of them were read', () => {
    const read = { readAt: '2026-03-18T00:00:00Z' };
    const report = stored([shown('a', read), shown('b'), shown('c', { summary: words(2_400) })], [shown('d', read)]);
    expect(reportLength(report)).toEqual({ stories: 4, minutes: 10, read: 2, unread: 2 });
  });

  it('never waits for a story without an address, which has no mark', () => {
    const report = stored([shown('a', { key: null }), shown('b')], []);
    expect(reportLength(report)).toMatchObject({ stories: 2, read: 0, unread: 1 });
    expect(isUnread({ key: null, readAt: null })).toBe(false);
  });

  it('reads a lead that repeats the first story once', () => {
    const lead = { headline: 'Title of a', overview: words(480) };
    const once = stored([shown('a', { summary: words(480) })], []);
    expect(reportLength({ ...once, ...lead })).toMatchObject({ stories: 1, minutes: 2 });
  });
});
