import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { ReportExport } from '../../../../src-renderer/features/archive/report-export.svelte.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { MemoryWire } from '../../support/memory-wire.ts';

const NOW = Date.now();

let wire: MemoryWire;

beforeEach(() => {
  wire = new MemoryWire([], NOW);
});

describe('an export', () => {
  it('of one report is its file', async () => {
    const { label } = wire.views.indexes.daily[0]!;
    const file = await new ReportExport(wire).one('daily', label, 'md');
    expect(file?.name).toBe(`daily-${label}.md`);
    expect(await file?.body.text()).toMatch(/^# /);
  });

  it('of all is one archive with a file for each, and counts them', async () => {
    const lines = wire.views.indexes.weekly;
    const task = new ReportExport(wire);
    const body = await task.all(lines, 'html');
    const files = unzipSync(new Uint8Array(await body!.arrayBuffer()));
    expect(Object.keys(files)).toEqual(lines.map(({ label }) => `weekly-${label}.html`));
    expect(strFromU8(Object.values(files)[0]!)).toMatch(/^# /);
    expect([task.done, task.total, task.running]).toEqual([lines.length, lines.length, false]);
  });

  it('leaves out what was withdrawn meanwhile', async () => {
    const lines = wire.views.indexes.weekly;
    wire.views.indexes.weekly = wire.views.indexes.weekly.slice(1);
    const body = await new ReportExport(wire).all(lines, 'md');
    expect(Object.keys(unzipSync(new Uint8Array(await body!.arrayBuffer())))).toHaveLength(lines.length - 1);
  });

  it('of a list is one file of all its items, with the time of the newest in its head', async () => {
    wire.rows = Array.from({ length: 450 }, (_, n) => madeUpRow(n, NOW));
    const task = new ReportExport(wire);
    const file = await task.items({ scope: 'all', window: 'any', state: 'any' }, 'atom');
    expect(file?.name).toBe('broadsheet.atom');
    const [first] = wire.rows;
    const text = (await file?.body.text()) ?? '';
    expect(text).toBe(`<${first!.effectiveAt}> ${wire.rows.map(({ id }) => id).join(' ')} </>`);
    expect([task.done, task.running]).toEqual([wire.rows.length, false]);
    wire.failing.set('items.export', { code: 'internal', message: '', retryable: false });
    expect(await task.items({ scope: 'all', window: 'any', state: 'any' }, 'csv')).toBeNull();
    expect(task.failure?.code).toBe('internal');
  });

  it('of reports is one feed or one book', async () => {
    const labels = wire.views.indexes.daily.map(({ label }) => label);
    const task = new ReportExport(wire);
    const feed = await task.feed({ kind: 'daily', labels });
    expect(await feed?.body.text()).toBe(`<2026-03-18T00:00:00.000Z> ${labels.join(' ')} </>`);
    const book = await task.book({ kind: 'daily', labels, month: '2026-03' });
    expect([book?.name, await book?.body.text()]).toEqual(['daily-2026-03.epub', labels.join(' ')]);
    const going = task.feed({ kind: 'daily', labels });
    task.stop();
    expect(await going).toBeNull();
  });

  it('that fails or is stopped gives nothing: there are no partial files', async () => {
    const task = new ReportExport(wire);
    const going = task.all(wire.views.indexes.daily, 'md');
    task.stop();
    expect(await going).toBeNull();
    wire.failing.set('reports.render', { code: 'internal', message: '', retryable: false });
    expect(await task.all(wire.views.indexes.daily, 'md')).toBeNull();
    expect(task.failure?.code).toBe('internal');
  });
});
