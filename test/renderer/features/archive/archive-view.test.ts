import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import type { ReportLine } from '../../../../src-main/contract/model/report.ts';
import { sectionName } from '../../../../src-main/common/i18n/labels.ts';
import { calendarRange } from '../../../../src-main/common/time-text.ts';
import { addDays, dayMs } from '../../../../src-main/common/time.ts';
import { latestPublication } from '../../../../src-main/common/publication-timetable.ts';
import { servedReport } from '../../../support/reports.ts';
import { NEWS, NOW, openCore, STORIES, type CoreWire } from '../../support/core.ts';
import { openDialogs } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import {
  actOnReport,
  askShownView,
  chooseTab,
  click,
  named,
  openOn,
  pressGo,
  show,
  shown,
} from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

let wire: CoreWire;
let app: AppState;
/** The label of the newest daily. */
const due = latestPublication('daily', NOW).label;
const reading = () => within(document.querySelector<HTMLElement>('#archive-reading')!);

/** Months of reports, of which the latest are short. */
describe('the calendar of the archive', () => {
  beforeEach(async () => {
    ({ app, wire } = await openOn(NEWS, { withoutRows: true }));
  });

  /** A query by role would compute the name of each day. */
  const cell = (label: string): HTMLElement => {
    const name = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(label));
    return document.querySelector<HTMLElement>(`#archive-list button[aria-label^="${name}"]`)!;
  };
  const month = (): string => document.querySelector('#archive-list h2')!.textContent.trim();

  const unfold = (): Promise<void> => click('button', month());

  it('is a calendar that names the state of each day, has one tab stop and keys, and keeps its month until a report is opened', async () => {
    await show('Reports');
    await click('button', 'Previous month');
    const chosen = month();
    await pressGo('o');
    await show('Reports');
    expect(month()).toBe(chosen);
    await pressGo('d');
    expect(month()).not.toBe(chosen);
    expect(reading().getAllByText('Nothing in this section.')).toHaveLength(4);
    // The calendar is for dailies: the other kinds are all in their lists.
    await show('Reports', 'Monthlies');
    expect(shown().queryByRole('button', { name: 'Previous month' })).toBeNull();
    expect(document.querySelectorAll('#archive-list li')).toHaveLength(
      (await wire.ask('reports.index', { kind: 'monthly' })).lines.length,
    );
    await chooseTab('Dailies');

    wire.answer('reports.index', async (args) => {
      const { lines } = await wire.ask('reports.index', args);
      return { lines: lines.filter(({ label }) => label !== addDays(due, -4)) };
    });
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await settle();
    expect(shown().queryByRole('grid')).toBeNull();
    const wanted = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await unfold();
    while (month() !== wanted.format(Date.parse(addDays(due, -4)))) await click('button', 'Previous month');
    expect(cell(addDays(due, -4)).getAttribute('aria-label')).toContain('missing');
    expect(cell(addDays(due, -4)).getAttribute('aria-disabled')).toBe('true');
    expect(cell(addDays(due, -3)).getAttribute('aria-label')).toContain('unread');
    expect(screen.queryAllByTitle(/^Dates are Shanghai time/)).toHaveLength(1);
    await app.views.archive.show('daily', '2026-02-11');
    await settle();
    const grid = shown().getByRole('grid');
    const active = (): string | null => grid.querySelector('[tabindex="0"]')?.getAttribute('aria-label') ?? null;
    const press = async (key: string): Promise<string | null> => {
      await keyDown(grid, { key });
      return active();
    };
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    expect(active()).toContain('February 11, 2026');
    expect(await press('ArrowRight')).toContain('February 12, 2026');
    expect(await press('ArrowDown')).toContain('February 19, 2026');
    expect(await press('End')).toContain('February 22, 2026');
    expect(await press('ArrowRight')).toContain('February 23, 2026');
    expect(await press('ArrowUp')).toContain('February 16, 2026');
    expect(await press('ArrowLeft')).toContain('February 15, 2026');
    expect(await press('Home')).toContain('February 9, 2026');
    expect(await press('PageDown')).toContain('March 9, 2026');
    expect(month()).toBe('March 2026');
    expect(await press('PageUp')).toContain('February 9, 2026');
    expect(await press('ArrowUp')).toContain('February 2, 2026');
    expect(await press('ArrowUp')).toContain('January 26, 2026');
    expect(month()).toBe('January 2026');
  });

  // Holds: news-2-weekly-days, news-2-weekly-headline, news-2-weekly-overview, news-2-weekly-sections
  // Holds: news-2-weekly-page, news-2-monthly-days, news-2-monthly-headline, news-2-monthly-overview
  // Holds: news-2-monthly-sections, news-2-monthly-page
  it('shows the parts of a weekly and a monthly, and the way to its page', async () => {
    await show('Reports');
    for (const kind of ['weekly', 'monthly'] as const) {
      const [{ label }] = (await wire.ask('reports.index', { kind })).lines as [ReportLine];
      await app.views.archive.show(kind, label);
      await settle();
      const report = await wire.ask('reports.get', { kind, label });
      const { headline, overview, periodStart, periodEnd, sections, links } = report;
      const pane = document.querySelector<HTMLElement>('#archive-reading')!;
      expect(pane.textContent).toContain(calendarRange(dayMs(periodStart!), dayMs(periodEnd!), 'en-US'));
      expect(reading().queryAllByRole('heading', { name: headline! })).toHaveLength(1);
      // Some of its stories have the same texts.
      expect(pane.textContent).toContain(overview!.replace('\n\n', ''));
      for (const section of sections) {
        const region = reading().getByRole('region', { name: sectionName(section.label) });
        for (const { title } of section.items) expect(region.textContent).toContain(title.replace(/\s+/g, ' '));
      }
      await fireEvent.click(reading().getByRole('link', { name: 'View this report on the news site' }));
      expect(wire.argsOf('links.open').at(-1)).toEqual({ url: links.aihot });
    }
  });
});

describe('a report', () => {
  beforeEach(async () => {
    ({ app, wire } = await openOn(STORIES, { withoutRows: true }));
  });

  it('shows a lead that the first story repeats once, with the link and the marks of the story', async () => {
    const lead = { headline: 'A lead of its own', overview: 'A paragraph.' };
    wire.answer('reports.get', async (args) => {
      const { sections, ...rest } = await wire.ask('reports.get', args);
      const [first, ...others] = sections;
      const story = { ...first!.items[0]!, title: lead.headline, summary: lead.overview, readAt: null };
      const listed = { ...lead, attribution: { name: 'The index', url: null } };
      const items = [story, ...first!.items.slice(1)];
      const none = { headline: null, overview: null, attribution: null };
      return { ...rest, ...none, listed, sections: [{ ...first!, items }, ...others] };
    });
    await show('Reports');
    await pressGo('d');
    expect(reading().queryAllByRole('heading', { name: lead.headline })).toHaveLength(1);
    expect(
      [reading().getAllByText(lead.headline), reading().getAllByText(lead.overview)].map(({ length }) => length),
    ).toEqual([1, 1]);
    expect(reading().queryAllByText('The index')).toHaveLength(1);
    await clickOn(reading().getByRole('link', { name: 'Read original' }));
    expect(wire.argsOf('reports.markCitations')).toHaveLength(1);
  });

  it('dims what was read, names sections like categories in the reader’s language, and says when it is old', async () => {
    await show('Reports');
    await pressGo('d');
    expect(reading().queryAllByRole('heading', { name: 'In brief' })).toHaveLength(1);
    const read = reading().queryAllByText('Read.').length;
    await clickOn(reading().getAllByRole('button', { name: 'Mark as read' })[0]!);
    expect(reading().getAllByText('Read.')).toHaveLength(read + 1);
    expect(wire.argsOf('reports.markCitations')).toHaveLength(1);
    wire.answer('reports.get', async (args) => {
      const report = await wire.ask('reports.get', args);
      const [first, ...others] = report.sections;
      return { ...report, sections: [{ ...first!, label: '模型' }, { ...first!, label: '机器人' }, ...others] };
    });
    wire.emit('reports.changed', { kind: 'daily', labels: [due] });
    await settle();
    expect(reading().getByRole('heading', { name: 'Models' }).lang).toBe('en');
    expect(reading().getByRole('heading', { name: '机器人' }).lang).toBe('zh');
    expect(reading().queryByRole('heading', { name: '模型' })).toBeNull();
    const checked = async (days: number): Promise<string | undefined> => {
      const checkedAt = new Date(NOW - days * 86_400_000).toISOString();
      wire.answer('reports.get', async (args) => {
        return { ...(await wire.ask('reports.get', args)), checkedAt, freshUntil: checkedAt };
      });
      wire.emit('reports.changed', { kind: 'daily', labels: [due] });
      await settle();
      return reading()
        .queryByText(/^Checked/)
        ?.textContent.replace('\u202f', ' ');
    };
    expect(await checked(6)).toBe('Checked Thursday, 6:30 AM');
    expect(await checked(0.5)).toBeUndefined();
  });

  it('lists corrections with a word diff, and withdrawn texts without their text', async () => {
    const { lead, sections } = await servedReport(wire.app, `/dailies/${due}`);
    const [word] = lead!.title.split(' ') as [string];
    const [first, ...others] = sections;
    wire.service.correctDaily(due, {
      lead: { ...lead!, title: lead!.title.replace(word, 'Northlight') },
      sections: [{ ...first!, items: first!.items.slice(0, -1) }, ...others],
    } as never);
    wire.pass(6 * 3_600_000);
    await wire.ask('reports.open', { kind: 'daily', label: due });
    await show('Reports');
    await click('button', /^Unread.*2 corrections/);
    const list = named('heading', 'Corrections').parentElement!;
    expect(within(list).queryAllByText(sectionName(first!.label))).toHaveLength(1);
    expect(list.textContent).toContain('A story was withdrawn. Its text is no longer available.');
    expect(list.querySelector('del')?.textContent).toContain(word);
    expect(list.querySelector('ins')?.textContent).toContain('Northlight');
  });

  it('prints, exports a file, a month as an e-book, all as a feed, and the list of items as a table', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    URL.revokeObjectURL = vi.fn();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await show('Reports');
    await pressGo('d');
    await actOnReport('Print or save as PDF');
    expect(print).toHaveBeenCalledOnce();
    await actOnReport('Export');
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }));
    const dialog = within(screen.getByRole('dialog'));
    const formats = (): string[] =>
      within(dialog.getByRole('group', { name: 'Format' }))
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent.trim() ?? '');
    expect(formats()).toEqual(['Markdown', 'HTML', 'JSON', 'EPUB']);
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText(`Exported as daily-${due}.md`);
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies of / }));
    expect(formats()).toEqual(['Markdown', 'HTML', 'JSON', 'EPUB', 'Atom']);
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'EPUB' }).checked).toBe(true);
    await fireEvent.click(dialog.getByRole('radio', { name: 'EPUB' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Exported as dailies-2026-03.epub');
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies: all/ }));
    await fireEvent.click(dialog.getByRole('radio', { name: 'Atom' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Exported as broadsheet-dailies.atom.xml');
    await fireEvent.click(dialog.getByRole('radio', { name: /^Items in / }));
    expect(formats()).toEqual(['Atom', 'JSON Feed', 'CSV', 'Markdown']);
    await fireEvent.click(dialog.getByRole('radio', { name: 'CSV' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Exported as broadsheet-items.csv');
    expect(wire.argsOf('items.export').at(-1)).not.toHaveProperty('query.foldStories');
    expect(saved).toHaveBeenCalledTimes(4);
    print.mockRestore();
    saved.mockRestore();
  });

  it('is saved and exported as a PDF by a host that can, which also asks where to save archives', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    wire.answer('page.savePdf', () => ({ saved: true }));
    wire.capabilities = { ...wire.capabilities, host: 'electron', pdf: true };
    await app.settings.load();
    await show('Reports');
    await pressGo('d');
    await actOnReport('Save as PDF');
    expect(wire.argsOf('page.savePdf')).toEqual([{ name: `daily-${due}.pdf` }]);
    expect(screen.queryAllByText('Saved as PDF.')).toHaveLength(1);
    for (const [code, words] of [
      ['disk_full', 'The disk is full. Free up some space and try again.'],
      ['file_refused', 'This file can’t be used. Choose an ordinary file outside Broadsheet’s data folder.'],
    ] as const) {
      wire.failing.set('page.savePdf', { code, message: '', retryable: false });
      await actOnReport('Save as PDF');
      expect(screen.queryAllByText(`Couldn’t save the PDF file ${words}`)).toHaveLength(1);
    }
    expect(print).not.toHaveBeenCalled();

    wire.failing.clear();
    await actOnReport('Export');
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }));
    const dialog = within(screen.getByRole('dialog'));
    await fireEvent.click(dialog.getByRole('radio', { name: 'PDF' }));
    await clickOn(dialog.getByRole('button', { name: 'Export' }));
    expect(dialog.queryAllByText('Saved as PDF.')).toHaveLength(1);
    expect(saved).not.toHaveBeenCalled();
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies: all/ }));
    expect(dialog.queryByRole('radio', { name: 'PDF' })).toBeNull();
    expect(dialog.queryAllByText(/For a PDF, open a single report/)).toHaveLength(1);
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('broadsheet-daily-md.zip is ready. Choose where to save it.');
    print.mockRestore();
    saved.mockRestore();
  });

  it('says so when it is empty, and when it can’t be read', async () => {
    wire.failing.set('reports.index', { code: 'data_unreadable', message: '', retryable: false });
    await show('Reports');
    expect(screen.queryAllByText('The saved data can’t be read.')).toHaveLength(1);
    wire.failing.clear();
    wire.answer('reports.index', () => ({ lines: [] }));
    await click('button', 'Try again');
    expect(named('heading', 'No reports yet').textContent).toContain('No reports yet');
  });
});

describe('the export of reports', () => {
  it('says why more reports than an e-book holds are no e-book', async () => {
    wire = await openCore(STORIES);
    const [template] = (await wire.ask('reports.index', { kind: 'daily' })).lines as [ReportLine];
    const lines = Array.from({ length: 101 }, (_, n) => ({ ...template, label: addDays(due, -n) }));
    wire.answer('reports.index', ({ kind }) => ({
      lines: kind === 'daily' ? lines : ['2026-W11', '2026-W10'].map((label) => ({ ...template, kind, label })),
    }));
    app = await openDialogs(wire);
    await app.views.archive.show('daily', due);
    app.panel = 'export';
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }));
    const dialog = within(screen.getByRole('dialog'));
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies: all/ }));
    expect(dialog.queryByRole('radio', { name: 'EPUB' })).toBeNull();
    expect(dialog.queryAllByText(/EPUB holds up to 100 reports: choose the dailies of one month\./)).toHaveLength(1);
    await fireEvent.click(dialog.getByRole('radio', { name: 'Atom' }));
    expect(dialog.queryAllByText(/EPUB holds up to 100 reports/)).toHaveLength(1);
    await fireEvent.click(dialog.getByRole('radio', { name: /^Weeklies: all/ }));
    expect(dialog.queryAllByRole('radio', { name: 'EPUB' })).toHaveLength(1);
    expect(dialog.queryByText(/EPUB holds/)).toBeNull();
  });
});
