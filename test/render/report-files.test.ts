import { describe, expect, it } from 'vitest';
import { renderReport } from '../../src-main/render/report-files.ts';
import { TERMINAL_AUDIENCE, toTerminal } from '../../src-main/node/commands/document-text.ts';
import { reportDocument } from '../../src-main/render/report.ts';
import { citation, daily, storedReport } from '../support/reports.ts';

const HEADLINE = 'A model is released';
const OVERVIEW = 'It is small and fast.';
const first = citation('a', {
  title: HEADLINE,
  summary: OVERVIEW,
  source: { name: 'X：The lab (@lab)' },
  links: { aihot: null, original: 'https://lab.example/model' },
});
const credit = { name: 'The index', url: 'https://index.example/' };
const report = storedReport(daily({ A: [first, 'b'] }, { headline: null, overview: null }), {
  listed: { headline: HEADLINE, overview: OVERVIEW, attribution: credit },
});
const times = (text: string, part: string): number => text.split(part).length - 1;

describe('a daily whose first story repeats the lead of its index', () => {
  it.each(['md', 'html'] as const)('says it once in %s, with its link and source', (format) => {
    const { text } = renderReport(report, format, { locale: 'en' });
    const body = format === 'html' ? (text.split('<main>')[1] ?? '') : text;
    expect([times(body, HEADLINE), times(body, OVERVIEW)]).toEqual([1, 1]);
    expect(body).toContain('https://lab.example/model');
    expect(body).toContain('The lab');
    expect(body).not.toContain('@lab');
    expect(body).toContain('The index');
    expect(body).toContain('Title of b');
  });

  it('says it once in a terminal', () => {
    const text = toTerminal(reportDocument(report, TERMINAL_AUDIENCE)).toString();
    expect([times(text, HEADLINE), times(text, OVERVIEW)]).toEqual([1, 1]);
    expect(text).toMatch(/\no The lab\nhttps:\/\/lab.example\/model\n/);
    expect(text).toContain('The index https://index.example/');
  });

  it('is as served in json', () => {
    const { report: served } = JSON.parse(renderReport(report, 'json', { locale: 'en' }).text) as { report: object };
    expect(served).toMatchObject({ lead: null, attribution: null, sections: [{ items: [{ title: HEADLINE }, {}] }] });
  });
});
