import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src-main/contract/model/report.ts';
import { compareReports } from '../../../src-main/store/reports/report-changes.ts';
import { citation, daily } from '../../support/reports.ts';

const told = (before: Report, after: Report) =>
  compareReports(before, after).corrections.map(({ kind, section, text }) => ({ kind, section, text }));
const fact = (kind: string, section: string | null) => ({ kind, section, text: null });

describe('what differs between two versions of a report', () => {
  it('is nothing where they say the same', () => {
    expect(told(daily({ A: ['a', 'b'] }), daily({ A: ['a', 'b'] }))).toEqual([]);
  });

  it.each([
    ['a headline', { headline: 'Another' }, 'headline', 'A headline', 'Another'],
    ['an overview that was taken away', { overview: null }, 'overview', 'An overview', ''],
  ])('is an edited text of the report: %s', (_what, patch, field, before, after) => {
    expect(told(daily({ A: ['a'] }), daily({ A: ['a'] }, patch))).toEqual([
      { kind: 'edited', section: null, text: { field, before, after } },
    ]);
  });

  it('is an edited text of a citation, known by its canonical original address', () => {
    const moved = citation('a', {
      title: 'New',
      links: { aihot: null, original: 'http://EXAMPLE.org/a/?utm_source=x' },
    });
    expect(told(daily({ A: ['a'] }), daily({ A: [moved] }))).toEqual([
      { kind: 'edited', section: 'A', text: { field: 'title', before: 'Title of a', after: 'New' } },
    ]);
  });

  it('is a withdrawal, an arrival, another order', () => {
    expect(told(daily({ A: ['a', 'b'] }), daily({ A: ['a'] }))).toEqual([fact('withdrawn', 'A')]);
    expect(told(daily({ A: ['a'] }), daily({ A: ['a', 'b'] }))).toEqual([fact('added', 'A')]);
    expect(told(daily({ A: ['a', 'b'] }), daily({ A: ['b', 'a'] }))).toEqual([fact('reordered', 'A')]);
  });

  it('is another order where a citation stands in another section now, and where sections changed places', () => {
    expect(told(daily({ A: ['a', 'b'], B: ['c'] }), daily({ A: ['a'], B: ['b', 'c'] }))).toEqual([
      fact('reordered', 'A'),
      fact('reordered', 'B'),
    ]);
    expect(told(daily({ A: ['a'], B: ['b'] }), daily({ B: ['b'], A: ['a'] }))).toEqual([fact('reordered', null)]);
  });

  it('is no other order where one is withdrawn or added between others', () => {
    expect(told(daily({ A: ['a', 'b', 'c'] }), daily({ A: ['a', 'c', 'd'] }))).toEqual([
      fact('withdrawn', 'A'),
      fact('added', 'A'),
    ]);
  });

  it('is a new name of a section, and no withdrawal of what is in it', () => {
    expect(told(daily({ A: ['a', 'b'] }), daily({ Z: ['a', 'b'] }))).toEqual([
      { kind: 'edited', section: 'Z', text: { field: 'label', before: 'A', after: 'Z' } },
    ]);
  });

  it('is told of flashes as well', () => {
    const before = daily({}, { flashes: [citation('a'), citation('b')] });
    expect(told(before, daily({}, { flashes: [citation('b')] }))).toEqual([fact('withdrawn', 'flashes')]);
  });

  it('goes by the place where citations have one address, or none', () => {
    const nowhere = (title: string) => citation(title, { title, links: { aihot: null, original: null } });
    expect(told(daily({ A: ['a', 'a'] }), daily({ A: ['a'] }))).toEqual([fact('withdrawn', 'A')]);
    expect(told(daily({ A: [nowhere('x')] }), daily({ A: [nowhere('y')] }))).toMatchObject([
      { kind: 'edited', text: { field: 'title', before: 'x', after: 'y' } },
      { kind: 'edited', text: { field: 'summary' } },
    ]);
  });

  it('holds no text of what was withdrawn, not even where the report repeated it', () => {
    const before = daily(
      { A: ['gone', 'b'] },
      { headline: 'Title of gone', overview: 'What gone is about, in some words' },
    );
    const after = daily({ A: ['b'] }, { headline: 'Title of b', overview: 'Another overview' });
    expect(told(before, after)).toEqual([fact('edited', null), fact('edited', null), fact('withdrawn', 'A')]);
  });
});
