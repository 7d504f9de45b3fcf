/** A time to the minute in Shanghai, where reports have their days; what is no time as it came. */
export function shanghaiTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  if (Number.isNaN(ms)) return time;
  // Shanghai keeps no summer time.
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}
