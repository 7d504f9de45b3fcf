export const PAUSES = ['hour', 'tomorrow', 'resumed'] as const;
export type PauseSpan = (typeof PAUSES)[number];

const HOUR = 3_600_000;

/** Returns when a pause that starts at `now` ends (ms since 1970), or null for never. `tomorrow` is local midnight. */
export function endOfPause(span: PauseSpan, now: number): number | null {
  if (span === 'resumed') return null;
  if (span === 'hour') return now + HOUR;
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
}
