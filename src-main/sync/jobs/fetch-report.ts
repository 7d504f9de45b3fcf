import type { ReportReading } from '../../clients/news/report-schemas.ts';
import type { Answer } from '../../clients/http/client.ts';
import type { ServiceError } from '../../clients/http/service-error.ts';
import type { Skipped } from '../../clients/parsing/records.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import type { Freshness, Queries, ReportFacts, Transaction } from '../../store/index.ts';
import { saveDoubt } from './confirmation.ts';
import { nameOf, refusalOf } from './report-losses.ts';

interface FetchReportPorts {
  /** Fetches the report, with the ETag of the saved copy. */
  fetch(validator: string | undefined): Promise<Answer<ReportReading>>;
  /** Runs a function in one transaction. */
  write(work: (tx: Transaction) => void): void;
  queries: Pick<Queries, 'mirror'>;
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
 * longer has it (404), the saved copy stays and is marked. Errors: the client's, except `not_found`; `invalid_body` for an
 * answer that would delete much of the saved copy.
 */
export async function fetchReport(kind: ReportKind, facts: ReportFacts, ports: FetchReportPorts): Promise<Refreshed> {
  const { fetch, write, now } = ports;
  const { label } = facts;
  try {
    const answer = await fetch((facts.stored && facts.etag) || undefined);
    const fresh = { etag: answer.validator, lifetime: answer.lifetimeMs };
    if (answer.kind === 'notModified') {
      write((tx) => {
        tx.reports.confirm(kind, label, fresh, now());
        saveDoubt(nameOf(kind, label), null, tx);
      });
      return unchanged('unchanged');
    }
    const done = replace(answer.value, fresh, ports);
    // Readers hear of a report that returns, too.
    const returned = facts.goneAt !== null && done.outcome === 'unchanged';
    return { ...done, ...(returned && { outcome: 'revised' }), skipped: answer.value.skipped };
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'not_found') throw error;
    write(({ reports }) => reports.markGone(kind, label, now()));
    return unchanged(facts.goneAt === null ? 'gone' : 'unchanged');
  }
}

/** Errors: `invalid_body`, and nothing is replaced, if that would delete much. */
function replace(
  reading: ReportReading,
  fresh: Freshness,
  { write, queries, now }: FetchReportPorts,
): Omit<Refreshed, 'skipped'> {
  const result: { done: Omit<Refreshed, 'skipped'>; refusal: ServiceError | null } = {
    done: unchanged('unchanged'),
    refusal: null,
  };
  write((tx) => {
    result.refusal = refusalOf(reading, queries, tx, now());
    if (result.refusal === null) result.done = tx.reports.store(reading.report, fresh, now());
  });
  if (result.refusal !== null) throw result.refusal;
  return result.done;
}

function unchanged(outcome: Refreshed['outcome']): Refreshed {
  return { outcome, withdrawn: 0, skipped: [] };
}
