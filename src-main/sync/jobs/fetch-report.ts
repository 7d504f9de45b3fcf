import type { ReportReading } from '../../clients/news/report-schemas.ts';
import type { Answer } from '../../clients/http/client.ts';
import type { Skipped } from '../../clients/parsing/records.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import type { ReportFacts, Transaction } from '../../store/index.ts';

interface FetchReportPorts {
  /** Fetches the report, with the ETag of the saved copy. */
  fetch(validator: string | undefined): Promise<Answer<ReportReading>>;
  /** Runs a function in one transaction. */
  write(work: (tx: Transaction) => void): void;
  now(): number;
}

export interface Refreshed {
  outcome: 'added' | 'revised' | 'unchanged' | 'gone';
  /** Citations removed from the report. */
  withdrawn: number;
  skipped: Skipped[];
}

/**
 * Fetches a report, or revalidates the saved copy (document 1 section 1: reports can always change). If the service no
 * longer has it (404), the saved copy stays and is marked. Errors: the client's, except `not_found`.
 */
export async function fetchReport(kind: ReportKind, facts: ReportFacts, ports: FetchReportPorts): Promise<Refreshed> {
  const { fetch, write, now } = ports;
  const { label } = facts;
  try {
    const answer = await fetch((facts.stored && facts.etag) || undefined);
    const fresh = { etag: answer.validator, lifetime: answer.lifetimeMs };
    if (answer.kind === 'notModified') {
      write(({ reports }) => reports.confirm(kind, label, fresh, now()));
      return unchanged('unchanged');
    }
    const { report, skipped } = answer.value;
    let done: Omit<Refreshed, 'skipped'> = unchanged('unchanged');
    write(({ reports }) => (done = reports.store(report, fresh, now())));
    return { ...done, skipped };
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'not_found') throw error;
    write(({ reports }) => reports.markGone(kind, label, now()));
    return unchanged(facts.goneAt === null ? 'gone' : 'unchanged');
  }
}

function unchanged(outcome: Refreshed['outcome']): Refreshed {
  return { outcome, withdrawn: 0, skipped: [] };
}
