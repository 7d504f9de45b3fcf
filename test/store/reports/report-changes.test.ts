import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src-main/contract/model/report.ts';
import { compareReports } from '../../../src-main/store/reports/report-changes.ts';
import { citation, daily } from '../../support/reports.ts';

const changesOf = (before: Report, after: Report) =>
  compareReports(before, after).corrections.map(({ kind, section, text }) => ({ kind, section, text }));
const fact = (kind: string, section: string | null) => ({ kind, section, text: null });

describe('the differences between two versions of a report', () => {
  it('are none if both are equal', () => {
    expect(changesOf(daily({ A: ['a', 'b'] }), daily({ A: ['a', 'b'] }))).toEqual([]);
  });

  it.each([
    ['a headline', { headline: 'Another' }, 'headline', 'A headline', 'Another'],
    ['an overview that was taken away', { overview: null }, 'overview', 'An overview', ''],
  ])('include edited texts of the report: %s', (_what, patch, field, before, after) => {
    expect(changesOf(daily({ A: ['a'] }), daily({ A: ['a'] }, patch))).toEqual([
      { kind: 'edited', section: null, text: { field, before, after } },
    ]);
  });

  it('include edited texts of citations, matched by canonical original address', () => {
    const moved = citation('a', {
      title: 'New',
      links: { aihot: null, original: 'http://EXAMPLE.org/a/?utm_source=x' },
    });
    expect(changesOf(daily({ A: ['a'] }), daily({ A: [moved] }))).toEqual([
      { kind: 'edited', section: 'A', text: { field: 'title', before: 'Title of a', after: 'New' } },
    ]);
  });

  it('include withdrawals, additions and reordering', () => {
    expect(changesOf(daily({ A: ['a', 'b'] }), daily({ A: ['a'] }))).toEqual([fact('withdrawn', 'A')]);
    expect(changesOf(daily({ A: ['a'] }), daily({ A: ['a', 'b'] }))).toEqual([fact('added', 'A')]);
    expect(changesOf(daily({ A: ['a', 'b'] }), daily({ A: ['b', 'a'] }))).toEqual([fact('reordered', 'A')]);
  });

  it('include reordering if a citation moved to another section or sections changed places', () => {
    expect(changesOf(daily({ A: ['a', 'b'], B: ['c'] }), daily({ A: ['a'], B: ['b', 'c'] }))).toEqual([
      fact('reordered', 'A'),
      fact('reordered', 'B'),
    ]);
    expect(changesOf(daily({ A: ['a'], B: ['b'] }), daily({ B: ['b'], A: ['a'] }))).toEqual([fact('reordered', null)]);
  });

  it('include no reordering if a citation is withdrawn or added between others', () => {
    expect(changesOf(daily({ A: ['a', 'b', 'c'] }), daily({ A: ['a', 'c', 'd'] }))).toEqual([
      fact('withdrawn', 'A'),
      fact('added', 'A'),
    ]);
  });

  it('include a renamed section, without withdrawing its citations', () => {
    expect(changesOf(daily({ A: ['a', 'b'] }), daily({ Z: ['a', 'b'] }))).toEqual([
      { kind: 'edited', section: 'Z', text: { field: 'label', before: 'A', after: 'Z' } },
    ]);
  });

  it('include flashes', () => {
    const before = daily({}, { flashes: [citation('a'), citation('b')] });
    expect(changesOf(before, daily({}, { flashes: [citation('b')] }))).toEqual([fact('withdrawn', 'flashes')]);
  });

  it('match citations by position if they have the same address, or none', () => {
    const nowhere = (title: string) => citation(title, { title, links: { aihot: null, original: null } });
    expect(changesOf(daily({ A: ['a', 'a'] }), daily({ A: ['a'] }))).toEqual([fact('withdrawn', 'A')]);
    expect(changesOf(daily({ A: [nowhere('x')] }), daily({ A: [nowhere('y')] }))).toMatchObject([
      { kind: 'edited', text: { field: 'title', before: 'x', after: 'y' } },
      { kind: 'edited', text: { field: 'summary' } },
    ]);
  });

  it('contain no text of withdrawn citations, even if the report repeated it', () => {
    const before = daily(
      { A: ['gone', 'b'] },
      { headline: 'Title of gone', overview: 'What gone is about, in some words' },
    );
    const after = daily({ A: ['b'] }, { headline: 'Title of b', overview: 'Another overview' });
    expect(changesOf(before, after)).toEqual([fact('edited', null), fact('edited', null), fact('withdrawn', 'A')]);
  });
});
