import { describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { demo, standingDemo } from './service.ts';
import type { Body } from './service.ts';

const at = (time: string) => demo({ content: 'living', clock: fakeClock(time) });
const standing = standingDemo({ content: 'living', clock: fakeClock('2026-03-18T06:30:00Z') });

describe('Dailies', () => {
  // Holds: news-4.4-published-at
  it('come out at 08:00 in Shanghai and cover the day before', async () => {
    const { get, clock } = await at('2026-03-17T23:59:59Z');
    expect((await get('/dailies/latest')).body.report.date).toBe('2026-03-17');
    expect((await get('/dailies/2026-03-18')).status).toBe(404);
    clock.advance(1000);
    const { report } = (await get('/dailies/latest')).body;
    expect(report).toMatchObject({
      date: '2026-03-18',
      windowStart: '2026-03-16T16:00:00.000Z',
      windowEnd: '2026-03-17T16:00:00.000Z',
    });
    expect((await get('/dailies/2026-03-18')).body.report).toEqual(report);
  });

  // Holds: news-4.4-index-default, news-4.4-index-order, news-8-dailies-limit
  it('are listed newest first, 30 by default', async () => {
    const { get } = standing();
    const { body } = await get('/dailies');
    const dates = body.items.map(({ date }: Body) => date);
    expect([body.count, dates.length, dates[0]]).toEqual([30, 30, '2026-03-18']);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect((await get('/dailies?limit=180')).body.items.at(-1)?.date).toBe('2026-02-02');
    expect((await get('/dailies?limit=1')).body.items[0]?.leadTitle).toBe(
      (await get('/dailies/latest')).body.report.lead.title,
    );
  });

  it('change with a correction and with a withdrawn citation, and so does the validator', async () => {
    const { get, service } = await at('2026-03-18T06:30:00Z');
    const before = await get('/dailies/2026-03-18');
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
    service.control.correctDaily('2026-03-18', { lead: { title: 'Corrected', leadParagraph: 'Put right.' } });
    const corrected = await get('/dailies/2026-03-18', { headers });
    expect([corrected.status, corrected.body.report.lead.title]).toEqual([200, 'Corrected']);
    const cited = before.body.report.flashes[0]?.links.original ?? '';
    service.control.withdraw(service.control.allItems().find(({ links }) => links.original === cited)?.id ?? '');
    expect((await get('/dailies/2026-03-18')).text).not.toContain(`${cited}"`);
  });
});

describe('Weeklies', () => {
  // Holds: news-4.5-published-at, news-4.5-compiled
  it('come out on Mondays at 10:00 in Shanghai, of the dailies dated in the week before', async () => {
    const { get, clock } = await at('2026-03-16T01:59:59Z');
    expect((await get('/weeklies/latest')).body.report.week).toBe('2026-W10');
    clock.advance(1000);
    expect((await get('/weeklies/latest')).body.report).toMatchObject({
      week: '2026-W11',
      periodStart: '2026-03-09',
      periodEnd: '2026-03-15',
    });
    expect((await get('/weeklies')).body.items.map(({ week }: Body) => week)).toEqual([
      ...['2026-W11', '2026-W10', '2026-W09', '2026-W08', '2026-W07', '2026-W06'],
    ]);
  });

  // Holds: news-2-weekly-from-dailies, news-4.5-compiled
  it('cite what the dailies of that week cite', async () => {
    const { get } = standing();
    const { report } = (await get('/weeklies/2026-W11')).body;
    const dailies: string[] = [];
    for (let day = 9; day <= 15; day += 1)
      dailies.push((await get(`/dailies/2026-03-${String(day).padStart(2, '0')}`)).text);
    const cited = report.sections.flatMap((section: Body) => section.items.map((item: Body) => item.links.original));
    expect(cited.length).toBeGreaterThan(10);
    expect(cited.filter((url: string) => !dailies.join().includes(url))).toEqual([]);
    expect(report.overview).toContain('本周');
  });
});

describe('Monthlies', () => {
  // Holds: news-4.6-published-at, news-2-monthly-days
  it('come out on the 1st at 10:30 in Shanghai', async () => {
    const { get, clock } = await at('2026-03-01T02:29:59Z');
    expect((await get('/monthlies/latest')).status).toBe(404);
    clock.advance(1000);
    const { report } = (await get('/monthlies/latest')).body;
    expect(report).toMatchObject({ month: '2026-02', periodStart: '2026-02-01', periodEnd: '2026-02-28' });
    expect((await get('/monthlies/2026-02')).body.report).toEqual(report);
    expect((await get('/monthlies')).body).toMatchObject({ count: 1, items: [{ month: '2026-02' }] });
  });

  // Holds: news-2-monthly-from-dailies, news-4.6-compiled
  it('cite what the dailies of that month cite', async () => {
    const { get } = standing();
    const { report } = (await get('/monthlies/2026-02')).body;
    const dailies: string[] = [];
    for (let day = 1; day <= 28; day += 1)
      dailies.push((await get(`/dailies/2026-02-${String(day).padStart(2, '0')}`)).text);
    const cited = report.sections.flatMap((section: Body) => section.items.map((item: Body) => item.links.original));
    expect(cited.length).toBeGreaterThan(10);
    expect(cited.filter((url: string) => !dailies.join().includes(url))).toEqual([]);
  });
});

describe('Weeklies and monthlies', () => {
  // Holds: news-4.5-index-default, news-4.5-index-order, news-4.6-index-default, news-4.6-index-order
  // Holds: news-8-weeklies-limit, news-8-monthlies-limit
  it('are listed newest first: 12 by default and 60 at most', async () => {
    const { get } = await demo({ content: { selected: 2400, days: 1900 } });
    for (const path of ['weeklies', 'monthlies']) {
      const labelsOf = async (query: string) =>
        (await get(`/${path}${query}`)).body.items.map(({ week, month }) => (path === 'weeklies' ? week : month));
      const usual = await labelsOf('');
      const all = await labelsOf('?limit=60');
      expect([usual.length, all.length]).toEqual([12, 60]);
      expect(all).toEqual(all.toSorted().reverse());
      expect(usual).toEqual(all.slice(0, 12));
      for (const limit of [0, 61, 1.5]) expect((await get(`/${path}?limit=${limit}`)).status).toBe(400);
    }
  });
});
