import { describe, expect, it } from 'vitest';
import { createNewsClient, type NewsClient } from '../../../src-main/clients/news/client.ts';
import { readReport, readReportIndex } from '../../../src-main/clients/news/report-schemas.ts';
import { lineAsServed, reportAsServed } from '../../../src-main/common/report-json.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { served, servedReport, TWELVE_DAYS } from '../../support/reports.ts';
import { client, closeAfterTest, errorOf } from '../tiny-service.ts';

async function setUp(): Promise<{ service: DemoService; news: NewsClient }> {
  const clock = fakeClock(TWELVE_DAYS.start);
  const service = await startDemoService({ clock, content: TWELVE_DAYS.content });
  closeAfterTest(() => service.close());
  return { service, news: createNewsClient({ http: client({ clock }), baseAddress: service.newsAddress }) };
}

const KINDS = [
  { kind: 'daily', path: '/dailies', most: 180, label: '2026-03-05', count: 12 },
  { kind: 'weekly', path: '/weeklies', most: 60, label: '2026-W10', count: 3 },
  { kind: 'monthly', path: '/monthlies', most: 60, label: '2026-03', count: 2 },
] as const;

/** In the form of a label, but not in the calendar. */
const IMPOSSIBLE = {
  daily: ['2026-13-45', '2025-02-30', '2026-00-10'],
  weekly: ['2026-W99', '2025-W53', '2026-W00'],
  monthly: ['2025-13', '2026-00'],
};

describe.each(KINDS)('$path', ({ kind, path, most, label, count }) => {
  // Holds: news-4.4-index, news-4.5-index, news-4.6-index
  it('returns the index, newest first, field by field', async () => {
    const { service, news } = await setUp();
    const answer = await news.reportIndex(kind, { limit: most });
    const lines = answer.kind === 'fresh' ? answer.value.records : [];
    const { items } = await served<{ items: unknown[] }>({ service }, path);
    expect(lines).toHaveLength(count);
    expect(lines.map(lineAsServed)).toEqual(items);
  });

  // Holds: news-1-fixed-editions, news-2-weekly-label, news-2-weekly-days, news-2-weekly-headline
  // Holds: news-2-weekly-overview, news-2-weekly-sections, news-2-weekly-page, news-2-monthly-label
  // Holds: news-2-monthly-days, news-2-monthly-headline, news-2-monthly-overview, news-2-monthly-sections
  // Holds: news-2-monthly-page, news-4.4-latest, news-4.4-one, news-4.5-latest, news-4.5-one, news-4.6-latest
  // Holds: news-4.6-one, news-4.6-latest-responses
  it('returns a report by its label and the latest one, field by field', async () => {
    const { service, news } = await setUp();
    const report = await servedReport({ service }, `${path}/${label}`);
    for (const answer of [await news.report(kind, label), await news.latestReport(kind)]) {
      if (answer.kind !== 'fresh') throw new Error('Unexpected "not modified".');
      expect(answer.value.report).toMatchObject({ kind, label });
      expect(answer.value.skipped).toEqual([]);
      expect(reportAsServed(answer.value.report)).toEqual(report);
    }
  });

  // Holds: news-4.4-index-limit, news-4.5-index-limit, news-4.6-index-limit, news-8-dailies-limit
  // Holds: news-8-weeklies-limit, news-8-monthlies-limit
  it(`accepts a limit from 1 to ${String(most)}, and sends nothing with another one`, async () => {
    const { service, news } = await setUp();
    for (const limit of [0, -1, most + 1, 1.5, Number.NaN]) {
      await expect(news.reportIndex(kind, { limit })).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect(service.requests).toEqual([]);
    for (const limit of [1, most]) expect((await news.reportIndex(kind, { limit })).kind).toBe('fresh');
    expect(service.requests.map(({ query }) => query)).toEqual(['?limit=1', `?limit=${String(most)}`]);
  });

  // Holds: news-4.4-date, news-4.5-week
  it('sends nothing with an invalid label', async () => {
    const { service, news } = await setUp();
    for (const wrong of [
      '',
      'latest',
      '../../items',
      '2026-3-5',
      '2026-W1',
      '2026',
      '2026-03-05?x=1',
      ...IMPOSSIBLE[kind],
    ]) {
      await expect(news.report(kind, wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect(service.requests).toEqual([]);
  });

  it('skips labels that are not in the calendar, and keeps the others', () => {
    const name = { daily: 'date', weekly: 'week', monthly: 'month' }[kind];
    const items = [...IMPOSSIBLE[kind], label].map((wrong) => ({ [name]: wrong }));
    const { records, skipped } = readReportIndex(kind, { items }, most);
    expect(records.map((record) => record.label)).toEqual([label]);
    expect(skipped.map(({ reason }) => reason)).toEqual(
      IMPOSSIBLE[kind].map((wrong) => expect.stringContaining(wrong) as string),
    );
    for (const wrong of IMPOSSIBLE[kind])
      expect(() => readReport(kind, { report: { [name]: wrong } })).toThrow(
        expect.objectContaining({ code: 'invalid_body' }),
      );
  });
});

describe('a report', () => {
  const read = (report: unknown, kind: ReportKind = 'daily') => readReport(kind, { report }).report;

  it('needs only its label', () => {
    expect(read({ date: '2026-03-18' })).toMatchObject({
      label: '2026-03-18',
      sections: [],
      flashes: [],
      headline: null,
    });
    expect(read({ week: '2026-W12' }, 'weekly')).toMatchObject({ label: '2026-W12' });
    expect(() => read({ date: '18 March' })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
    expect(() => read({ title: 'none' })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
    expect(() => readReport('daily', { reports: [] })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });

  // Holds: news-2-other-fields
  it('keeps unknown fields at every level', () => {
    const report = {
      date: '2026-03-18',
      mood: 'calm',
      generatedAt: null,
      windowStart: null,
      windowEnd: null,
      links: { aihot: null, print: 'p' },
      attribution: { name: null, url: null, role: 'r' },
      lead: { title: 't', leadParagraph: 'p', image: 'i' },
      sections: [
        {
          label: 'A',
          color: 'red',
          items: [
            {
              title: 'a',
              summary: '',
              source: { name: null, id: 5 },
              links: { aihot: null, original: null, amp: 'x' },
              attribution: null,
              rank: 1,
            },
          ],
        },
        { label: 'Empty', items: [] },
      ],
      flashes: [],
    };
    expect(reportAsServed(read(report))).toEqual(report);
  });

  it('treats fields of the wrong type as absent, and skips a citation without a title', () => {
    const { report, skipped } = readReport('daily', {
      report: {
        date: '2026-03-18',
        generatedAt: 5,
        lead: 'no lead',
        sections: [
          { label: 7, items: [{ title: 'a', links: 'none', summary: 3 }, { summary: 'no title' }, 'text'] },
          { items: 'none' },
          5,
        ],
        flashes: { 0: 'none' },
      },
    });
    expect(report).toMatchObject({ generatedAt: null, headline: null, flashes: [] });
    expect(report.sections.map(({ label, items }) => [label, items.map(({ title }) => title)])).toEqual([
      ['', ['a']],
      ['', []],
    ]);
    expect(skipped).toHaveLength(8);
  });

  it('ends at the requested length, whatever follows', () => {
    const items = [{ month: '2026-03' }, { month: '2026-02' }, { month: '2026-01' }, null];
    const { records, skipped } = readReportIndex('monthly', { items }, 2);
    expect(records.map(({ label }) => label)).toEqual(['2026-03', '2026-02']);
    expect(skipped).toEqual([{ reason: expect.stringContaining('4 entries instead of 2') as string }]);
  });

  it('with another label than the requested one is rejected', async () => {
    const { service } = await setUp();
    const news = createNewsClient({ http: client({ clock: fakeClock() }), baseAddress: service.newsAddress });
    const other = { ...(await servedReport({ service }, '/dailies/2026-03-05')), date: '2026-03-04' };
    service.control.correctDaily('2026-03-05', other as never);
    expect(await errorOf(news.report('daily', '2026-03-05'))).toMatchObject({ code: 'invalid_body' });
  });
});
