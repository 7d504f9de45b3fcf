import { describe, expect, it } from 'vitest';
import type { ReportKind, StoredReport } from '../../../src-main/contract/model/report.ts';
import { askedPaths, openArchive, reportLabels, syncReports } from '../../support/archive.ts';
import { Gate } from '../../support/gate.ts';
import { servedReport } from '../../support/reports.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PATHS = { daily: '/dailies', weekly: '/weeklies', monthly: '/monthlies' } as const;

/** Returns the stored report without what the reader and Broadsheet added, under the service's names. */
async function asServed({ call }: TestApp, kind: ReportKind, label: string): Promise<unknown> {
  const json = await call('reports.render', { kind, label, format: 'json' });
  return (JSON.parse(json.text) as { report: unknown }).report;
}

const LISTED = { 'content-type': 'application/json', 'cache-control': 's-maxage=60' };

/** A service with dailies of these dates, in the order of its index. */
function openDates(dates: readonly string[]): Promise<TestApp> {
  return openTestApp({
    start: '2026-03-18T06:30:00Z',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/dailies')) return false;
      const [, label] = /\/dailies\/(\d.+)$/.exec(url) ?? [];
      const limit = Number(new URL(url, 'http://localhost').searchParams.get('limit'));
      const items = dates.slice(0, limit).map((date) => ({ date }));
      const body = label ? { report: { date: label } } : { count: items.length, items };
      response.writeHead(200, LISTED).end(JSON.stringify(body));
      return true;
    },
  });
}

describe('daily, weekly and monthly reports', () => {
  it('are all fetched when everything is synced, equal field by field', async () => {
    const app = await openArchive();
    const report = await syncReports(app);
    expect(report).toMatchObject({
      dailies: { status: 'ok', added: 12, requests: 13 },
      weeklies: { status: 'ok', added: 3, requests: 4 },
      monthlies: { status: 'ok', added: 2, requests: 3 },
    });
    expect(await reportLabels(app, 'weekly')).toEqual(['2026-W10', '2026-W09', '2026-W08']);
    expect(await reportLabels(app, 'monthly')).toEqual(['2026-03', '2026-02']);
    for (const kind of ['daily', 'weekly', 'monthly'] as const) {
      const [label = ''] = await reportLabels(app, kind);
      expect(await asServed(app, kind, label)).toEqual(await servedReport(app, `${PATHS[kind]}/${label}`));
    }
  });

  // Holds: news-1-index-first, news-1-no-guessed-labels, news-4.7-month
  it('are only fetched by labels from an index, and the index first', async () => {
    const app = await openArchive();
    await syncReports(app);
    const dailies = askedPaths(app).filter((path) => path.startsWith('/dailies'));
    expect(dailies[0]).toBe('/dailies?limit=180');
    expect(dailies.slice(1)).toEqual((await reportLabels(app, 'daily')).map((label) => `/dailies/${label}`));
    const wrong = await app.reply('reports.open', { kind: 'daily', label: '2026-03-06' });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(askedPaths(app).some((path) => path.includes('2026-03-06'))).toBe(false);
  });

  it('are not checked again while a new one comes out, and later all the same', async () => {
    const app = await openTestApp({ content: { selected: 60, days: 5 }, start: '2026-03-18T06:30:00Z' });
    await syncReports(app, 'due', ['dailies']);
    app.clock.advance(Date.parse('2026-03-19T00:03:00Z') - app.clock.now());
    const from = app.service.requests.length;
    await syncReports(app, 'due', ['dailies']);
    const ofReports = () => askedPaths(app, from).filter((path) => /^\/dailies\/\d/.test(path));
    expect(ofReports()).toEqual(['/dailies/2026-03-19']);
    app.clock.advance(33 * MINUTE);
    await syncReports(app, 'due', ['dailies']);
    expect(ofReports()).toContain('/dailies/2026-03-18');
  });

  it('give way while the user waits, and continue later', async () => {
    let wanted: string | null = null;
    let open: Promise<StoredReport> | undefined;
    // The reader waits for as long as the sync in the background could go on.
    const gate = new Gate((url) => wanted !== null && url.includes(`/dailies/${wanted}`));
    const app = await openTestApp({
      content: { selected: 120, days: 40 },
      intercept: (request, response) => {
        if (wanted !== null && request.url?.includes('/dailies/')) {
          open ??= app.call('reports.open', { kind: 'daily', label: wanted });
        }
        return gate.intercept(request, response);
      },
    });
    await syncReports(app, 'due', ['dailies']);
    wanted = (await reportLabels(app, 'daily')).at(-1) ?? '';
    app.clock.advance(MINUTE);
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 1 } });
    gate.letThrough();
    expect((await open)?.label).toBe(wanted);
    app.clock.advance(MINUTE);
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { added: 12 } });
  });

  it('are all there after a sync that a reader asked for, also while one in the background runs', async () => {
    const app = await openArchive();
    const inBackground = syncReports(app, 'due', ['dailies']);
    const asked = await syncReports(app, 'now', ['dailies']);
    const { lines } = await app.call('reports.index', { kind: 'daily' });
    expect(lines.filter(({ stored }) => !stored)).toEqual([]);
    expect([(await inBackground).dailies.status, asked.dailies.status]).toEqual(['ok', 'ok']);
    // Whoever asks twice waits for one sync.
    const from = app.service.requests.length;
    await Promise.all([syncReports(app, 'now', ['dailies']), syncReports(app, 'now', ['dailies'])]);
    expect(app.service.requests.length - from).toBe(13);
  });

  // Holds: news-1-short-index, news-1-index-first
  it('are checked with an index of one, and with a longer one if it does not reach back far enough', async () => {
    const app = await openTestApp({ content: 'living' });
    await syncReports(app, 'now', ['dailies']);
    const day = async (days: number) => {
      app.clock.advance(days * 24 * HOUR);
      const from = app.service.requests.length;
      await syncReports(app, 'due', ['dailies']);
      return askedPaths(app, from).filter((path) => path.includes('?'));
    };
    expect(await day(1)).toEqual(['/dailies?limit=1']);
    expect(await day(5)).toEqual(['/dailies?limit=1', '/dailies?limit=7']);
    // The whole index is due once a week.
    expect(await day(9)).toEqual(['/dailies?limit=180']);
    const { lines } = await app.call('reports.index', { kind: 'daily' });
    const served = await fetch(`${app.service.newsAddress}/api/v1/dailies?limit=180`);
    const { items } = (await served.json()) as { items: { date: string }[] };
    expect(lines.map(({ label }) => label)).toEqual(items.map(({ date }) => date));
  });

  it('are all found, although the check after some days away was cut off', async () => {
    let failing = false;
    const app = await openTestApp({
      content: 'living',
      days: 3,
      intercept: (request, response) => {
        if (!failing || !request.url?.includes('/dailies?limit=7')) return false;
        response.destroy();
        return true;
      },
    });
    await syncReports(app, 'now', ['dailies']);
    app.clock.advance(4 * 24 * HOUR);
    failing = true;
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'failed' } });
    failing = false;
    app.clock.advance(HOUR);
    const from = app.service.requests.length;
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 4 } });
    expect(askedPaths(app, from).filter((path) => path.includes('?'))).toEqual([
      '/dailies?limit=1',
      '/dailies?limit=7',
    ]);
  });

  it('are found the same day if one comes out after a later one', async () => {
    const dates = ['2026-03-18', '2026-03-16', '2026-03-15', '2026-03-14', '2026-03-13', '2026-03-12', '2026-03-11'];
    const app = await openDates(dates);
    await syncReports(app, 'now', ['dailies']);
    dates.splice(1, 0, '2026-03-17');
    app.clock.advance(9 * HOUR);
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 1 } });
    expect(await reportLabels(app, 'daily')).toEqual(dates);
    app.clock.advance(31 * MINUTE);
    const from = app.service.requests.length;
    await syncReports(app, 'permitted', ['dailies']);
    expect(askedPaths(app, from).filter((path) => path.includes('?'))).toEqual(['/dailies?limit=1']);
  });

  it('are fetched from `latest` if the index does not list the newest yet; if that fails, later', async () => {
    let behind: string | null = null;
    let isBroken = true;
    const app = await openTestApp({
      content: 'living',
      days: 3,
      start: '2026-03-17T23:50:00Z',
      intercept: ({ url = '' }, response) => {
        const isFailing = isBroken && url.endsWith('/dailies/latest');
        if (isFailing) response.writeHead(500).end();
        else if (behind !== null && url.includes('/dailies?')) response.writeHead(200, LISTED).end(behind);
        else return false;
        return true;
      },
    });
    await syncReports(app, 'now', ['dailies']);
    behind = await (await fetch(`${app.service.newsAddress}/api/v1/dailies?limit=1`)).text();
    app.clock.advance(14 * MINUTE);
    const { dailies } = await syncReports(app, 'due', ['dailies']);
    expect(dailies).toMatchObject({ status: 'notModified', added: 0, skipped: 1 });
    const [run] = (await app.call('health.get', {})).runs.filter(({ resource }) => resource === 'dailies');
    expect(run?.reasons).toEqual([expect.stringMatching(/^the latest report could not be downloaded: /)]);
    expect((await reportLabels(app, 'daily'))[0]).toBe('2026-03-17');
    isBroken = false;
    app.clock.advance(5 * MINUTE);
    expect(await syncReports(app, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 1 } });
    expect((await reportLabels(app, 'daily'))[0]).toBe('2026-03-18');
    expect(await asServed(app, 'daily', '2026-03-18')).toEqual(await servedReport(app, '/dailies/2026-03-18'));
  });
});
