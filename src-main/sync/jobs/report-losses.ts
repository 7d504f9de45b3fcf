import { ServiceError } from '../../clients/http/service-error.ts';
import type { ReportReading } from '../../clients/news/report-schemas.ts';
import { countSkipped } from '../../clients/parsing/records.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import type { Queries, Transaction } from '../../store/index.ts';
import { doubtAbout, savedDoubt, saveDoubt } from './confirmation.ts';

/** A single report may lose this part of its stories at once: it has few, and withdrawals must not wait. */
const MOST_LOST = 0.5;

/** The name of a report's doubt. */
export function nameOf(kind: ReportKind, label: string): string {
  return `${kind} ${label}`;
}

/**
 * Within a transaction: why an answer doesn't replace the saved report; null if it does. What a report lacks is deleted
 * with its texts, so one without most of its stories waits for a second answer (docs/decisions/032). Most of them
 * unreadable are not withdrawn, however often they come so. `now` is ms since 1970.
 */
export function refusalOf(
  { report, skipped }: ReportReading,
  { mirror }: Pick<Queries, 'mirror'>,
  tx: Pick<Transaction, 'mirror' | 'reports'>,
  now: number,
): ServiceError | null {
  const { kind, label } = report;
  const name = nameOf(kind, label);
  const stored = tx.reports.savedStories(kind, label);
  const received = [...report.sections.map(({ items }) => items), report.flashes].flat().length;
  const missing = stored - received;
  // Fewer than that stop nothing: the other stories come.
  if (missing > stored * MOST_LOST && missing <= countSkipped(skipped))
    return refusal(`${missing} of its ${stored} stories can't be read`);
  const doubt = doubtAbout({ stored, missing, received }, savedDoubt(name, mirror), now, MOST_LOST);
  saveDoubt(name, doubt, tx);
  return doubt && refusal(`it has ${received} instead of ${stored} stories, which a later answer must confirm`);
}

function refusal(why: string): ServiceError {
  return new ServiceError('invalid_body', `The report was not replaced: ${why}. The saved one stays.`, { status: 200 });
}
