import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import type { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, show, shown } from '../../support/shown-view.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.parse('2026-11-20T12:00:00Z');

let wire: MemoryWire;
let app: AppState;

beforeEach(async () => {
  ({ wire, app } = await openWithItems(NOW));
  await show('Statistics');
});

describe('the statistics', () => {
  it('are charts that say what they show', () => {
    const charts = shown()
      .getAllByRole('img')
      .map((chart) => chart.getAttribute('aria-label'));
    expect(charts).toEqual([
      'Models: 1,740 in all, at most 116',
      'No category: 435 in all, at most 29',
      'Northlight Blog: 870 in all, at most 58',
      '深度观察: 435 in all, at most 29',
      '3 other sources and items without one: 870 in all, at most 58',
      'Read: 60 in all, at most 30',
      'Unread: 20 in all, at most 5',
    ]);
  });

  it('have a table for each chart', async () => {
    const toggles = shown().getAllByText('Show as table');
    expect(toggles).toHaveLength(4);
    for (const toggle of toggles) await fireEvent.click(toggle);
    const rowsOf = async (name: string) => within(await screen.findByRole('table', { name })).getAllByRole('row');
    expect((await rowsOf('Items by category'))[0]?.textContent).toBe('FromModelsNo category');
    expect(await rowsOf('Items by category')).toHaveLength(31);
    expect((await rowsOf('Items by source'))[1]?.textContent).toMatch(/582958$/);
    expect((await rowsOf('Read and unread by week'))[1]?.textContent).toMatch(/305$/);
    expect((await rowsOf('First to report')).map((row) => row.textContent)).toEqual([
      'SourceStories',
      '深度观察3',
      'Northlight Blog1',
    ]);
  });

  it('follow mute rules once these are matched', async () => {
    const reads = (): number => wire.calls.filter(({ method }) => method === 'statistics.get').length;
    wire.emit('rules.changed', { progress: { done: 0.5 } });
    await settle();
    expect(reads()).toBe(1);
    wire.emit('rules.changed', { progress: null });
    await settle();
    expect(reads()).toBe(2);
  });

  it('go over a time that is chosen', async () => {
    await fireEvent.click(named('radio', '365 days'));
    await settle();
    expect(wire.calls.filter(({ method }) => method === 'statistics.get').map(({ args }) => args)).toEqual([
      { days: 30 },
      { days: 365 },
    ]);
    expect(shown().getAllByText('By week').length).toBeGreaterThan(0);
  });

  it('lead to the items of a source', async () => {
    const section = named('region', 'First to report');
    await fireEvent.click(within(section).getByRole('button', { name: 'Show items from 深度观察' }));
    await settle();
    expect(app.feed.list.query).toMatchObject({ source: '深度观察' });
  });

  it('say what went wrong', async () => {
    cleanup();
    ({ wire, app } = await openWithItems(NOW));
    wire.failing.set('statistics.get', { code: 'internal', message: 'broken', retryable: true });
    await show('Statistics');
    wire.failing.clear();
    await click('button', 'Try again');
    expect(shown().getAllByRole('img')).toHaveLength(7);
  });
});
