/** A moment (ms since 1970) as the service writes it. */
export function iso(time: number): string {
  return new Date(time).toISOString();
}
