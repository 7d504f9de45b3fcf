/** For how long a app may wish that nothing is asked of the service. */
export const PAUSES = ['hour', 'tomorrow', 'resumed'] as const;
export type PauseSpan = (typeof PAUSES)[number];

const HOUR = 3_600_000;

/** When a pause that begins at `now` ends, both ms since 1970; null where it lasts until it is resumed. Tomorrow is that of the user's time zone. */
export function endOfPause(span: PauseSpan, now: number): number | null {
  if (span === 'resumed') return null;
  if (span === 'hour') return now + HOUR;
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
}
