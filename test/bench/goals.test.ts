import { describe, expect, it } from 'vitest';
import { figuresIn } from './compare.ts';
import { goalTable } from './goals.ts';
import { table } from './table.ts';

const mirror = (cells: readonly string[][]): string =>
  `## 100,000 items\n${table(['first download', 'floor', 'Broadsheet', 'ratio', 'newsboat'], cells)}`;
const lineOf = (text: string, work: string): string | undefined => text.split('\n').find((line) => line.includes(work));

describe('the table of goals', () => {
  const figures = figuresIn(
    mirror([
      ['whole process, everything searchable, ms', '1000', '850', '0.85 x', '2125'],
      ['largest write-ahead logs, MB', '98', '65', '0.66 x', ''],
      ['peak memory of the whole process, MB', '200', '300', '1.50 x', '600'],
    ]),
  );
  const page = table(
    ['the page, 100,000 items', 'ms'],
    [
      ['a window: its rows, an empty page, ratio', '420, 300, 1.40 x'],
      ['640 px a frame', 'p95 16, p99 17, blank frames 0 of 600'],
      ['640 px a frame, 6 x slowed', 'p95 16, p99 40, blank frames 2 of 600'],
      ['any of 501 keys: median, p95, p99, longest', '38, 41, 49, 58'],
    ],
  );
  const text = goalTable(figures, page);

  it('says which are met, by ratio to the floor, own value and comparison with newsboat', () => {
    expect(lineOf(text, '100,000 items: whole process, everything searchable, ms |')).toMatch(
      /\| 0\.9 x \| 0\.85 x \| met \|$/,
    );
    expect(lineOf(text, '100,000 items: whole process, everything searchable, ms: faster')).toMatch(
      /\| at least 3 x \| 2\.5 x \| \*\*missed\*\* \|$/,
    );
    expect(lineOf(text, 'write-ahead logs')).toMatch(/\| 64 \| 65 \| \*\*missed\*\* \|$/);
    expect(lineOf(text, 'peak memory')).toMatch(/\| 230 \| 300 \| \*\*missed\*\* \|$/);
  });

  it('reads the figures of the page', () => {
    expect(lineOf(text, 'a window')).toMatch(/\| 1\.8 \| 1\.4 times an empty page \| met \|$/);
    expect(lineOf(text, '640 px a frame |')).toMatch(/\| 0 \| 0 blank frames \| met \|$/);
    expect(lineOf(text, '640 px a frame, 6 x slowed | 0')).toMatch(/\| 2 blank frames \| \*\*missed\*\* \|$/);
    expect(lineOf(text, 'any key')).toMatch(/\| 50 \| 41 ms, 95th percentile \| met \|$/);
  });

  it('says what was not measured', () => {
    expect(lineOf(text, 'size of the databases')).toMatch(/\| not measured \| {2}\|$/);
  });
});
