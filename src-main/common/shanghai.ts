import { LATEST_TIME } from './timestamp.ts';
import { isoMinute } from './time.ts';

/**
 * Days, weeks and months as the news service names them (document 1 section 4): labels of the Asia/Shanghai calendar, such
 * as `2026-11-20`, `2026-W47` and `2026-11`. They are text, never instants of the app's zone. Shanghai's clock is UTC+8
 * all year.
 */
const OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 86_400_000;

/** The day in Shanghai at a moment (ms since 1970). */
export function shanghaiDay(ms: number): string {
  return isoDay(ms + OFFSET_MS);
}

/** The moment (ms since 1970) of a Shanghai day and time of day, `08:00`. */
export function shanghaiMoment(day: string, time: string): number {
  return Date.parse(`${day}T${time}+08:00`);
}

/** An RFC 3339 time in Shanghai, to the minute; a text that is no time is returned unchanged. */
export function shanghaiTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  if (Number.isNaN(ms)) return time;
  return isoMinute(ms, OFFSET_MS / 60_000);
}

/** A day as ms since 1970 at midnight UTC: for counting, and for formatting with the zone UTC. */
export function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Checks for a day of the calendar: `2026-02-30` is not one. */
export function isDay(text: string): boolean {
  const ms = dayMs(text);
  return !Number.isNaN(ms) && isoDay(ms) === text;
}

export function addDays(day: string, days: number): string {
  return isoDay(dayMs(day) + days * DAY_MS);
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

/** The ISO week of a day: its Thursday decides the year. */
export function weekOf(day: string): string {
  const thursday = addDays(day, 3 - weekdayOf(day));
  const year = thursday.slice(0, 4);
  const week = Math.floor((dayMs(thursday) - dayMs(`${year}-01-01`)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The Monday of an ISO week. */
export function mondayOf(week: string): string {
  const fourth = `${week.slice(0, 4)}-01-04`; // always in the first week
  return addDays(fourth, (Number(week.slice(6)) - 1) * 7 - weekdayOf(fourth));
}

/** Returns the last day of Date's range for a time beyond it. */
function isoDay(ms: number): string {
  return new Date(Math.max(-LATEST_TIME, Math.min(ms, LATEST_TIME))).toISOString().slice(0, 10);
}
