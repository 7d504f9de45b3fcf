import { Temporal } from 'temporal-polyfill';
import { isWhole } from '../../support/proofs.ts';

/** Conditions in a part of the month. */
export type Weather = 'online' | 'offline' | 'refusing';

export interface Phase {
  /** ms since 1970. */
  until: number;
  awake: boolean;
  weather: Weather;
  /** True while the page is shown. */
  attended: boolean;
}

/** A report that comes out later than it should. Times are ms since 1970. */
export interface Slip {
  path: RegExp;
  from: number;
  until: number;
}

/** The short form has a Monday and a late daily. */
const FIRST_DAY = isWhole ? 0 : 7;
const LAST_DAY = isWhole ? 35 : 9;
export const DAYS = LAST_DAY - FIRST_DAY;
/** A Sunday in Shanghai, so that five Mondays and a 1st follow. */
const FIRST = Temporal.PlainDate.from('2026-03-01');
export const START = shanghai(FIRST_DAY, '12:00');
export const END = shanghai(LAST_DAY, '12:00');

/** A Shanghai time of the `day`th day, in ms since 1970. */
export function shanghai(day: number, time: string): number {
  const zoned = FIRST.add({ days: day }).toZonedDateTime({
    timeZone: 'Asia/Shanghai',
    plainTime: Temporal.PlainTime.from(time),
  });
  return zoned.epochMilliseconds;
}

/** The Shanghai date of a time. */
export function dateOf(at: number): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('Asia/Shanghai').toPlainDate().toString();
}

/** The laptop's hours: early and at night; late risers, a day without a lid opened, a day without sleep. */
function hoursAwake(day: number): [string, string][] {
  if (day === 13) return [];
  if (day === 20) return [['00:00', '23:59:59']];
  const night: [string, string] = ['20:00', '20:40'];
  // Mondays, and the 1st.
  if (day % 7 === 1 || day === 31) return [['07:45', '10:50'], night];
  if (day % 6 === 5) return [['09:17', '10:20'], night];
  if (day % 9 === 4)
    return [
      ['07:59:30', '08:01'],
      ['11:00', '12:00'],
    ];
  return [['07:45', '09:20'], night];
}

/** The network's and the service's bad hours. */
const TROUBLES: [day: number, from: string, to: string, Weather][] = [
  [3, '07:50', '08:40', 'offline'],
  [7, '07:55', '08:21', 'refusing'],
  [10, '08:30', '20:30', 'offline'],
  [16, '07:40', '09:20', 'offline'],
  [20, '06:40', '08:24', 'refusing'],
  [20, '12:00', '14:40', 'refusing'],
  [20, '16:00', '16:00:40', 'offline'],
  [29, '09:55', '10:20', 'offline'],
  [31, '10:25', '10:32', 'refusing'],
];

/** Days 8, 15, ... are Mondays. Day 31 is the 1st. */
export const SLIPS: Slip[] = [
  { path: /\/dailies/, from: shanghai(9, '08:00'), until: shanghai(9, '08:22') },
  { path: /\/dailies/, from: shanghai(18, '08:00'), until: shanghai(18, '08:29') },
  { path: /\/weeklies/, from: shanghai(15, '10:00'), until: shanghai(15, '20:10') },
  { path: /\/weeklies/, from: shanghai(22, '10:00'), until: shanghai(22, '10:25') },
];

/** When the report of a resource that is due at `at` really comes out. */
export function appearsAt(resource: string, at: number): number {
  const slip = SLIPS.find(({ path, from }) => path.test(`/${resource}`) && from === at);
  return slip?.until ?? at;
}

/** The month as phases one after the other, from {@link START} on. */
export function phases(): Phase[] {
  const days = Array.from({ length: DAYS + 1 }, (_, index) => FIRST_DAY + index);
  const spans = days.flatMap((day) => hoursAwake(day).map(([from, to]) => span(day, from, to)));
  const looks = days.flatMap((day) => [span(day, '09:00', '09:25'), span(day, '20:05', '20:15')]);
  const troubles = TROUBLES.map(([day, from, to, weather]) => ({ ...span(day, from, to), weather }));
  const edges = [...spans, ...looks, ...troubles].flatMap(({ from, to }) => [from, to]).concat(END);
  const times = [...new Set(edges)].filter((at) => at > START && at <= END).sort((a, b) => a - b);
  return times.map((until) => {
    const within = ({ from, to }: Span): boolean => from < until && until <= to;
    const weather = troubles.find(within)?.weather ?? 'online';
    return { until, awake: spans.some(within), weather, attended: looks.some(within) };
  });
}

interface Span {
  from: number;
  to: number;
}

function span(day: number, from: string, to: string): Span {
  return { from: shanghai(day, from), to: shanghai(day, to) };
}
