import { configure, fireEvent, screen, within, type BoundFunctions, type queries } from '@testing-library/svelte';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { latestPublication } from '../../../src-main/common/publication-timetable.ts';
import { addDays } from '../../../src-main/common/shanghai.ts';

import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { madeUpStory } from '../support/made-up-views.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();
const SCRIPT = '<script>window.broken = true</script><b>bold</b>';

let wire: MemoryWire;
let app: AppState;

// What is on the page is asked of the view that is shown: whether each element is seen, jsdom takes long to say.
beforeAll(() => configure({ defaultHidden: true }));
afterAll(() => configure({ defaultHidden: false }));

beforeEach(async () => {
  wire = new MemoryWire(
    Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true })),
    NOW,
  );
  wire.settings = { ...wire.settings, language: 'en' };
  ({ app } = await openPage(wire));
});

/** The view that is shown. */
const shown = (): BoundFunctions<typeof queries> => within(document.querySelector<HTMLElement>('.view:not(.away)')!);
const named = (role: string, name: string | RegExp): HTMLElement => shown().getByRole(role, { name });

async function show(view: 'Hot topics' | 'Stories' | 'Archive'): Promise<void> {
  const views = screen.getByRole('navigation', { name: 'Views' });
  await fireEvent.click(within(views).getByRole('button', { name: new RegExp(`^${view}`) }));
  await vi.waitFor(() => named('heading', view), { timeout: 8_000 });
  await settle();
}

async function click(role: string, name: string | RegExp): Promise<void> {
  await fireEvent.click(named(role, name));
  await settle();
}

describe('hot topics', () => {
  beforeEach(() => show('Hot topics'));

  it('are a ranked list whose gaps are said', () => {
    const entries = within(named('list', 'Topic ranking')).getAllByRole('listitem');
    expect(entries.map((entry) => entry.textContent.trim().slice(0, 5))).toHaveLength(9);
    expect(entries[2]?.textContent).toContain('No. 3 not listed');
    expect(entries[7]?.textContent).toContain('Nos. 8 to 9 not listed');
    expect(entries[0]?.textContent).toContain('up 1 place');
    expect(entries[4]?.textContent).toContain('new in the ranking');
  });

  it('show the history of a topic as a picture with words, and as a table', async () => {
    await click('button', /三家云厂商/);
    const chart = shown().getByRole('img', { name: /^Rank over time/ });
    expect(chart.getAttribute('aria-label')).toContain('Now: No. 2');
    expect(chart.querySelectorAll('path.run')).toHaveLength(2);
    expect(chart.querySelectorAll('line.absence')).toHaveLength(1);
    await fireEvent.click(shown().getByText('Show as table'));
    const rows = within(await screen.findByRole('table', { name: 'Rank over time' })).getAllByRole('row');
    expect(rows).toHaveLength(10);
    expect(rows[1]?.textContent).toMatch(/2\s*$/);
    expect(rows[5]?.textContent).toContain('not ranked');
  });

  it('open a story inside the page, and lead back to the topic', async () => {
    await click('button', /Northlight opens/);
    await click('button', 'Read story');
    expect(named('heading', 'Coverage')).toBeTruthy();
    await click('button', 'Back to topic');
    expect(named('heading', 'Rank over time')).toBeTruthy();
  });

  it('offer no story where the service gave none', async () => {
    await click('button', /三家云厂商/);
    expect(shown().queryByRole('button', { name: 'Read story' })).toBeNull();
  });

  it('show markup as the text that it is', async () => {
    const [first, ...rest] = wire.views.ranking.topics;
    wire.views.ranking = {
      ...wire.views.ranking,
      topics: [{ ...first!, title: SCRIPT, sourceNames: [SCRIPT] }, ...rest],
    };
    wire.emit('hotTopics.changed', {});
    await settle();
    await click('button', /window.broken/);
    expect(screen.getAllByText(SCRIPT).length).toBeGreaterThan(1);
    expect('broken' in window).toBe(false);
  });

  it('say so when there is no ranking, and when it can not be read', async () => {
    wire.views.ranking = { topics: [], since: null };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(named('heading', 'No ranking yet')).toBeTruthy();
  });
});

describe('stories', () => {
  it('are listed by what the app does with them', async () => {
    await show('Stories');
    expect(within(named('list', 'Stories: Hot')).getAllByRole('listitem')).toHaveLength(4);
    await click('radio', 'Followed');
    expect(named('heading', 'No followed stories yet')).toBeTruthy();
  });

  it('mark what is new since the last look, and first-hand reports', async () => {
    const fresh = { reportIds: ['story-1-report-0', 'story-1-report-1'], digest: true };
    wire.views.stories.set('story-1', madeUpStory(1, NOW, { followedAt: 'x', fresh }));
    await show('Stories');
    await click('button', /2 new/);
    expect(screen.getByText('2 new since your last visit')).toBeTruthy();
    expect(screen.getByText('Updated since your last visit')).toBeTruthy();
    expect(screen.getAllByText('New')).toHaveLength(2);
    expect(screen.getAllByText('Primary source')).toHaveLength(2);
  });

  it('are followed with one button that says how it stands', async () => {
    await show('Stories');
    await click('button', /Northlight opens/);
    const follow = named('button', 'Follow');
    expect(follow.getAttribute('aria-pressed')).toBe('false');
    await fireEvent.click(follow);
    await settle();
    expect(named('button', 'Following').getAttribute('aria-pressed')).toBe('true');
    expect(wire.views.story('story-0').followedAt).not.toBeNull();
  });

  it('lead to their neighbours inside the page, and back', async () => {
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    const reading = within(document.querySelector<HTMLElement>('#stories-reading')!);
    await fireEvent.click(reading.getByRole('button', { name: /earlier/ }));
    await settle();
    expect(reading.getByRole('heading', { level: 2 }).textContent).toContain('Regulators in four countries');
    await click('button', 'Back to previous story');
    expect(reading.getByRole('heading', { level: 2 }).textContent).toContain('Northlight opens');
  });

  it('open their reports through the one door', async () => {
    await show('Stories');
    await click('button', /^Developing.*Northlight opens/);
    const reading = within(document.querySelector<HTMLElement>('#stories-reading')!);
    await fireEvent.click(reading.getAllByRole('link', { name: /Northlight opens/ })[0]!);
    expect(wire.calls.at(-1)).toEqual({ method: 'links.open', args: { url: 'https://news.example/0/0' } });
  });

  it('that are no longer available are shown as they are stored, and say so', async () => {
    wire.views.stories.set('story-0', madeUpStory(0, NOW, { goneAt: 'x' }));
    await show('Stories');
    await click('button', /No longer available/);
    expect(screen.getByText('This story is no longer available online. Showing the saved version.')).toBeTruthy();
    expect(named('heading', 'Coverage')).toBeTruthy();
  });

  it('that were merged say so', async () => {
    wire.views.aliases.set('old', 'story-1');
    await show('Stories');
    await app.views.stories.open('old');
    await settle();
    expect(screen.getByText('The story you opened is now part of this one.')).toBeTruthy();
  });
});

describe('the archive', () => {
  const cell = (label: string): HTMLElement => {
    const name = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(label));
    return named('button', new RegExp(`^${name}`));
  };
  const due = latestPublication('daily', NOW).label;

  it('is a calendar that says of each day how it stands, gaps too', async () => {
    await show('Archive');
    app.views.archive.month = addDays(due, -4).slice(0, 7);
    await settle();
    expect(cell(addDays(due, -4)).getAttribute('aria-label')).toContain('missing');
    expect(cell(addDays(due, -4)).getAttribute('aria-disabled')).toBe('true');
    expect(cell(addDays(due, -3)).getAttribute('aria-label')).toContain('unread');
    expect(screen.getByText(/^Dates are Shanghai time/)).toBeTruthy();
  });

  it('has one tab stop, and is gone through by arrows, Home, End and the page keys', async () => {
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
    expect(app.views.archive.month).toBe('2026-11');
    expect(await press('PageUp')).toContain('October 12, 2026');
  });

  it('opens a report from its day, reads it, and dims what was read', async () => {
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
    expect(wire.calls.some(({ method }) => method === 'reports.markCitation')).toBe(true);
  });

  it('lists corrections, edited texts word by word, withdrawn ones as facts', async () => {
    await show('Archive');
    await click('button', /^Unread.*2 corrections/);
    const list = named('heading', 'Corrections').parentElement!;
    expect(list.textContent).toContain('A story was withdrawn. Its text is no longer available.');
    expect(list.querySelector('del')?.textContent).toContain('30B');
    expect(list.querySelector('ins')?.textContent).toContain('32B');
  });

  it('prints by the host, and exports as a file', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    URL.revokeObjectURL = vi.fn();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await show('Archive');
    await click('button', 'Read latest daily');
    await click('button', 'Print or save as PDF');
    expect(print).toHaveBeenCalledOnce();
    await fireEvent.click(shown().getAllByRole('button', { name: 'Export' })[0]!);
    await vi.waitFor(() => screen.getByRole('dialog', { name: 'Export reports' }), { timeout: 8_000 });
    const dialog = within(screen.getByRole('dialog'));
    await fireEvent.click(dialog.getByRole('radio', { name: 'HTML' }));
    await fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await settle();
    expect(dialog.getByText(`Exported as daily-${due}.html`)).toBeTruthy();
    expect(saved).toHaveBeenCalledOnce();
    print.mockRestore();
    saved.mockRestore();
  });

  it('is saved as a PDF by a host that can, and says what came of it', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    wire.capabilities = { ...wire.capabilities, host: 'electron', pdf: true };
    await app.settings.load();
    await show('Archive');
    await click('button', 'Read latest daily');
    expect(shown().queryByRole('button', { name: 'Print or save as PDF' })).toBeNull();
    await click('button', 'Save as PDF');
    expect(wire.calls.at(-1)).toEqual({ method: 'page.savePdf', args: { name: `daily-${due}.pdf` } });
    expect(screen.getByText('Saved as PDF.')).toBeTruthy();
    wire.failing.set('page.savePdf', { code: 'disk_full', message: '', retryable: false });
    await click('button', 'Save as PDF');
    expect(screen.getByText('Couldn’t save the PDF. The disk is full. Free up some space and try again.')).toBeTruthy();
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });

  it('is exported as a PDF one by one, and the desktop asks where files go', async () => {
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    wire.capabilities = { ...wire.capabilities, host: 'electron', pdf: true };
    await app.settings.load();
    await show('Archive');
    await click('button', 'Read latest daily');
    await fireEvent.click(shown().getAllByRole('button', { name: 'Export' })[0]!);
    await vi.waitFor(() => screen.getByRole('dialog', { name: 'Export reports' }), { timeout: 8_000 });
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

  it('says so when it is empty, and when it can not be read', async () => {
    wire.failing.set('reports.index', { code: 'data_unreadable', message: '', retryable: false });
    await show('Archive');
    expect(screen.getByText('The saved data can’t be read.')).toBeTruthy();
    wire.failing.clear();
    wire.views.indexes = { daily: [], weekly: [], monthly: [] };
    await click('button', 'Try again');
    expect(named('heading', 'No reports yet')).toBeTruthy();
  });
});

describe('the way through the views', () => {
  it('leads to the feed for a stored item, and to its search', async () => {
    await show('Hot topics');
    await click('button', /Northlight opens/);
    await click('button', 'Show in feed');
    expect(app.views.current).toBe('feed');
    expect(app.reading.item?.id).toBe('item-0');
    app.showView('hotTopics');
    await fireEvent.keyDown(window, { key: '/' });
    await settle();
    expect(app.views.current).toBe('feed');
  });

  it('is the same in Chinese', async () => {
    await app.settings.set({ language: 'zh-CN' });
    app.showView('archive');
    await vi.waitFor(() => named('heading', '报告存档'));
    expect(named('button', '阅读最新日报')).toBeTruthy();
    await app.settings.set({ language: 'en' });
  });
});
