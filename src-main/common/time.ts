/** No messages here, because the store uses this module; those are in time-text.ts. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The range of Date, in ms since 1970. */
export const LATEST_TIME = 8.64e15;
/** In ms: how far ahead a time from a person, a file or a setting may lie. */
export const TEN_YEARS = 3653 * DAY;

/** Returns ms since 1970; null if invalid. */
export function instant(time: string | null | undefined): number | null {
  const ms = time ? Date.parse(time) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Returns RFC 3339, within the range of Date; null for NaN. */
export function asTime(ms: number | null): string | null {
  return ms === null || Number.isNaN(ms) ? null : dateOf(ms).toISOString();
}

/** Returns the other time if one is null. */
export function earlierTime(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Returns the other time if one is null. */
export function laterTime(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** `2026-11-20 14:05` */
export function isoMinute(ms: number, minutesAhead: number): string {
  return dateOf(ms + minutesAhead * MINUTE)
    .toISOString()
    .replace('T', ' ')
    .replace(/:[\d.]+Z$/, '');
}

/** In the app's zone; ms since 1970. */
export function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** Counts days of the app's zone; ms since 1970. */
export function daysAgo(at: number, now: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  // Days on which the clocks change have 23 or 25 hours.
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

/** Returns ms since 1970 in the app's zone. */
export function startOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // The constructor takes years below 100 for 19xx.
  const start = new Date(2000, 0, 1);
  start.setFullYear(year, month - 1, date);
  return start.getTime();
}

/**
 * Days, weeks and months as the service names them (document 1 section 4): labels of the Asia/Shanghai calendar, never
 * instants of the app's zone. Shanghai is UTC+8 all year.
 */
const SHANGHAI_AHEAD = 8 * HOUR;

export function shanghaiDay(ms: number): string {
  return isoDay(ms + SHANGHAI_AHEAD);
}

/** `time` is like `08:00`. */
export function shanghaiMoment(day: string, time: string): number {
  return Date.parse(`${day}T${time}+08:00`);
}

/** Leaves a text that is no time as it is. */
export function shanghaiTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  if (Number.isNaN(ms)) return time;
  return isoMinute(ms, SHANGHAI_AHEAD / MINUTE);
}

/** Midnight UTC, for counting and for formatting with the zone UTC. */
export function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function isDay(text: string): boolean {
  const ms = dayMs(text);
  return !Number.isNaN(ms) && isoDay(ms) === text;
}

export function addDays(day: string, days: number): string {
  return isoDay(dayMs(day) + days * DAY);
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return isoDay(Date.UTC(year, number - 1 + months, 1)).slice(0, 7);
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(dayMs(day)).getUTCDay() + 6) % 7;
}

/** An ISO week belongs to the year of its Thursday. */
export function weekOf(day: string): string {
  const thursday = addDays(day, 3 - weekdayOf(day));
  const year = thursday.slice(0, 4);
  const week = Math.floor((dayMs(thursday) - dayMs(`${year}-01-01`)) / (7 * DAY)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

export function mondayOf(week: string): string {
  const fourth = `${week.slice(0, 4)}-01-04`; // always in the first week
  return addDays(fourth, (Number(week.slice(6)) - 1) * 7 - weekdayOf(fourth));
}

function isoDay(ms: number): string {
  return dateOf(ms).toISOString().slice(0, 10);
}

function dateOf(ms: number): Date {
  return new Date(Math.max(-LATEST_TIME, Math.min(ms, LATEST_TIME)));
}
