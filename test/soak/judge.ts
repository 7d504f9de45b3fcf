import { median } from '../bench/table.ts';

/** Samples of one thread of the app: bytes, and ms of delay of its event loop. */
export interface ThreadSample {
  at: number;
  thread: string;
  heap: number;
  rss: number | null;
  handles: number | null;
  delayP99: number;
  delayMax: number;
}

/** Resources that the app and its page used in half a minute. */
export interface Sample {
  /** In ms since the start. */
  at: number;
  /** Resident memory of the app, in bytes. */
  rss: number;
  /** Open files, sockets and pipes. */
  handles: number;
  /** 99th percentile of the main thread's event-loop delay, in ms. */
  delay: number;
  /** 95th percentile of a call of the page, in ms. */
  call: number;
  /** In bytes, after a collection of garbage. */
  pageHeap: number;
  pageNodes: number;
  pageListeners: number;
  items: number;
  databases: number;
  walBytes: number;
  logBytes: number;
}

export interface Finding {
  what: string;
  from: string;
  to: string;
  limit: string;
  met: boolean;
}

const MEGABYTE = 1e6;

/** Compares the second fifth of a run with its last. */
export function judge(samples: readonly Sample[]): Finding[] {
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const early = samples.slice(fifth, 2 * fifth);
  const late = samples.slice(-fifth);
  const of = (some: readonly Sample[], figure: (sample: Sample) => number): number => median(some.map(figure));
  const growth = (what: string, figure: (sample: Sample) => number, most: number, unit = ''): Finding => {
    const [from, to] = [of(early, figure), of(late, figure)];
    const shown = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)}${unit}`;
    return { what, from: shown(from), to: shown(to), limit: `${String(most)} ×`, met: to <= from * most };
  };
  const below = (what: string, figure: (sample: Sample) => number, most: number): Finding => {
    const [from, to] = [early, late].map((some) => Math.max(...some.map(figure)) / MEGABYTE);
    const worst = Math.max(...samples.map(figure)) / MEGABYTE;
    return {
      what,
      from: `${from!.toFixed(1)} MB`,
      to: `${to!.toFixed(1)} MB`,
      limit: `${String(most)} MB`,
      met: worst <= most,
    };
  };
  return [
    growth('memory of the app', ({ rss }) => rss / MEGABYTE, 1.15, ' MB'),
    growth("heap of the page, after its garbage's collection", ({ pageHeap }) => pageHeap / MEGABYTE, 1.15, ' MB'),
    growth('elements of the page', ({ pageNodes }) => pageNodes, 1.15),
    growth('listeners of the page', ({ pageListeners }) => pageListeners, 1.15),
    growth('open files and sockets', ({ handles }) => handles, 1.1),
    growth('event-loop delay of the main thread, 99 of 100', ({ delay }) => delay, 1.5, ' ms'),
    growth('a call of the page, 95 of 100', ({ call }) => call, 1.5, ' ms'),
    growth('bytes of the databases for each item', ({ databases, items }) => databases / items, 1.1),
    below('write-ahead logs, at the most', ({ walBytes }) => walBytes, 64),
    below('log files, at the most', ({ logBytes }) => logBytes, 16),
  ];
}
