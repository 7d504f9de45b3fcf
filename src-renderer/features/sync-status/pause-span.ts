/** How long syncing can be paused. */
export const PAUSES = ['hour', 'tomorrow', 'resumed'] as const;
export type PauseSpan = (typeof PAUSES)[number];

const HOUR = 3_600_000;

/** When a pause that starts at `now` ends, both in ms since 1970; null until it is resumed. `tomorrow` is local midnight. */
export function endOfPause(span: PauseSpan, now: number): number | null {
  if (span === 'resumed') return null;
  if (span === 'hour') return now + HOUR;
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
}
