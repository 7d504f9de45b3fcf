import { describe, expect, it } from 'vitest';
import { askedPaths, openArchive, reportLabels, syncReports } from '../../support/archive.ts';
import { servedReport, type ServedReport } from '../../support/reports.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const HOUR = 3_600_000;

describe('a report that is opened', () => {
  // Holds: news-1-revalidate-editions
  it('is fetched if missing, and again only after its lifetime', async () => {
    const app = await openTestApp({ content: { selected: 120, days: 40 } });
    await syncReports(app, 'due', ['dailies']);
    const label = (await reportLabels(app, 'daily')).at(-1) ?? '';
    const open = () => app.call('reports.open', { kind: 'daily', label });
    const from = app.service.requests.length;
    expect(await open()).toMatchObject({ kind: 'daily', label, next: expect.any(String) as string });
    await open();
    expect(askedPaths(app, from)).toEqual([`/dailies/${label}`]);
    app.clock.advance(301_000);
    await Promise.all([open(), open()]);
    expect(app.service.requests.slice(from).map(({ status }) => status)).toEqual([200, 304]);
    expect(app.heard('reports.changed').at(-1)).toEqual({ kind: 'daily', labels: [label] });
  });
});

describe('what is read', () => {
  it('can be the rest of a report: in one transaction, with one event', async () => {
    const app = await openTestApp({ content: { selected: 60, days: 6 } });
    await app.call('sync.run', { urgency: 'now', resources: ['selected', 'dailies'] });
    const [label = ''] = await reportLabels(app, 'daily');
    const stories = async () =>
      (await app.call('reports.get', { kind: 'daily', label })).sections.flatMap(({ items }) => items);
    const keys = (await stories()).flatMap(({ key }) => key ?? []);
    app.events.length = 0;
    await app.call('reports.markCitations', { keys, read: true });
    expect((await stories()).every(({ readAt }) => readAt !== null)).toBe(true);
    expect(app.heard('marks.changed')).toHaveLength(1);
    await app.call('reports.markCitations', { keys, read: false });
    expect((await stories()).every(({ readAt }) => readAt === null)).toBe(true);
    const invalid = { keys: [keys[0]!, 'HTTP://a.example/'], read: true };
    expect(await app.reply('reports.markCitations', invalid)).toMatchObject({ error: { code: 'invalid_argument' } });
    expect((await stories())[0]!.readAt).toBeNull();
  });

  it('of a whole report is reported', async () => {
    const app = await openArchive();
    await syncReports(app, 'now', ['monthlies']);
    await app.call('reports.mark', { kind: 'monthly', label: '2026-02', read: true });
    expect(await app.call('reports.index', { kind: 'monthly' })).toMatchObject({
      lines: [{ readAt: null }, { readAt: '2026-04-03T06:30:00.000Z' }],
    });
    expect(app.heard('reports.changed').at(-1)).toEqual({ kind: 'monthly', labels: ['2026-02'] });
  });
});

describe('a correction', () => {
  const LABEL = '2026-03-05';
  const stored = ({ call }: TestApp) => call('reports.get', { kind: 'daily', label: LABEL });

  async function corrected(
    change: (report: ServedReport) => Partial<ServedReport>,
  ): Promise<{ app: TestApp; before: ServedReport }> {
    const app = await openArchive();
    await syncReports(app, 'now', ['dailies']);
    const before = await servedReport(app, `/dailies/${LABEL}`);
    app.service.control.correctDaily(LABEL, change(structuredClone(before)) as never);
    app.clock.advance(6 * HOUR);
    await app.call('reports.open', { kind: 'daily', label: LABEL });
    return { app, before };
  }

  // Holds: news-1-editions-change
  it('that withdraws a citation removes it from store, view and export, and only records the withdrawal', async () => {
    let title = '';
    const { app, before } = await corrected((report) => {
      const section = report.sections.find(({ items }) => items.length > 0)!;
      const gone = section.items.shift()!;
      title = gone.title;
      return { sections: report.sections, lead: { title: 'Another lead', leadParagraph: 'Without it.' } };
    });
    const report = await stored(app);
    expect(report.corrections.map(({ kind }) => kind)).toContain('withdrawn');
    expect(before.lead?.leadParagraph).toBeTruthy();
    for (const format of ['md', 'html', 'json'] as const) {
      expect((await app.call('reports.render', { kind: 'daily', label: LABEL, format })).text).not.toContain(title);
    }
    expect(JSON.stringify([report, await app.call('reports.index', { kind: 'daily' })])).not.toContain(title);
  });

  it('that withdraws one story is counted by a sync', async () => {
    const app = await openArchive();
    await syncReports(app, 'now', ['dailies']);
    const { sections } = await servedReport(app, `/dailies/${LABEL}`);
    sections.find(({ items }) => items.length > 0)?.items.shift();
    app.service.control.correctDaily(LABEL, { sections } as never);
    app.clock.advance(6 * HOUR);
    expect(await syncReports(app, 'now', ['dailies'])).toMatchObject({ dailies: { withdrawn: 1 } });
  });
});
