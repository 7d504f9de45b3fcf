/** A time in Shanghai to the minute, because reports use Shanghai dates; an invalid time is returned unchanged. */
export function shanghaiTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  if (Number.isNaN(ms)) return time;
  // Shanghai has no daylight saving time.
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}
