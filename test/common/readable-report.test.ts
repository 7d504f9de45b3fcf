import { describe, expect, it } from 'vitest';
import { readableReport } from '../../src-main/common/readable-report.ts';
import { citation, daily, storedReport } from '../support/reports.ts';

const LEAD = { headline: 'A model is released', overview: 'It is small, and fast.' };

describe('a daily whose first story repeats its lead', () => {
  const first = citation('a', { title: '  A model is  released。', summary: LEAD.overview });

  it('has it once, with the lead', () => {
    const shown = readableReport(storedReport(daily({ Empty: [], A: [first, 'b'], B: ['c'] }, LEAD)));
    expect(shown).toMatchObject({ ...LEAD, lead: { links: first.links } });
    expect(shown.sections.map(({ label, items }) => [label, items.map(({ title }) => title)])).toEqual([
      ['Empty', []],
      ['A', ['Title of b']],
      ['B', ['Title of c']],
    ]);
  });

  it.each([
    ['a shorter text', 'It is small', LEAD.overview],
    ['a longer text', `${LEAD.overview} And more.`, `${LEAD.overview} And more.`],
    ['another text', 'Something else.', `${LEAD.overview}\n\nSomething else.`],
    ['no text', null, LEAD.overview],
    ['an empty text', ' ', LEAD.overview],
  ])('loses nothing of it if it has %s', (_, summary, overview) => {
    const report = storedReport(daily({ A: [{ ...first, summary }] }, LEAD));
    expect(readableReport(report)).toMatchObject({ overview, sections: [] });
  });

  it('keeps the story with its own title, but not its text, if only the text is the same', () => {
    const other = { ...first, title: 'Another title' };
    const { lead, overview, sections } = readableReport(storedReport(daily({ A: [other, 'b'] }, LEAD)));
    expect([lead, overview]).toEqual([null, LEAD.overview]);
    expect(sections[0]?.items.map(({ title, summary }) => [title, summary === null])).toEqual([
      ['Another title', true],
      ['Title of b', false],
    ]);
  });

  it('also with the lead of its index', () => {
    const listed = { ...LEAD, attribution: null };
    const bare = { headline: null, overview: null };
    const report = storedReport(daily({ A: [first, 'b'] }, bare), { listed });
    expect(readableReport(report)).toMatchObject({ ...LEAD, lead: { title: first.title } });
  });
});

describe('any other report', () => {
  it('is shown as it is', () => {
    const report = storedReport(daily({ A: ['a', citation('b', { title: LEAD.headline })] }, LEAD));
    expect(readableReport(report)).toMatchObject({ ...LEAD, lead: null, sections: report.sections });
    const bare = storedReport(
      daily({ A: [citation('a', { title: '', summary: null })] }, { headline: '', overview: null }),
    );
    expect(readableReport(bare)).toMatchObject({ lead: null, sections: bare.sections });
    const weekly = storedReport(
      daily({ A: [citation('a', { title: LEAD.headline })] }, { ...LEAD, kind: 'weekly', label: '2026-W12' }),
    );
    expect(readableReport(weekly).lead).toBeNull();
  });

  it('has the attribution of its index entry if it has none itself', () => {
    const credit = { name: 'The index', url: null };
    const own = { name: 'The report', url: null };
    const listed = { headline: null, overview: null, attribution: credit };
    expect(readableReport(storedReport(daily({}), { listed })).attribution).toEqual(credit);
    expect(readableReport(storedReport(daily({}, { attribution: own }), { listed })).attribution).toEqual(own);
  });
});
