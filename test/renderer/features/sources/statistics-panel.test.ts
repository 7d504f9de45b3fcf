import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Statistics, StatisticsDays } from '../../../../src-main/contract/model/source.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, type CoreWire } from '../../support/core.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, named, openOnItems, pressGo, shown } from '../../support/shown-view.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  ({ wire, app } = await openOnItems({ withoutRows: true }));
  wire.answer('statistics.get', ({ days }) => madeUpStatistics(days));
  await pressGo('c');
});

/** Statistics with two categories, two sources and others; the first span has nothing. */
function madeUpStatistics(days: StatisticsDays): Statistics {
  const step = days === 30 ? 1 : 7;
  const count = Math.ceil(days / step);
  const at = (ago: number): string => new Date(NOW - ago * 86_400_000).toISOString();
  const series = (factor: number): number[] => Array.from({ length: count }, (_, n) => n * factor);
  return {
    spans: Array.from({ length: count }, (_, n) => at((count - n) * step)),
    categories: [
      { category: 'ai-models', items: series(4) },
      { category: null, items: series(1) },
    ],
    sources: [
      { name: 'Northlight Blog', items: series(2) },
      { name: '深度观察', items: series(1) },
    ],
    rest: { sources: 3, items: series(2) },
    weeks: Array.from({ length: 4 }, (_, n) => ({ from: at((4 - n) * 7), read: 10 * n, unread: 5 })),
    first: [
      { name: '深度观察', first: 3 },
      { name: 'Northlight Blog', first: 1 },
    ],
    stories: 4,
  };
}

describe('the statistics', () => {
  it('are charts that say what they show, categories on one scale and each source on its own, with tables', async () => {
    const charts = shown().getAllByRole('img');
    const [models, uncategorised, northlight, deep] = charts.map((chart) =>
      chart.querySelector('path')!.getAttribute('d'),
    );
    expect(models).not.toBe(uncategorised);
    expect(northlight).toBe(deep);
    expect(charts.map((chart) => chart.getAttribute('aria-label'))).toEqual([
      'Models: 1,740 in all, at most 116',
      'No category: 435 in all, at most 29',
      'Northlight Blog: 870 in all, at most 58',
      '深度观察: 435 in all, at most 29',
      'All others: 870 in all, at most 58',
      'Read: 60 in all, at most 30',
      'Unread: 20 in all, at most 5',
    ]);
    const toggles = shown().getAllByText('Show as table');
    expect(toggles).toHaveLength(4);
    for (const toggle of toggles) await fireEvent.click(toggle);
    const rowsOf = async (name: string) => within(await screen.findByRole('table', { name })).getAllByRole('row');
    expect((await rowsOf('Items by category'))[0]?.textContent).toBe('FromModelsNo category');
    expect(await rowsOf('Items by category')).toHaveLength(31);
    expect((await rowsOf('Items by source'))[1]?.textContent).toMatch(/582958$/);
    expect((await rowsOf('Read and unread by week'))[1]?.textContent).toMatch(/305$/);
    expect((await rowsOf('First to report')).map((row) => row.textContent)).toEqual([
      'SourcesTopics',
      '深度观察3',
      'Northlight Blog1',
    ]);
  });

  it('follow mute rules once these are matched, go over a time that is chosen, and lead to items', async () => {
    const reads = (): number => wire.argsOf('statistics.get').length;
    wire.emit('rules.changed', { progress: { done: 0.5 } });
    await settle();
    expect(reads()).toBe(1);
    wire.emit('rules.changed', { progress: null });
    await settle();
    expect(reads()).toBe(2);
    await clickOn(named('radio', '365 days'));
    expect(wire.argsOf('statistics.get').at(-1)).toEqual({ days: 365 });
    expect(shown().getAllByText('By week').length).toBeGreaterThan(0);
    const section = named('region', 'First to report');
    await clickOn(within(section).getByRole('button', { name: 'Show items from 深度观察' }));
    expect(app.feed.list.query).toMatchObject({ source: '深度观察' });
  });
});
