import { describe, expect, it } from 'vitest';
import { askedPaths, openArchive, reportLabels, syncReports } from '../../support/archive.ts';
import { openTestApp } from '../../support/test-app.ts';

const HOUR = 3_600_000;

describe('a report that is opened', { timeout: 60_000 }, () => {
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

  it('is shown as saved when the service is unreachable', async () => {
    const app = await openArchive();
    await syncReports(app);
    await app.service.close();
    app.clock.advance(HOUR);
    for (const [kind, label] of [
      ['daily', '2026-03-05'],
      ['weekly', '2026-W09'],
      ['monthly', '2026-02'],
    ] as const) {
      expect(await app.call('reports.open', { kind, label })).toMatchObject({ kind, label });
    }
  });
});
