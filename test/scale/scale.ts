// Run by scripts/scale.mjs, which describes it: scale.ts READERS.
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { percentile, table } from '../bench/table.ts';
import { chartOf } from './chart.ts';
import { OBSERVED, serviceWeek, type ServiceWeek } from './service-week.ts';
import { Tally } from './tally.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const THREADS = 2;
const SEED = 20_261_116;
/** A Monday in Shanghai. */
const START = Date.parse('2026-11-16T00:00:00+08:00');
const OUTAGE = { from: START + 14 * HOUR, until: START + 14 * HOUR + 10 * MINUTE, retryAfter: 2 * MINUTE };
/** Other lifetimes of lists that an operator could send, in ms, tried for one day. */
const OTHER_LIFETIMES = [MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE];

const readers = Number(process.argv[2]);
const isWhole = readers === 100_000;

async function inThreads(week: ServiceWeek): Promise<Tally> {
  const whole = new Tally(week.start, (week.days * DAY) / SECOND);
  const parts = Array.from({ length: THREADS }, (_, thread) => {
    const share = Math.floor((readers + thread) / THREADS);
    const worker = new Worker(new URL('./part.ts', import.meta.url), {
      workerData: { week, readers: share, seed: SEED + thread },
    });
    return new Promise<void>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (part: Tally) => {
        whole.merge(part);
        resolve();
      });
    });
  });
  await Promise.all(parts);
  return whole;
}

const count = (value: number): string => Math.round(value).toLocaleString('en-GB');
const seconds = (ms: number): string => `${String(Math.round(ms / SECOND))} s`;
const around = (tally: Tally, at: number): string => count(tally.peak(at - MINUTE, at + 10 * MINUTE));

const begun = performance.now();
const week = await inThreads(serviceWeek({ start: START, days: 7, seed: SEED }));
const day = { start: START, days: 1, seed: SEED };
const outage = await inThreads(serviceWeek({ ...day, outage: OUTAGE }));
const others: { lifetime: number; tally: Tally }[] = [];
for (const lifetime of OTHER_LIFETIMES) {
  others.push({
    lifetime,
    tally: await inThreads(serviceWeek({ ...day, lifetimes: { ...OBSERVED, lists: lifetime } })),
  });
}

const minutes = week.minutes();
const points = Array.from({ length: minutes.length / 5 }, (_, index) => {
  const five = minutes.slice(index * 5, index * 5 + 5);
  const sum = five.reduce((total, { mean }) => total + mean, 0);
  return { hour: index / 12, mean: sum / five.length, most: Math.max(...five.map(({ most }) => most)) };
});
const title = `Requests per second of ${count(readers)} readers over a week (Shanghai time): mean and busiest second of five minutes`;
if (isWhole) writeFileSync(new URL('../../docs/scale.svg', import.meta.url), chartOf(points, title));

const mean = week.requests / (7 * 24 * 3600);
const waits = (['daily', 'weekly'] as const).map((kind) => {
  const all = week.waits[kind];
  const longest = all.reduce((a, b) => Math.max(a, b), 0);
  return [
    `${kind} report`,
    seconds(percentile(all, 0.5)),
    seconds(percentile(all, 0.99)),
    seconds(longest),
    count(all.length),
  ];
});
const answers = [...week.byAnswer].sort((a, b) => b[1] - a[1]);

const text = `# ${count(readers)} readers of one service

What a service gets from ${count(readers)} installations of Broadsheet in a week, computed by the scheduler's own rules
(\`src-main/sync/schedule\`, \`src-main/sync/jobs/reports.ts\`) and not by a formula beside them. \`npm run scale\`
writes this page again; it took ${count((performance.now() - begun) / SECOND)} s with Node ${process.versions.node}.

## Assumed

- Four readers of ten leave their computer on; the others work seven to eleven hours a day, six of ten in China's time
  zone, two in Europe's, two in America's. All look at the window for 15 minutes at the start of their day and 10 at its end.
- The list of items changes 180 times a day, the selected set 40 times, the ranking with three of five refreshes, each of
  ten ranked stories six times a day. Reports appear 20 s after their time, one daily 12 minutes late.
- Lifetimes as the service sends them: 60 s for lists, 300 s for reports. Answers have the sizes of the demo's, compressed.
- Each installation walks the whole list of the last week (10 pages) after a day. In fact this is due after 22 hours, and the
  end of the list is read every three hours (one to three pages): together at most 3 % more requests, which are left out.
- Model lists belong to another service and are left out, and so are editions older than the last 30 dailies, which are
  checked once a month.

## The week

![Requests per second over the week](scale.svg)

${table(
  ['What', 'Figure'],
  [
    ['requests per second, mean', count(mean)],
    ['busiest second of the week', count(week.peak())],
    ['busiest second from 07:59 to 08:10 on Monday', around(week, START + 8 * HOUR)],
    ['the same on Tuesday', around(week, START + DAY + 8 * HOUR)],
    ['the same on Thursday, when the daily is 12 minutes late', around(week, START + 3 * DAY + 8 * HOUR)],
    ['busiest second from 09:59 to 10:10 on Monday (weekly report)', around(week, START + 10 * HOUR)],
    ['requests of a reader a day', count(week.requests / readers / 7)],
    ['answered with 304', `${(100 * week.notModifiedShare).toFixed(1)} %`],
    ['bytes of a reader a day', `${(week.bytes / readers / 7 / 1e6).toFixed(1)} MB`],
    ['bytes per second, mean', `${(week.bytes / (7 * 24 * 3600) / 1e6).toFixed(1)} MB`],
  ],
)}

${table(
  ['Answer', 'Requests', 'Share'],
  answers.map(([kind, number]) => [kind, count(number), `${((100 * number) / week.requests).toFixed(1)} %`]),
)}

Almost all of it can be answered by shared caches: all readers ask for the same few addresses, so that an origin behind them
sees each address once in its lifetime, whatever the number of readers. The cursor of the changes is the same for all who
are up to date.

## From publication to the reader

Of readers whose computer was on when the report appeared:

${table(['', 'median', '99 of 100', 'longest', 'measured'], waits)}

Installations spread their first request over 165 s from 15 s after the full hour on. Saved reports are not checked again
in the first five minutes: that waits up to half an hour more.

## Ten minutes without service

From 14:00 to 14:10 on a Monday every request is answered with 503 and \`Retry-After: 120\`.

${table(
  ['Busiest second', 'Requests'],
  [
    ['the hour before', count(outage.peak(OUTAGE.from - HOUR, OUTAGE.from))],
    ['during the outage', count(outage.peak(OUTAGE.from, OUTAGE.until))],
    ['the first ten minutes after it', count(outage.peak(OUTAGE.until, OUTAGE.until + 10 * MINUTE))],
  ],
)}

## What an operator can tune by headers

\`s-maxage\` is the least interval of every installation. Longer lifetimes of the lists, on a Monday:

${table(
  ['s-maxage', 'requests per second, mean', 'busiest second', '304'],
  others.map(({ lifetime, tally }) => [
    seconds(lifetime),
    count(tally.requests / (24 * 3600)),
    count(tally.peak()),
    `${(100 * tally.notModifiedShare).toFixed(1)} %`,
  ]),
)}

\`Retry-After\` on 429 and 503 pauses a whole installation for this service, in syncs and where a reader asks. After it each
resource waits for a time of its own, up to three times the pause and five minutes (two for reports), unless the page shows it.
`;
if (isWhole) writeFileSync(new URL('../../docs/scale.md', import.meta.url), text);
process.stdout.write(text);
