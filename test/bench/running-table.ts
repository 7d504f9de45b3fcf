import type { AppReadings } from './running.ts';
import { figure, table } from './table.ts';
import type { Readings } from './work.ts';

const WORK: readonly [keyof Readings, string][] = [
  ['open', 'open for reading, first 50 rows, unread counts, ms'],
  ['page', 'a page of 50 rows, any filter, 95th percentile, ms'],
  ['pageP99', 'a page of 50 rows, 99th percentile, ms'],
  ['pageWorst', 'a page of 50 rows, worst, ms'],
  ['counts', 'unread counts of all views, ms'],
  ['search', 'search, newest 50, 95th percentile, ms'],
  ['searchWorst', 'search, worst, ms'],
  ['filtered', 'search with a filter, 95th percentile, ms'],
  ['filteredWorst', 'search with a filter, worst, ms'],
  ['count', 'count of a common word, ms'],
  ['longestStep', 'longest step of the main loop while reading, ms'],
  ['p99Step', '99th percentile of these steps, ms'],
  ['nothing', 'nothing changed, ms'],
  ['changes', '1,000 changes, stored, ms'],
  ['changesSearchable', '1,000 changes, searchable, ms'],
];

/** A running app: what the floor takes, what Broadsheet takes, and the ratio. */
export function runningTable({ floor, ours }: { floor: Readings; ours: AppReadings }): string {
  const lines = WORK.map(([name, work]) => {
    return [work, figure(floor[name]), figure(ours[name]), `${(ours[name] / floor[name]).toFixed(2)} x`];
  });
  return table(
    ['a running app', 'floor', 'Broadsheet', 'ratio'],
    [
      ...lines,
      ['open with the engine in its threads, ms', '', figure(ours.openWithEngine), ''],
      ['files written while nothing changed', '0', String(ours.filesWritten), ''],
    ],
  );
}
