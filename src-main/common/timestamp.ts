/** The latest time that a Date can hold, in ms since 1970. */
export const LATEST_TIME = 8.64e15;

/** RFC 3339 of a time in ms since 1970; the nearest one that a Date can hold for others. Null for what is no number. */
export function asTime(ms: number | null): string | null {
  if (ms === null || Number.isNaN(ms)) return null;
  return new Date(Math.max(-LATEST_TIME, Math.min(ms, LATEST_TIME))).toISOString();
}
