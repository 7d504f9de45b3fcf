import type { Figure } from './compare.ts';
import { table } from './table.ts';

const LARGEST = '100,000 items';

/** A goal for Broadsheet, and the place of its figure in the tables of a run. */
interface Goal {
  /** The heading of its part; default `100,000 items`. */
  part?: string;
  work: string;
  /** `ratio` to the floor, Broadsheet's own value, or how many times faster than newsboat. */
  of: 'ratio' | 'value' | 'faster than newsboat';
  /** At most this much; for `faster than newsboat` at least. */
  limit: number;
}

const GOALS: readonly Goal[] = [
  { work: 'whole process, everything searchable, ms', of: 'ratio', limit: 0.9 },
  { work: 'whole process, everything searchable, ms', of: 'faster than newsboat', limit: 3 },
  { part: '5,000 items', work: 'whole process, everything searchable, ms', of: 'faster than newsboat', limit: 1 },
  { work: 'peak memory of the whole process, MB', of: 'value', limit: 230 },
  { work: 'largest write-ahead logs, MB', of: 'value', limit: 64 },
  { work: 'size of the databases, MB', of: 'ratio', limit: 1.15 },
  { work: 'longest step of the main loop meanwhile, ms', of: 'value', limit: 33 },
  { work: '99th percentile of these reads, ms', of: 'value', limit: 8 },
  { work: 'a page of 50 rows, any filter, 95th percentile, ms', of: 'value', limit: 8 },
  { work: 'unread counts of all views, ms', of: 'value', limit: 10 },
  { work: 'search, newest 50, 95th percentile, ms', of: 'value', limit: 10 },
  { work: 'search, worst, ms', of: 'value', limit: 50 },
  { work: 'files written while nothing changed', of: 'value', limit: 0 },
  { work: '1,000 changes, stored, ms', of: 'ratio', limit: 2 },
];

const KEYS = 'any key: median, p95, p99, longest';

/** In the table of the page each line has one cell with several numbers: `at` counts them. */
const PAGE_GOALS: readonly { work: string; at: number; limit: number; says: string }[] = [
  { work: 'a window: its rows, an empty page, ratio', at: 2, limit: 1.8, says: 'times an empty page' },
  { work: 'the first load, compressed, and its fonts, kB', at: 0, limit: 350, says: 'kB without fonts' },
  { work: 'any view switch, 95th percentile', at: 0, limit: 50, says: 'ms' },
  { work: 'All items: rows after the scrollbar is dragged to 70 %, longest', at: 0, limit: 60, says: 'ms' },
  { work: '640 px a frame', at: 4, limit: 0, says: 'blank frames' },
  { work: '640 px a frame, 6 x slowed', at: 1, limit: 50, says: 'ms, 95th percentile of frames' },
  { work: '640 px a frame, 6 x slowed', at: 4, limit: 0, says: 'blank frames' },
  { work: 'first start: newest rows in Picks, from opening the page', at: 0, limit: 500, says: 'ms' },
  { work: 'first search after the start, median and longest', at: 0, limit: 60, says: 'ms, median' },
  { work: KEYS, at: 1, limit: 50, says: 'ms, 95th percentile' },
  { work: KEYS, at: 3, limit: 80, says: 'ms, longest' },
];

/** Goals, figures, and whether they are met, as a Markdown table. A goal whose figure was not measured says so. */
export function goalTable(figures: readonly Figure[], pageTable: string): string {
  const rows = [...GOALS.map((goal) => mirrorLine(goal, figures)), growthLine(figures), ...pageLines(pageTable)];
  return table(['goal', 'at most', 'figure', ''], rows);
}

function mirrorLine({ part = LARGEST, work, of, limit }: Goal, figures: readonly Figure[]): string[] {
  const figure = figures.find((one) => one.part === part && one.work === work);
  const value = figure === undefined ? null : valueOf(figure, of);
  const isLeast = of === 'faster than newsboat';
  const unit = of === 'value' ? '' : ' x';
  const said = `${isLeast ? 'at least ' : ''}${rounded(limit)}${unit}`;
  return [
    `${part}: ${work}${isLeast ? ': faster than newsboat' : ''}`,
    said,
    value === null ? 'not measured' : `${rounded(value)}${unit}`,
    verdict(value, limit, isLeast),
  ];
}

function valueOf({ ours, ratio, peer }: Figure, of: Goal['of']): number | null {
  if (of === 'ratio') return ratio;
  if (of === 'value') return ours;
  return peer === null ? null : peer / ours;
}

/** The time for 1,000 changes must not grow with the number of stored items. */
function growthLine(figures: readonly Figure[]): string[] {
  const at = (part: string): number | undefined =>
    figures.find((one) => one.part === part && one.work === '1,000 changes, stored, ms')?.ours;
  const [small, large] = [at('5,000 items'), at(LARGEST)];
  const growth = small === undefined || large === undefined ? null : large / small;
  const figure = growth === null ? 'not measured' : `${rounded(growth)} x`;
  return ['1,000 changes, stored: at 100,000 items against 5,000', '1.5 x', figure, verdict(growth, 1.5)];
}

function pageLines(pageTable: string): string[][] {
  const cells = new Map(
    pageTable.split('\n').map((line) => {
      const [, work = '', value = ''] = line.split('|').map((cell) => cell.trim());
      // The number of keys stands in the name of the line.
      return [work.replace(/^any of \d+ keys/, 'any key'), value];
    }),
  );
  const numbers = (text: string): number[] => (text.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? []).map(Number);
  return PAGE_GOALS.map(({ work, at, limit, says }) => {
    const value = numbers(cells.get(work) ?? '')[at] ?? null;
    const figure = value === null ? 'not measured' : `${rounded(value)} ${says}`;
    return [work, String(limit), figure, verdict(value, limit)];
  });
}

function verdict(value: number | null, limit: number, isLeast = false): string {
  if (value === null) return '';
  return (isLeast ? value >= limit : value <= limit) ? 'met' : '**missed**';
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
