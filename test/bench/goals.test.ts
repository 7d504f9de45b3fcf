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
      ['rows visible, in process, ms', '1000', '1600', '1.60 x', '14000'],
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
    expect(lineOf(text, 'rows visible, in process, ms |')).toMatch(/\| 1\.7 x \| 1\.6 x \| met \|$/);
    expect(lineOf(text, 'rows visible, in process, ms: faster')).toMatch(
      /\| at least 9 x \| 8\.75 x \| \*\*missed\*\* \|$/,
    );
    expect(lineOf(text, 'write-ahead logs')).toMatch(/\| 64 \| 65 \| \*\*missed\*\* \|$/);
    expect(lineOf(text, 'share of newsboat')).toMatch(/\| 0\.4 \| 0\.5 \| \*\*missed\*\* \|$/);
  });

  it('reads the figures of the page', () => {
    expect(lineOf(text, 'a window')).toMatch(/\| 1\.5 \| 1\.4 times an empty page \| met \|$/);
    expect(lineOf(text, '640 px a frame |')).toMatch(/\| 17 ms, 99th percentile of frames \| \*\*missed\*\* \|$/);
    expect(lineOf(text, 'blank frames')).toMatch(/\| 0 \| 2 blank frames \| \*\*missed\*\* \|$/);
    expect(lineOf(text, 'any of 501 keys')).toMatch(/\| 60 \| 58 ms, longest \| met \|$/);
  });

  it('says what was not measured', () => {
    expect(lineOf(text, 'nothing changed, ms')).toMatch(/\| not measured \| {2}\|$/);
  });
});
