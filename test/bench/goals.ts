import type { Figure } from './compare.ts';
import { table } from './table.ts';

const LARGEST = '100,000 items';

/** A goal for Broadsheet, and the place of its figure in the tables of a run. */
interface Goal {
  /** The heading of its part; default `100,000 items`. */
  part?: string;
  work: string;
  /** `ratio` to the floor, Broadsheet's own value, how many times faster than newsboat, or its share of newsboat's memory. */
  of: 'ratio' | 'value' | 'faster than newsboat' | 'share of newsboat';
  /** At most this much; for `faster than newsboat` at least. */
  limit: number;
}

/**
 * The floor works in one thread. With rows and index in two it takes 0.62 of that (1.83 s against 2.93, measured once), and
 * 1.4 times as much is the goal for a mirror that is searchable.
 */
const TWO_WORKERS = 0.62;

const GOALS: readonly Goal[] = [
  { work: 'rows visible, in process, ms', of: 'ratio', limit: 1.7 },
  { work: 'everything searchable, in process, ms', of: 'ratio', limit: 1.4 * TWO_WORKERS },
  { work: 'whole process, everything searchable, ms', of: 'ratio', limit: 1 },
  { work: 'rows visible, in process, ms', of: 'faster than newsboat', limit: 9 },
  { part: '20,000 items', work: 'rows visible, in process, ms', of: 'faster than newsboat', limit: 10 },
  { part: '5,000 items', work: 'rows visible, in process, ms', of: 'faster than newsboat', limit: 8 },
  { work: 'everything searchable, in process, ms', of: 'faster than newsboat', limit: 5 },
  { work: 'whole process, everything searchable, ms', of: 'faster than newsboat', limit: 5 },
  { part: '20,000 items', work: 'whole process, everything searchable, ms', of: 'faster than newsboat', limit: 7 },
  { part: '5,000 items', work: 'whole process, everything searchable, ms', of: 'faster than newsboat', limit: 3.5 },
  { work: 'peak memory of the whole process, MB', of: 'share of newsboat', limit: 0.4 },
  { work: 'largest write-ahead logs, MB', of: 'value', limit: 64 },
  { work: 'size of the databases, MB', of: 'ratio', limit: 1.05 },
  { work: 'longest step of the main loop meanwhile, ms', of: 'value', limit: 16 },
  { work: '99th percentile of these steps, ms', of: 'value', limit: 4 },
  { work: '99th percentile of these reads, ms', of: 'value', limit: 1 },
  { work: 'open for reading, first 50 rows, unread counts, ms', of: 'value', limit: 10 },
  { work: 'a page of 50 rows, any filter, 95th percentile, ms', of: 'value', limit: 0.5 },
  { work: 'unread counts of all views, ms', of: 'value', limit: 1 },
  { work: 'search, newest 50, 95th percentile, ms', of: 'value', limit: 2 },
  { work: 'search, worst, ms', of: 'value', limit: 15 },
  { work: 'nothing changed, ms', of: 'ratio', limit: 3 },
  { work: 'files written while nothing changed', of: 'value', limit: 0 },
  { work: '1,000 changes, stored, ms', of: 'ratio', limit: 1.5 },
];

/** In the table of the page each line has one cell with several numbers: `at` counts them. */
const PAGE_GOALS: readonly { work: string; at: number; limit: number; says: string }[] = [
  { work: 'a window: its rows, an empty page, ratio', at: 2, limit: 1.5, says: 'times an empty page' },
  { work: 'the first load, compressed, and its fonts, kB', at: 0, limit: 150, says: 'kB without fonts' },
  { work: 'any view switch, 95th percentile', at: 0, limit: 50, says: 'ms' },
  { work: 'Everything: rows after the scrollbar is dragged to 70 %, longest', at: 0, limit: 100, says: 'ms' },
  { work: '640 px a frame', at: 3, limit: 16.8, says: 'ms, 99th percentile of frames' },
  { work: '640 px a frame, 6 x slowed', at: 1, limit: 16.8, says: 'ms, 95th percentile of frames' },
  { work: '640 px a frame, 6 x slowed', at: 4, limit: 0, says: 'blank frames' },
  { work: 'first start: newest rows in Selected, from opening the page', at: 0, limit: 1000, says: 'ms' },
  { work: 'first search after the start, median and longest', at: 0, limit: 60, says: 'ms, median' },
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
  const name = {
    ratio: '',
    value: '',
    'faster than newsboat': ': faster than newsboat',
    'share of newsboat': ': share of newsboat’s',
  }[of];
  const unit = of === 'value' || of === 'share of newsboat' ? '' : ' x';
  const said = `${isLeast ? 'at least ' : ''}${rounded(limit)}${unit}`;
  return [
    `${part}: ${work}${name}`,
    said,
    value === null ? 'not measured' : `${rounded(value)}${unit}`,
    verdict(value, limit, isLeast),
  ];
}

function valueOf({ ours, ratio, peer }: Figure, of: Goal['of']): number | null {
  if (of === 'ratio') return ratio;
  if (of === 'value') return ours;
  if (peer === null) return null;
  return of === 'share of newsboat' ? ours / peer : peer / ours;
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
      return [work, value];
    }),
  );
  const numbers = (text: string): number[] => (text.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? []).map(Number);
  return PAGE_GOALS.map(({ work, at, limit, says }) => {
    const value = numbers(cells.get(work) ?? '')[at] ?? null;
    const figure = value === null ? 'not measured' : `${rounded(value)} ${says}`;
    return [work, String(limit), figure, verdict(value, limit)];
  }).concat([searchLine(cells, numbers)]);
}

/** The number of keys stands in the name of the line. */
function searchLine(cells: ReadonlyMap<string, string>, numbers: (text: string) => number[]): string[] {
  const [work = 'any key: median, p95, p99, longest', text = ''] =
    [...cells].find(([name]) => /^any of \d+ keys/.test(name)) ?? [];
  const value = numbers(text)[3] ?? null;
  return [work, '60', value === null ? 'not measured' : `${rounded(value)} ms, longest`, verdict(value, 60)];
}

function verdict(value: number | null, limit: number, isLeast = false): string {
  if (value === null) return '';
  return (isLeast ? value >= limit : value <= limit) ? 'met' : '**missed**';
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
