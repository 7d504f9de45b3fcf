import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ReportKind } from '../../../../src-main/contract/model/report.ts';
import { ReportExport } from '../../../../src-renderer/features/archive/report-export.svelte.ts';
import { NEWS, NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';

const ALL = { scope: 'all', window: 'any', state: 'any' } as const;

async function openOn(kind: ReportKind): Promise<{ wire: CoreWire; labels: string[]; task: ReportExport }> {
  const wire = await openCore(NEWS);
  const { lines } = await wire.ask('reports.index', { kind });
  return { wire, labels: lines.map(({ label }) => label), task: new ReportExport(wire) };
}

async function unzip(body: Blob | undefined): Promise<Record<string, string>> {
  const files = Object.entries(unzipSync(new Uint8Array(await body!.arrayBuffer())));
  return Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]));
}

async function feedOf(body: Blob | undefined): Promise<{ updated: string; entries: string[] }> {
  const { documentElement } = new DOMParser().parseFromString(await body!.text(), 'application/xml');
  const text = (element: Element, name: string): string => element.querySelector(`:scope > ${name}`)?.textContent ?? '';
  const entries = [...documentElement.querySelectorAll('entry')].map((entry) => text(entry, 'title'));
  return { updated: text(documentElement, 'updated'), entries };
}

describe('an export', () => {
  it('of all is one archive with a file for each that is still there, and of one its file', async () => {
    const { labels, task } = await openOn('weekly');
    const one = await task.one('weekly', labels[0]!, 'md');
    expect(one?.name).toBe(`weekly-${labels[0]!}.md`);
    expect(await one?.body.text()).toMatch(/^# /);
    const file = await task.all({ kind: 'weekly', labels: [...labels, '2001-W01'] }, 'md');
    expect(file?.name).toBe('broadsheet-weekly-md.zip');
    const files = await unzip(file?.body);
    expect(Object.keys(files)).toEqual(labels.map((label) => `weekly-${label}.md`));
    expect(Object.values(files)[0]).toMatch(/^# /);
    expect(task.progress).toMatchObject({ done: labels.length + 1, total: labels.length + 1, running: false });
  });
  it('of a list is one file of all its items, with the time of the newest in its head', async () => {
    const items = Array.from({ length: 450 }, (_, n) => madeUpRow(n, NOW, { title: `Item ${n}`, inSelectedSet: true }));
    const wire = await openCore({ items });
    const task = new ReportExport(wire);
    const file = await task.items(ALL, 'atom');
    expect(file?.name).toMatch(/^broadsheet.*\.atom\.xml$/);
    const feed = await feedOf(file?.body);
    expect(Date.parse(feed.updated)).toBe(Date.parse(items[0]!.effectiveAt));
    expect(feed.entries).toEqual(items.map(({ title }) => title));
    expect(task.progress).toMatchObject({ done: items.length, running: false });
    wire.failing.set('items.export', { code: 'internal', message: '', retryable: false });
    expect(await task.items(ALL, 'csv')).toBeNull();
    expect(task.progress.failure?.code).toBe('internal');
  });

  it('of reports is one feed or one book', async () => {
    const { wire, labels, task } = await openOn('daily');
    const feed = await feedOf((await task.feed({ kind: 'daily', labels }))?.body);
    expect(feed.entries).toHaveLength(labels.length);
    const newest = await wire.ask('reports.get', { kind: 'daily', label: labels[0]! });
    expect(Date.parse(feed.updated)).toBe(Date.parse(newest.generatedAt!));
    const march = labels.filter((label) => label.startsWith('2026-03'));
    const book = await task.book({ kind: 'daily', labels: march, month: '2026-03' });
    expect([book?.name, (await unzip(book?.body))['mimetype']]).toEqual([
      'dailies-2026-03.epub',
      'application/epub+zip',
    ]);
    const going = task.feed({ kind: 'daily', labels });
    task.stop();
    expect(await going).toBeNull();
  });

  it('that fails or is stopped gives nothing: there are no partial files', async () => {
    const { wire, labels, task } = await openOn('daily');
    const reports = { kind: 'daily', labels } as const;
    const going = task.all(reports, 'md');
    task.stop();
    expect(await going).toBeNull();
    wire.failing.set('reports.render', { code: 'internal', message: '', retryable: false });
    expect(await task.all(reports, 'md')).toBeNull();
    expect(task.progress.failure?.code).toBe('internal');
  });
});
