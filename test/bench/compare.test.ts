import { describe, expect, it } from 'vitest';
import { changesBetween, figuresIn } from './compare.ts';
import { table } from './table.ts';

const run = (search: number, worst: number): string =>
  [
    '# Performance',
    '## 5,000 items',
    table(
      ['a running app', 'floor', 'Broadsheet', 'ratio'],
      [
        ['search, ms', '2.0', String(search), `${(search / 2).toFixed(2)} x`],
        ['search, worst, ms', '2.0', String(worst), `${(worst / 2).toFixed(2)} x`],
        ['open with the engine in its threads, ms', '', '196', ''],
      ],
    ),
  ].join('\n\n');

describe('a run of the benchmark', () => {
  it('is read from the tables it wrote, with a ratio where there is a floor', () => {
    expect(figuresIn(run(3, 10))).toEqual([
      { part: '5,000 items', work: 'search, ms', ours: 3, ratio: 1.5, peer: null },
      { part: '5,000 items', work: 'search, worst, ms', ours: 10, ratio: 5, peer: null },
      { part: '5,000 items', work: 'open with the engine in its threads, ms', ours: 196, ratio: null, peer: null },
    ]);
  });

  it('is compared with an earlier one by ratios, and its worst cases decide nothing', () => {
    const changes = changesBetween(figuresIn(run(2, 4)), figuresIn(run(3, 10)));
    expect(changes.map(({ work, growth, judged }) => ({ work, growth, judged }))).toEqual([
      { work: 'search, ms', growth: 1.5, judged: true },
      { work: 'search, worst, ms', growth: 2.5, judged: false },
    ]);
  });

  it('has nothing to compare with a run of other sizes', () => {
    expect(changesBetween(figuresIn(run(2, 4).replace('5,000', '20,000')), figuresIn(run(3, 10)))).toEqual([]);
  });
});
