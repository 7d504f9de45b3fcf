/** The latest time that a Date can hold, in ms since 1970. */
export const LATEST_TIME = 8.64e15;

/** RFC 3339 of a time in ms since 1970; {@link LATEST_TIME} for later ones. */
export function asTime(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.min(ms, LATEST_TIME)).toISOString();
}
