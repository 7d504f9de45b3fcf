import type { Statistics, StatisticsDays } from '../../../src-main/contract/model/source.ts';

/** Statistics with two categories, two sources and others; the first span has nothing. `now` is ms since 1970. */
export function madeUpStatistics(days: StatisticsDays, now: number): Statistics {
  const step = days === 30 ? 1 : 7;
  const count = Math.ceil(days / step);
  const at = (ago: number): string => new Date(now - ago * 86_400_000).toISOString();
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
