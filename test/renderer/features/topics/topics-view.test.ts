import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, show, shown } from '../../support/shown-view.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();
const SCRIPT = '<script>window.broken = true</script><b>bold</b>';

let wire: MemoryWire;

beforeEach(async () => {
  ({ wire } = await openWithItems(NOW));
});

describe('hot topics', () => {
  beforeEach(() => show('Hot topics'));

  it('are a ranked list that names its gaps', () => {
    const entries = within(named('list', 'Topic ranking')).getAllByRole('listitem');
    expect(entries.map((entry) => entry.textContent.trim().slice(0, 5))).toHaveLength(9);
    expect(entries[2]?.textContent).toContain('No. 3 not listed');
    expect(entries[7]?.textContent).toContain('Nos. 8 to 9 not listed');
    expect(entries[0]?.textContent).toContain('up 1 place');
    expect(entries[4]?.textContent).toContain('new in the ranking');
  });

  it('show the history of a topic as a labelled chart and as a table', async () => {
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

  it('show the history of a new topic in words, without a chart of one dot', async () => {
    const [first, ...rest] = wire.views.ranking.topics;
    const history = { ...first!.history, points: first!.history.points.slice(-1), reentries: 0 };
    wire.views.ranking = { ...wire.views.ranking, topics: [{ ...first!, history }, ...rest] };
    wire.emit('hotTopics.changed', {});
    await settle();
    const [row, other] = within(named('list', 'Topic ranking')).getAllByRole('listitem');
    expect(row!.querySelector('svg[width="52"]')).toBeNull();
    expect(other!.querySelector('svg[width="52"]')).not.toBeNull();
    await click('button', /Northlight opens/);
    expect(shown().queryByRole('img', { name: /^Rank over time/ })).toBeNull();
    const section = named('heading', 'Rank over time').closest('section')!;
    expect(section.textContent).toContain('First seen');
    expect(section.textContent).toContain('Now');
    expect(section.textContent).toContain('No. 1');
  });

  it('open a story in the page and go back to the topic', async () => {
    await click('button', /Northlight opens/);
    await click('button', 'Read story');
    expect(named('heading', 'Coverage')).toBeTruthy();
    await click('button', 'Back to topic');
    expect(named('heading', 'Rank over time')).toBeTruthy();
  });

  it('offer no story if there is none', async () => {
    await click('button', /三家云厂商/);
    expect(shown().queryByRole('button', { name: 'Read story' })).toBeNull();
  });

  it('name their source shortly in the list, and in full on their page', async () => {
    const [first, ...rest] = wire.views.ranking.topics;
    const name = 'X：宝玉 (@dotey)';
    wire.views.ranking = {
      ...wire.views.ranking,
      topics: [{ ...first!, source: { name }, sourceNames: [name] }, ...rest],
    };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(named('list', 'Topic ranking').textContent).toContain('宝玉');
    expect(named('list', 'Topic ranking').textContent).not.toContain('@dotey');
    await click('button', /Northlight opens/);
    expect(screen.getAllByText(name)).toHaveLength(1);
    expect(shown().getByTitle(name).textContent).toBe('宝玉');
  });

  it('say that their story is no longer available, and offer it only if it is saved', async () => {
    const gone = (storySaved: boolean): void => {
      const [first, ...rest] = wire.views.ranking.topics;
      const topic = { ...first!, storyGoneAt: new Date(NOW).toISOString(), storySaved };
      wire.views.ranking = { ...wire.views.ranking, topics: [topic, ...rest] };
      wire.emit('stories.changed', { publicIds: ['story-0'] });
    };
    gone(true);
    await settle();
    const [row] = within(named('list', 'Topic ranking')).getAllByRole('listitem');
    expect(row?.textContent).toContain('Story no longer available');
    await click('button', /Northlight opens/);
    expect(named('button', 'Read saved story')).toBeTruthy();
    gone(false);
    await settle();
    expect(shown().queryByRole('button', { name: /Read .*story/ })).toBeNull();
    expect(shown().getAllByText('Story no longer available').length).toBeGreaterThan(0);
  });

  it('show markup as plain text', async () => {
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

  it('say so when there is no ranking', async () => {
    wire.views.ranking = { topics: [], since: null };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(named('heading', 'No ranking yet')).toBeTruthy();
  });

  it('count a topic as read when it is opened, and follow what is read elsewhere', async () => {
    const first = (): HTMLElement => within(named('list', 'Topic ranking')).getAllByRole('listitem')[0]!;
    expect(first().textContent).toContain('Unread');
    await click('button', /Northlight opens/);
    expect(first().textContent).not.toContain('Unread');
    expect(wire.rows[0]?.state.readAt).not.toBeNull();
    await wire.call('items.mark', { ids: ['item-0'], mark: 'unread' });
    await settle();
    expect(first().textContent).toContain('Unread');
  });

  it('update the open topic with the ranking, and keep it when it leaves the ranking', async () => {
    await click('button', /三家云厂商/);
    const reading = (): string => document.querySelector('#hotTopics-reading')?.textContent ?? '';
    const [first, second, ...rest] = wire.views.ranking.topics;
    wire.views.ranking = { ...wire.views.ranking, topics: [{ ...second!, rank: 1 }, ...rest] };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(reading()).toContain('No. 1');
    wire.views.ranking = { ...wire.views.ranking, topics: [first!] };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(reading()).toContain('三家云厂商');
    expect(reading()).toContain('Showing its last position');
  });

  it('keep the last ranking if a new one can’t be read', async () => {
    wire.failing.set('hotTopics.list', { code: 'unreachable', message: '', retryable: true });
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(within(named('list', 'Topic ranking')).getAllByRole('listitem')).toHaveLength(9);
  });
});
