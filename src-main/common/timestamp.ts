/** RFC 3339 of a time in ms since 1970. */
export function asTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
