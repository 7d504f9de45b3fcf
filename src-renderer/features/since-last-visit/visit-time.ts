/** A moment in the app's zone, as short as it can be told: the time alone today, with the day otherwise. */
export function visitTime(ms: number, now: number, locale: string): string {
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const sameDay = new Date(ms).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(locale, sameDay ? time : { month: 'short', day: 'numeric', ...time }).format(ms);
}
