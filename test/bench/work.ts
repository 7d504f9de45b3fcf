// Work that is measured in a running app, by Broadsheet and by the floor alike.
export const SEARCHES = [
  '模',
  '推理',
  '推理模型',
  'reasoning',
  '"new reasoning"',
  'model -price',
  'agent OR 代理',
  'benchm*',
];
export const CATEGORY = 'paper';
export const WORD = 'model';
export const PAGES = 100;
export const ROUNDS = 25;
/** All reads are repeated so often: a single busy moment of the computer must not decide. */
export const REPEATS = 5;

/** All in ms. */
export interface Readings {
  /** Opening the files for reading, the first 50 rows and the unread counts. */
  open: number;
  /** A page of 50 rows: 95th and 99th percentile, and worst. */
  page: number;
  pageP99: number;
  pageWorst: number;
  counts: number;
  search: number;
  searchWorst: number;
  filtered: number;
  filteredWorst: number;
  /** Counting the matches of a common word. */
  count: number;
  /** Longest uninterrupted run of the main loop while reading: see `LoopSteps`. */
  longestStep: number;
  p99Step: number;
  nothing: number;
  /** 1,000 changes, until they are stored and until they can be searched. */
  changes: number;
  changesSearchable: number;
}
