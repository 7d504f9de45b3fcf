import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { addDays } from '../../../../src-main/common/time.ts';
import { latestPublication } from '../../../../src-main/common/publication-timetable.ts';
import type { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, show, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;

beforeEach(async () => {
  ({ app, wire } = await openWithItems(NOW));
});

describe('the archive', () => {
  const cell = (label: string): HTMLElement => {
    const name = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(label));
    return named('button', new RegExp(`^${name}`));
  };
  const due = latestPublication('daily', NOW).label;
  const month = (): string => document.querySelector('#archive-list h2.section-title')!.textContent;

  it('is a calendar that names the state of each day, gaps included', async () => {
    await show('Archive');
    const wanted = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    while (month() !== wanted.format(Date.parse(addDays(due, -4)))) await click('button', 'Previous month');
    expect(cell(addDays(due, -4)).getAttribute('aria-label')).toContain('missing');
    expect(cell(addDays(due, -4)).getAttribute('aria-disabled')).toBe('true');
    expect(cell(addDays(due, -3)).getAttribute('aria-label')).toContain('unread');
    expect(screen.getByText(/^Dates are Shanghai time/)).toBeTruthy();
  });

  it('keeps the month that was chosen while another view is shown, and goes to that of a report', async () => {
    await show('Archive');
    await click('button', 'Previous month');
    const chosen = month();
    await show('Sources');
    await show('Archive');
    expect(month()).toBe(chosen);
    await click('button', 'Read latest daily');
    expect(month()).not.toBe(chosen);
  });

  it('has one tab stop and is used with the arrows, Home, End and the page keys', async () => {
    await show('Archive');
    await app.views.archive.show('daily', '2026-10-14');
    await settle();
    const grid = shown().getByRole('grid');
    const active = (): string | null => grid.querySelector('[tabindex="0"]')?.getAttribute('aria-label') ?? null;
    const press = async (key: string): Promise<string | null> => {
      await fireEvent.keyDown(grid, { key });
      await settle();
      return active();
    };
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    expect(active()).toContain('October 14, 2026');
    expect(await press('ArrowRight')).toContain('October 15, 2026');
    expect(await press('ArrowDown')).toContain('October 22, 2026');
    expect(await press('End')).toContain('October 25, 2026');
    expect(await press('ArrowRight')).toContain('October 26, 2026');
    expect(await press('ArrowUp')).toContain('October 19, 2026');
    expect(await press('Home')).toContain('Week 43 of 2026');
    expect(await press('ArrowUp')).toContain('Week 42 of 2026');
    expect(await press('ArrowRight')).toContain('October 12, 2026');
    expect(await press('ArrowLeft')).toContain('Week 42 of 2026');
    expect(await press('ArrowRight')).toContain('October 12, 2026');
    expect(await press('PageDown')).toContain('November 12, 2026');
    expect(month()).toBe('November 2026');
    expect(await press('PageUp')).toContain('October 12, 2026');
  });

  it('goes from a week to the Sunday before it with ArrowLeft', async () => {
    await show('Archive');
    await app.views.archive.show('daily', '2026-10-12');
    await settle();
    const grid = shown().getByRole('grid');
    const press = async (key: string): Promise<string | null | undefined> => {
      await fireEvent.keyDown(grid, { key });
      await settle();
      return grid.querySelector('[tabindex="0"]')?.getAttribute('aria-label');
    };
    expect(await press('ArrowLeft')).toContain('Week 42 of 2026');
    expect(await press('ArrowLeft')).toContain('October 11, 2026');
    await press('ArrowUp');
    expect(await press('Home')).toContain('Week 40 of 2026');
    expect(await press('ArrowLeft')).toContain('September 27, 2026');
    expect(month()).toBe('September 2026');
  });

  it('shows a lead that the first story repeats once, with the link and the marks of the story', async () => {
    const report = wire.views.report.bind(wire.views);
    const lead = { headline: 'A lead of its own', overview: 'A paragraph.' };
    wire.views.report = (kind, label) => {
      const { sections, ...rest } = report(kind, label);
      const [first, ...others] = sections;
      const story = { ...first!.items[0]!, title: lead.headline, summary: lead.overview, readAt: null };
      const listed = { ...lead, attribution: { name: 'The index', url: null } };
      const items = [story, ...first!.items.slice(1)];
      return {
        ...rest,
        headline: null,
        overview: null,
        attribution: null,
        listed,
        sections: [{ ...first!, items }, ...others],
      };
    };
    await show('Archive');
    await click('button', 'Read latest daily');
    const reading = within(document.querySelector<HTMLElement>('#archive-reading')!);
    expect(reading.getByRole('heading', { name: lead.headline })).toBeTruthy();
    expect(
      [reading.getAllByText(lead.headline), reading.getAllByText(lead.overview)].map(({ length }) => length),
    ).toEqual([1, 1]);
    expect(reading.getByText('The index')).toBeTruthy();
    await fireEvent.click(reading.getByRole('link', { name: 'Read original' }));
    await settle();
    expect(wire.calls.some(({ method }) => method === 'reports.markCitations')).toBe(true);
  });

  it('opens a report and dims what was read', async () => {
    await show('Archive');
    await click('button', 'Read latest daily');
    const reading = within(document.querySelector<HTMLElement>('#archive-reading')!);
    expect(reading.getByRole('heading', { name: 'Models' })).toBeTruthy();
    expect(reading.getByRole('heading', { name: 'In brief' })).toBeTruthy();
    expect(reading.getByText('Nothing in this section.')).toBeTruthy();
    const read = reading.getAllByText('Read').length;
    await fireEvent.click(reading.getAllByRole('button', { name: 'Mark as read' })[0]!);
    await settle();
    expect(reading.getAllByText('Read')).toHaveLength(read + 1);
    expect(wire.calls.some(({ method }) => method === 'reports.markCitations')).toBe(true);
  });

  it.each([
    ['when it was last checked, if that was days ago', 6, 'Checked 6 days ago'],
    ['nothing of a check that its lifetime covers', 0.5, null],
  ])('of a report says %s', async (_, days, said) => {
    const made = wire.views.report.bind(wire.views);
    const checkedAt = new Date(NOW - days * 86_400_000).toISOString();
    vi.spyOn(wire.views, 'report').mockImplementation((...which) => ({
      ...made(...which),
      checkedAt,
      freshUntil: checkedAt,
    }));
    await show('Archive');
    await click('button', 'Read latest daily');
    const reading = within(document.querySelector<HTMLElement>('#archive-reading')!);
    expect(reading.queryByText(/^Checked/)?.textContent ?? null).toBe(said);
  });

  // Holds: news-2-weekly-days, news-2-weekly-headline, news-2-weekly-overview, news-2-weekly-sections
  // Holds: news-2-weekly-page, news-2-monthly-days, news-2-monthly-headline, news-2-monthly-overview
  // Holds: news-2-monthly-sections, news-2-monthly-page
  it.each(['weekly', 'monthly'] as const)('shows the parts of a %s, and the way to its page', async (kind) => {
    await show('Archive');
    const label = wire.views.indexes[kind][0]!.label;
    await app.views.archive.show(kind, label);
    await settle();
    const { headline, overview, periodStart, periodEnd, sections, links } = wire.views.report(kind, label);
    const pane = document.querySelector<HTMLElement>('#archive-reading')!;
    const reading = within(pane);
    const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(pane.textContent).toContain(days.formatRange(Date.parse(periodStart!), Date.parse(periodEnd!)));
    expect(reading.getByRole('heading', { name: headline! })).toBeTruthy();
    // Some of its stories have the same texts.
    expect(pane.querySelector('.overview')?.textContent.trim()).toBe(overview!.replace('\n\n', ''));
    for (const section of sections) {
      const region = within(reading.getByRole('region', { name: section.label }));
      for (const { title } of section.items) expect(region.getAllByText(title).length).toBeGreaterThan(0);
    }
    await fireEvent.click(reading.getByRole('link', { name: 'View this report on the news site' }));
    expect(wire.calls.filter(({ method }) => method === 'links.open').at(-1)?.args).toEqual({ url: links.aihot });
  });

  it('lists corrections with a word diff, and withdrawn texts without their text', async () => {
    await show('Archive');
    await click('button', /^Unread.*2 corrections/);
    const list = named('heading', 'Corrections').parentElement!;
    expect(list.textContent).toContain('A story was withdrawn. Its text is no longer available.');
    expect(list.querySelector('del')?.textContent).toContain('30B');
    expect(list.querySelector('ins')?.textContent).toContain('32B');
  });

  it('prints, and exports a file', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    URL.revokeObjectURL = vi.fn();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await show('Archive');
    await click('button', 'Read latest daily');
    await click('button', 'Print or save as PDF');
    expect(print).toHaveBeenCalledOnce();
    await fireEvent.click(shown().getAllByRole('button', { name: 'Export' })[0]!);
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }), { timeout: 8_000 });
    const dialog = within(screen.getByRole('dialog'));
    await fireEvent.click(dialog.getByRole('radio', { name: 'HTML' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await settle();
    expect(dialog.getByText(`Exported as daily-${due}.html`)).toBeTruthy();
    expect(saved).toHaveBeenCalledOnce();
    print.mockRestore();
    saved.mockRestore();
  });

  it('is saved as a PDF by a host that can, and reports the outcome', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    wire.capabilities = { ...wire.capabilities, host: 'electron', pdf: true };
    await app.settings.load();
    await show('Archive');
    await click('button', 'Read latest daily');
    expect(shown().queryByRole('button', { name: 'Print or save as PDF' })).toBeNull();
    await click('button', 'Save as PDF');
    expect(wire.calls.at(-1)).toEqual({ method: 'page.savePdf', args: { name: `daily-${due}.pdf` } });
    expect(screen.getByText('Saved as PDF.')).toBeTruthy();
    for (const [code, words] of [
      ['disk_full', 'The disk is full. Free up some space and try again.'],
      ['file_refused', 'This file can’t be used. Choose an ordinary file outside Broadsheet’s data folder.'],
    ] as const) {
      wire.failing.set('page.savePdf', { code, message: '', retryable: false });
      await click('button', 'Save as PDF');
      expect(screen.getByText(`Couldn’t save the PDF. ${words}`)).toBeTruthy();
    }
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });

  it('exports a month as an e-book, all as a feed, and the list of items as a table', async () => {
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await show('Archive');
    await click('button', 'Read latest daily');
    await fireEvent.click(shown().getAllByRole('button', { name: 'Export' })[0]!);
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }), { timeout: 8_000 });
    const dialog = within(screen.getByRole('dialog'));
    const formats = (): string[] =>
      within(dialog.getByRole('group', { name: 'Format' }))
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent.trim() ?? '');
    expect(formats()).toEqual(['Markdown', 'HTML', 'JSON', 'EPUB']);
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies of / }));
    expect(formats()).toEqual(['EPUB', 'Atom', 'Markdown', 'HTML', 'JSON']);
    await fireEvent.click(dialog.getByRole('radio', { name: 'EPUB' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText(`Exported as daily-${due.slice(0, 7)}.epub`, {}, { timeout: 8_000 });
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies: all/ }));
    await fireEvent.click(dialog.getByRole('radio', { name: 'Atom' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Exported as broadsheet-daily-all.atom.xml', {}, { timeout: 8_000 });
    await fireEvent.click(dialog.getByRole('radio', { name: /^Items in the list: / }));
    expect(formats()).toEqual(['Atom', 'JSON Feed', 'CSV', 'Markdown']);
    await fireEvent.click(dialog.getByRole('radio', { name: 'CSV' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Exported as broadsheet.csv', {}, { timeout: 8_000 });
    expect(wire.calls.findLast(({ method }) => method === 'items.export')?.args).not.toHaveProperty(
      'query.foldStories',
    );
    expect(saved).toHaveBeenCalledTimes(3);
    saved.mockRestore();
  });

  it('says why more reports than an e-book holds are no e-book', async () => {
    const lines = wire.views.indexes.daily;
    const template = lines.find(({ stored }) => stored)!;
    wire.views.indexes.daily = Array.from({ length: 101 }, (_, n) => ({ ...template, label: addDays(due, -n) }));
    await show('Archive');
    await click('button', 'Read latest daily');
    await fireEvent.click(shown().getAllByRole('button', { name: 'Export' })[0]!);
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }), { timeout: 8_000 });
    const dialog = within(screen.getByRole('dialog'));
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies: all/ }));
    expect(dialog.queryByRole('radio', { name: 'EPUB' })).toBeNull();
    expect(dialog.getByText(/EPUB holds up to 100 reports: choose the dailies of one month\./)).toBeTruthy();
    await fireEvent.click(dialog.getByRole('radio', { name: 'Atom' }));
    expect(dialog.getByText(/EPUB holds up to 100 reports/)).toBeTruthy();
    await fireEvent.click(dialog.getByRole('radio', { name: /^Weeklies: all/ }));
    expect(dialog.getByRole('radio', { name: 'EPUB' })).toBeTruthy();
    expect(dialog.queryByText(/EPUB holds/)).toBeNull();
  });

  it('exports single reports as PDF, and says that the desktop will ask where to save', async () => {
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    wire.capabilities = { ...wire.capabilities, host: 'electron', pdf: true };
    await app.settings.load();
    await show('Archive');
    await click('button', 'Read latest daily');
    await fireEvent.click(shown().getAllByRole('button', { name: 'Export' })[0]!);
    await waitFor(() => screen.getByRole('dialog', { name: 'Export' }), { timeout: 8_000 });
    const dialog = within(screen.getByRole('dialog'));
    await fireEvent.click(dialog.getByRole('radio', { name: 'PDF' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await settle();
    expect(dialog.getByText('Saved as PDF.')).toBeTruthy();
    expect(saved).not.toHaveBeenCalled();
    await fireEvent.click(dialog.getByRole('radio', { name: /^Dailies: all/ }));
    expect(dialog.queryByRole('radio', { name: 'PDF' })).toBeNull();
    expect(dialog.getByText(/To get a PDF, open a single report first/)).toBeTruthy();
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('broadsheet-daily-md.zip is ready. Choose where to save it.', {}, { timeout: 8_000 });
    saved.mockRestore();
  });

  it('says so when it is empty, and when it can’t be read', async () => {
    wire.failing.set('reports.index', { code: 'data_unreadable', message: '', retryable: false });
    await show('Archive');
    expect(screen.getByText('The saved data can’t be read.')).toBeTruthy();
    wire.failing.clear();
    wire.views.indexes = { daily: [], weekly: [], monthly: [] };
    await click('button', 'Try again');
    expect(named('heading', 'No reports yet')).toBeTruthy();
  });
});
