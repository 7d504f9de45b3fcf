import type { SeededRandom } from '../../src-main/demo/random.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of time, in ms since the start of the simulated week. */
export interface Span {
  from: number;
  until: number;
}

/** When one reader's Broadsheet runs, and when its window is looked at. */
export interface Reader {
  /** In order. A computer that never sleeps has one span. */
  awake: Span[];
  /** In order, each within a span of `awake`: the page shows the feed. */
  reading: Span[];
}

/** Share of the readers with each habit. Hours are Shanghai time, in which reports come out. */
const ALWAYS_ON = 0.4;
/** Working days by time zone: China and its neighbours, Europe, America. */
const MORNINGS = [
  { share: 0.6, at: 8.5 },
  { share: 0.2, at: 15.5 },
  { share: 0.2, at: 22 },
] as const;
/** How long (ms) the feed is looked at in the morning, and again in the evening. */
const MORNING_READING = 15 * MINUTE;
const EVENING_READING = 10 * MINUTE;

/** Draws a reader's week. Its days are the simulated days, 00:00 to 24:00 in Shanghai. */
export function drawReader(random: SeededRandom, days: number): Reader {
  const morning = pickMorning(random) + (random.next() - 0.5) * 3;
  const alwaysOn = random.chance(ALWAYS_ON);
  const end = days * DAY;
  const awake: Span[] = alwaysOn ? [{ from: 0, until: end }] : [];
  const reading: Span[] = [];
  for (let day = 0; day < days; day += 1) {
    const from = day * DAY + (morning + (random.next() - 0.5)) * HOUR;
    const until = from + (7 + 4 * random.next()) * HOUR;
    if (!alwaysOn) awake.push({ from, until });
    reading.push({ from, until: from + MORNING_READING }, { from: until - EVENING_READING, until });
  }
  return { awake: within(awake, end), reading: within(reading, end) };
}

function pickMorning(random: SeededRandom): number {
  let left = random.next();
  for (const { share, at } of MORNINGS) {
    if (left < share) return at;
    left -= share;
  }
  return MORNINGS[0].at;
}

/** Without what is over the end. */
function within(spans: readonly Span[], end: number): Span[] {
  return spans.filter(({ from }) => from < end).map(({ from, until }) => ({ from, until: Math.min(until, end) }));
}
