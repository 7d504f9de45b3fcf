import { nextPublication } from '../../src-main/common/publication-timetable.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import { SeededRandom } from '../../src-main/demo/random.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lifetimes of answers in ms, as observed: the `s-maxage` of the service. */
export interface Lifetimes {
  lists: number;
  reports: number;
}
export const OBSERVED: Lifetimes = { lists: MINUTE, reports: 5 * MINUTE };

export interface Publication {
  kind: ReportKind;
  label: string;
  /** When it appears, in ms since 1970. */
  at: number;
  /** How long after its time in the timetable, in ms. */
  late: number;
}

/** Changes at the service in a week, with their times. All times are ms since 1970. */
export interface ServiceWeek {
  start: number;
  days: number;
  lifetimes: Lifetimes;
  /** When the answer of each resource becomes another, in order. */
  items: readonly number[];
  selected: readonly number[];
  hotTopics: readonly number[];
  /** Changes of the stories in the ranking. */
  stories: readonly (readonly number[])[];
  publications: readonly Publication[];
  /** While the service answers 503; `retryAfter` in ms. */
  outage: { from: number; until: number; retryAfter: number } | null;
}

/** Changes a day, by what a copied service of this kind showed: 140 items, of which few are selected. */
const CHANGES_A_DAY = { items: 180, selected: 40, story: 6 };
const RANKED_STORIES = 10;
/** The ranking is refreshed every five minutes (document 1, section 4.2); it is often the same. */
const RANKING_EVERY = 5 * MINUTE;
const RANKING_CHANGES = 0.6;
/** Reports appear some seconds after their time; one daily of the week is late. */
const USUAL_DELAY = 20 * SECOND;
const LATE_DAILY = { day: 3, delay: 12 * MINUTE };

interface Options {
  start: number;
  days: number;
  seed: number;
  lifetimes?: Lifetimes;
  outage?: ServiceWeek['outage'];
}

export function serviceWeek({ start, days, seed, lifetimes = OBSERVED, outage = null }: Options): ServiceWeek {
  const random = new SeededRandom(seed);
  const end = start + days * DAY;
  const ranking: number[] = [];
  for (let at = start; at < end; at += RANKING_EVERY) if (random.chance(RANKING_CHANGES)) ranking.push(at);
  return {
    start,
    days,
    lifetimes,
    items: changes(random, start, days, CHANGES_A_DAY.items),
    selected: changes(random, start, days, CHANGES_A_DAY.selected),
    hotTopics: ranking,
    stories: Array.from({ length: RANKED_STORIES }, () => changes(random, start, days, CHANGES_A_DAY.story)),
    publications: publicationsBetween(start, end),
    outage,
  };
}

/** More by day than by night, in Shanghai's time. */
function changes(random: SeededRandom, start: number, days: number, aDay: number): number[] {
  const times = Array.from({ length: days * aDay }, (_, index) => {
    const day = start + Math.floor(index / aDay) * DAY;
    const hour = random.chance(0.8) ? 7 + 17 * random.next() : 7 * random.next();
    return Math.round(day + hour * HOUR);
  });
  return times.sort((a, b) => a - b);
}

function publicationsBetween(start: number, end: number): Publication[] {
  const found: Publication[] = [];
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    for (let now = start - 1; ;) {
      const { at, label } = nextPublication(kind, now);
      if (at >= end) break;
      const isLate = kind === 'daily' && Math.floor((at - start) / DAY) === LATE_DAILY.day;
      const late = isLate ? LATE_DAILY.delay : USUAL_DELAY;
      found.push({ kind, label, at: at + late, late });
      now = at;
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Returns the number of changes before a time: two answers with the same number are equal. */
export function versionAt(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
