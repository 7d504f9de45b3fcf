import { describe, expect, it } from 'vitest';
import { openArchive, reportLabels, syncReports } from '../../support/archive.ts';
import { servedReport, type ServedReport } from '../../support/reports.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const HOUR = 3_600_000;

describe('a correction', { timeout: 60_000 }, () => {
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

  it('is found by a background sync, too, and reported', async () => {
    const app = await openTestApp({ content: 'living' });
    await syncReports(app, 'now', ['dailies']);
    const [label = ''] = await reportLabels(app, 'daily');
    app.service.control.correctDaily(label, { lead: { title: 'Corrected', leadParagraph: 'p' } });
    app.clock.advance(9 * HOUR);
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { revised: 1 } });
    expect(app.heard('reports.changed')).toContainEqual({ kind: 'daily', labels: [label] });
  });
});
