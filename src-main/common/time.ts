/** Times are ms since 1970. Without messages, because the store uses this module: see time-text.ts. */

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The range of Date, in ms since 1970. */
export const LATEST_TIME = 8.64e15;
/** In ms. A time from a person, a file or a setting may lie this far ahead. */
export const TEN_YEARS = 3653 * DAY;

export function instant(time: string | null | undefined): number | null {
  const ms = time ? Date.parse(time) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

export function asTime(ms: number | null): string | null {
  return ms === null || Number.isNaN(ms) ? null : dateOf(ms).toISOString();
}

export function earlierTime(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

export function isoMinute(ms: number, minutesAhead: number): string {
  return dateOf(ms + minutesAhead * MINUTE)
    .toISOString()
    .replace('T', ' ')
    .replace(/:[\d.]+Z$/, '');
}

/** In the app's zone. */
export function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** In the app's zone. */
export function daysAgo(at: number, now: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  // Days on which the clocks change have 23 or 25 hours.
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

/** In the app's zone. */
export function startOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // The constructor takes years below 100 for 19xx.
  const start = new Date(2000, 0, 1);
  start.setFullYear(year, month - 1, date);
  return start.getTime();
}

/** The service's days, weeks and months (document 1 section 4) are labels of the Shanghai calendar: UTC+8 all year. */
const SHANGHAI_AHEAD = 8 * HOUR;

export function shanghaiDay(ms: number): string {
  return isoDay(ms + SHANGHAI_AHEAD);
}

export function shanghaiMoment(day: string, time: string): number {
  return Date.parse(`${day}T${time}+08:00`);
}

/** Leaves a text that is no time as it is. */
export function shanghaiTime(time: string | null): string | null {
  const ms = instant(time);
  return ms === null ? time : isoMinute(ms, SHANGHAI_AHEAD / MINUTE);
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

/** Returns the Mondays with which the last week began and ended. In the app's zone. */
export function lastWeek(now: number): { from: string; to: string } {
  const today = isoDay(now - new Date(now).getTimezoneOffset() * MINUTE);
  const monday = addDays(today, -weekdayOf(today));
  return { from: addDays(monday, -7), to: monday };
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
