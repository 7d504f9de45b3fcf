import { beforeEach, describe, expect, it } from 'vitest';
import type { MethodName } from '../../../../src-main/contract/methods.ts';
import { textZip } from '../../../../src-renderer/features/archive/report-zip.ts';
import { ArchiveState } from '../../../../src-renderer/features/archive/archive.svelte.ts';
import { ReportExport } from '../../../../src-renderer/features/archive/report-export.svelte.ts';
import { strFromU8, unzipSync } from 'fflate';
import { madeUpRow } from '../../support/made-up-items.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';

const NOW = Date.now();

let wire: MemoryWire;
let archive: ArchiveState;

beforeEach(async () => {
  wire = new MemoryWire([], NOW);
  archive = new ArchiveState(wire);
  await archive.load();
});

const newest = (): string => archive.lines('daily')[0]!.label;

/** Holds the answers of a method back, as they were when it was called. */
function holdAnswers(held: MethodName): { release: () => void; asked: number } {
  const gate = Promise.withResolvers<undefined>();
  const control = { release: () => gate.resolve(undefined), asked: 0 };
  const call = wire.call.bind(wire);
  wire.call = async (method, args) => {
    if (method === held) control.asked += 1;
    const reply = await call(method, args);
    if (method === held) await gate.promise;
    return reply;
  };
  return control;
}

describe('the archive', () => {
  it('opens the newest report of a kind, and the previous and next ones', async () => {
    archive.latest('daily');
    await settle();
    expect(archive.report?.label).toBe(newest());
    archive.step(-1);
    await settle();
    expect(archive.report?.label).toBe(archive.lines('daily')[1]!.label);
    archive.step(1);
    await settle();
    archive.step(1);
    expect(archive.open?.label).toBe(newest());
  });

  it('takes no report for the newest that the calendar has not reached', async () => {
    const [first] = wire.views.indexes.daily;
    wire.views.indexes.daily.unshift({ ...first!, label: '9999-12-31' });
    await archive.load();
    archive.latest('daily');
    expect(archive.open?.label).toBe(first!.label);
  });

  it('shows the month of what is open', async () => {
    const oldest = archive.lines('daily').at(-1)!;
    await archive.show('daily', oldest.label);
    expect(archive.month).toBe(oldest.label.slice(0, 7));
    expect(archive.months(NOW).first <= archive.month).toBe(true);
  });

  it('fetches nothing that is not in an index', async () => {
    archive.step(1);
    await settle();
    const asked = wire.calls.flatMap(({ method, args }) => (method === 'reports.open' ? [args] : []));
    expect(asked).toEqual([{ kind: 'daily', label: newest() }]);
  });

  it('counts a report as read when it is shown, and can be marked as unread', async () => {
    await archive.show('daily', newest());
    await settle();
    expect(archive.line('daily', newest())?.readAt).not.toBeNull();
    await archive.mark(false);
    expect(archive.report?.readAt).toBeNull();
    expect(wire.views.indexes.daily[0]?.readAt).toBeNull();
  });

  it('undoes a change that failed', async () => {
    await archive.show('daily', newest());
    await settle();
    wire.failing.set('reports.mark', { code: 'disk_full', message: '', retryable: true });
    expect((await archive.mark(false))?.code).toBe('disk_full');
    expect(archive.report?.readAt).not.toBeNull();
  });

  it('does not count a report as read that could not be shown', async () => {
    wire.views.indexes.daily = wire.views.indexes.daily.slice(1);
    await archive.show('daily', newest());
    await settle();
    expect([archive.report, archive.reading.failure?.code]).toEqual([null, 'not_found']);
    expect(wire.calls.some(({ method }) => method === 'reports.mark')).toBe(false);
  });

  it('shows the saved report while it is fetched, and if that fails', async () => {
    wire.failing.set('reports.open', { code: 'unreachable', message: '', retryable: true });
    await archive.show('weekly', archive.lines('weekly')[0]!.label);
    expect(archive.report?.kind).toBe('weekly');
    expect(archive.reading.failure?.code).toBe('unreachable');
    expect(archive.refreshing).toBe(false);
  });

  it('dims a citation wherever it was read', async () => {
    await archive.show('daily', newest());
    const citation = archive.report!.sections[0]!.items[0]!;
    expect(citation.readAt).toBeNull();
    await archive.markCitation(citation, true);
    expect(archive.report?.sections[0]?.items[0]?.readAt).not.toBeNull();
    wire.views.readCitations.set(citation.key!, null);
    wire.emit('marks.changed', { ids: null });
    await settle();
    expect(archive.report?.sections[0]?.items[0]?.readAt).toBeNull();
  });

  it('keeps a mark that is newer than the answer that arrives', async () => {
    await archive.show('daily', newest());
    await settle();
    const [first, second] = archive.stories.filter(({ readAt }) => readAt === null);
    const readMarks = (): boolean[] =>
      [first, second].map((story) => archive.stories.find(({ key }) => key === story!.key)!.readAt !== null);
    const late = holdAnswers('reports.get');
    await archive.markCitation(first!, true);
    wire.emit('marks.changed', { ids: null });
    await settle();
    const saved = Promise.withResolvers<undefined>();
    wire.gates.set('reports.markCitation', saved.promise);
    const marked = archive.markCitation(second!, true);
    late.release();
    await settle();
    expect(readMarks(), 'while it is being saved').toEqual([true, true]);
    saved.resolve(undefined);
    await marked;
    await settle();
    expect(readMarks(), 'when it is saved').toEqual([true, true]);
    expect(late.asked, 'asked again once it was saved').toBe(2);
  });

  it('asks once for several changes that come while it is asking', async () => {
    await archive.show('daily', newest());
    await settle();
    const late = holdAnswers('reports.get');
    for (let n = 0; n < 5; n += 1) wire.emit('marks.changed', { ids: null });
    await settle();
    late.release();
    await settle();
    expect(late.asked).toBe(2);
  });

  it('updates the open report and the calendar after a correction', async () => {
    await archive.show('daily', newest());
    wire.views.indexes.daily = wire.views.indexes.daily.map((line) => ({ ...line, headline: 'Put right' }));
    wire.emit('reports.changed', { kind: 'daily', labels: [newest()] });
    await settle();
    expect([archive.report?.headline, archive.lines('daily')[0]?.headline]).toEqual(['Put right', 'Put right']);
  });
});

describe('an export', () => {
  it('of one report is its file', async () => {
    const file = await new ReportExport(wire).one('daily', newest(), 'md');
    expect(file?.name).toBe(`daily-${newest()}.md`);
    expect(await file?.body.text()).toMatch(/^# /);
  });

  it('of all is one archive with a file for each, and counts them', async () => {
    const lines = archive.lines('weekly');
    const task = new ReportExport(wire);
    const body = await task.all(lines, 'html', textZip());
    const files = unzipSync(new Uint8Array(await body!.arrayBuffer()));
    expect(Object.keys(files)).toEqual(lines.map(({ label }) => `weekly-${label}.html`));
    expect(strFromU8(Object.values(files)[0]!)).toMatch(/^# /);
    expect([task.done, task.total, task.running]).toEqual([lines.length, lines.length, false]);
  });

  it('leaves out what was withdrawn meanwhile', async () => {
    const lines = archive.lines('weekly');
    wire.views.indexes.weekly = wire.views.indexes.weekly.slice(1);
    const body = await new ReportExport(wire).all(lines, 'md', textZip());
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
    const labels = archive.lines('daily').map(({ label }) => label);
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
    const going = task.all(archive.lines('daily'), 'md', textZip());
    task.stop();
    expect(await going).toBeNull();
    wire.failing.set('reports.render', { code: 'internal', message: '', retryable: false });
    expect(await task.all(archive.lines('daily'), 'md', textZip())).toBeNull();
    expect(task.failure?.code).toBe('internal');
  });
});
