import { describe, expect, it } from 'vitest';
import { openArchive, reportLabels, syncReports } from '../../support/archive.ts';
import { openTestApp } from '../../support/test-app.ts';

describe('what is read', { timeout: 60_000 }, () => {
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
