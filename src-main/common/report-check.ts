import type { StoredReport } from '../contract/model/report.ts';

const DAY = 24 * 3_600_000;

/**
 * When a saved report was last compared with the service, in ms since 1970, if readers should know: it could have been
 * compared again for a day or more. Otherwise null.
 */
export function oldCheckOf(
  { checkedAt, freshUntil }: Pick<StoredReport, 'checkedAt' | 'freshUntil'>,
  now: number,
): number | null {
  return now - Date.parse(freshUntil) >= DAY ? Date.parse(checkedAt) : null;
}
