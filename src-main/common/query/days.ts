/** When a day (`2026-11-20`) begins on the clock of this computer, in ms since 1970. */
export function startOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // The constructor takes years below 100 for those of the last century.
  const start = new Date(2000, 0, 1);
  start.setFullYear(year, month - 1, date);
  return start.getTime();
}
