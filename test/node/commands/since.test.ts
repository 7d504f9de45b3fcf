import { describe, expect, it } from 'vitest';
import { nextPublication } from '../../../src-main/common/publication-timetable.ts';
import { parseSince } from '../../../src-main/node/commands/list-options.ts';
import { openSynced } from '../home.ts';

const NOW = new Date(2026, 10, 22, 15, 30).getTime();
const HOUR = 3_600_000;

describe('--since', () => {
  it.each<[text: string, at: number | string]>([
    ['30m', NOW - HOUR / 2],
    ['2h', NOW - 2 * HOUR],
    ['3d', NOW - 72 * HOUR],
    ['2W', NOW - 14 * 24 * HOUR],
    ['today', new Date(2026, 10, 22).getTime()],
    ['Yesterday', new Date(2026, 10, 21).getTime()],
    ['2026-11-20', new Date(2026, 10, 20).getTime()],
    ['2026-11', new Date(2026, 10, 1).getTime()],
    ['2026年11月20日', new Date(2026, 10, 20).getTime()],
    ['2026-11-20T08:00', new Date(2026, 10, 20, 8).getTime()],
    ['2026-11-20 08:00', new Date(2026, 10, 20, 8).getTime()],
    ['2026-11-20T08:00:30Z', Date.UTC(2026, 10, 20, 8, 0, 30)],
    ['2026-11-20T08:00+08:00', Date.UTC(2026, 10, 20)],
    ['last-visit', 'last-visit'],
  ])('%s', (text, at) => {
    expect(parseSince(text, NOW)).toBe(at);
  });

  it.each([
    '',
    'soon',
    '2',
    '2y',
    '-2h',
    '1.5h',
    '2026-02-30',
    '2026-02-30T10:00',
    '2026-11-20T25:00',
    '99999999d',
    '2027-01-01',
    '0x2h',
  ])('is not %j', (text) => {
    expect(() => parseSince(text, NOW)).toThrow(/It must be a span|It is in the future/);
  });

  it('narrows lists of items and reports, and searches', async () => {
    const { run, lines } = await openSynced({ content: { selected: 60, unselected: 40 } });
    interface Row {
      id: string;
      label: string;
      at: string | null;
      effectiveAt: string;
      kind: string;
    }
    const rows = (...args: string[]) => lines<Row>(...args);
    const all = await rows('list', 'items');
    const middle = all[Math.floor(all.length / 2)]?.effectiveAt ?? '';
    const wanted = all.filter(({ effectiveAt }) => Date.parse(effectiveAt) >= Date.parse(middle)).map(({ id }) => id);
    expect((await rows('list', 'items', '--since', middle)).map(({ id }) => id)).toEqual(wanted);
    expect(wanted.length).toBeLessThan(all.length);
    expect(await rows('list', 'items', '--since', middle, '--limit', '3')).toHaveLength(3);
    const dailies = await rows('list', 'dailies');
    const first = nextPublication('daily', Date.now() - 3 * 24 * HOUR - 1).label;
    const recent = dailies.filter(({ label }) => label >= first);
    expect([recent.length, (await rows('list', 'dailies', '--since', '3d')).length]).toEqual([3, 3]);
    const found = await rows('search', 'a*', '--limit', '500');
    const later = found.filter(({ at }) => at !== null && Date.parse(at) >= Date.parse(middle)).map(({ id }) => id);
    expect((await rows('search', 'a*', '--limit', '500', '--since', middle)).map(({ id }) => id)).toEqual(later);
    expect(later.length).toBeGreaterThan(0);
    // The reports of the last days are found however many older ones are better.
    const reports = await rows('search', 'is:unread', '--in', 'reports', '--since', '4d', '--limit', '2');
    expect(reports.length).toBeGreaterThan(0);
    for (const { at } of reports) expect(Date.now() - Date.parse(at ?? '')).toBeLessThanOrEqual(96 * HOUR);
    expect(await run('list', 'items', '--since', 'last-visit')).toMatchObject({ code: 0 });
    expect(await run('list', 'models', '--since', '2h')).toMatchObject({ code: 2 });
    expect(await run('list', 'items', '--since', 'soon')).toMatchObject({ code: 2 });
  });
});
