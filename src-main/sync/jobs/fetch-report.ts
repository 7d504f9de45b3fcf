import type { ParsedReport } from '../../clients/news/report-schemas.ts';
import type { Answer } from '../../clients/http/client.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { type Skipped, countSkipped } from '../../clients/parsing/records.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import type { Queries, ReportFacts, Transaction } from '../../store/index.ts';
import { saveDoubt, doubtAbout, readDoubt } from './confirmation.ts';
import { hasCode } from './record-failures.ts';

interface FetchReportPorts {
  fetch(validator: string | undefined): Promise<Answer<ParsedReport>>;
  write<T>(work: (tx: Transaction) => T): T;
  queries: Pick<Queries, 'mirror'>;
  now(): number;
}

interface Refreshed {
  outcome: 'added' | 'revised' | 'unchanged' | 'gone';
  withdrawn: number;
  skipped: Skipped[];
}

/** Errors: the client's, except `not_found`; `invalid_body` for an answer that would delete much of the saved copy. */
export async function fetchReport(kind: ReportKind, facts: ReportFacts, ports: FetchReportPorts): Promise<Refreshed> {
  const { fetch, write, queries, now } = ports;
  const { label } = facts;
  try {
    const answer = await fetch((facts.stored && facts.etag) || undefined);
    const fresh = { etag: answer.validator, lifetime: answer.lifetimeMs };
    if (answer.kind === 'notModified') {
      write((tx) => {
        tx.reports.confirm(kind, label, fresh, now());
        saveDoubt(nameOf(kind, label), null, tx);
      });
      return unchangedResult('unchanged');
    }
    const done = write(
      (tx) => refusalOf(answer.value, queries, tx, now()) ?? tx.reports.store(answer.value.report, fresh, now()),
    );
    if (done instanceof ServiceError) throw done;
    const returned = facts.goneAt !== null && done.outcome === 'unchanged';
    return { ...done, ...(returned && { outcome: 'revised' }), skipped: answer.value.skipped };
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    write(({ reports }) => reports.markGone(kind, label, now()));
    return unchangedResult(facts.goneAt === null ? 'gone' : 'unchanged');
  }
}

function unchangedResult(outcome: Refreshed['outcome']): Refreshed {
  return { outcome, withdrawn: 0, skipped: [] };
}

/** A report has few stories, and withdrawals must not wait. */
const MAX_LOST = 0.5;

function nameOf(kind: ReportKind, label: string): string {
  return `${kind} ${label}`;
}

/**
 * A report without most of its saved stories waits for a second answer, because their texts are deleted
 * (docs/decisions/032). Unreadable stories never count as withdrawn.
 */
function refusalOf(
  { report, skipped }: ParsedReport,
  { mirror }: Pick<Queries, 'mirror'>,
  tx: Pick<Transaction, 'mirror' | 'reports'>,
  now: number,
): ServiceError | null {
  const { kind, label } = report;
  const name = nameOf(kind, label);
  const stored = tx.reports.savedStories(kind, label);
  const received = [...report.sections.map(({ items }) => items), report.flashes].flat().length;
  const missing = stored - received;
  const isLoss = missing > stored * MAX_LOST;
  if (isLoss && missing <= countSkipped(skipped)) return refusal(`${missing} of its ${stored} stories can't be read`);
  const doubt = doubtAbout(isLoss, { saved: stored, received }, readDoubt(name, mirror), now);
  saveDoubt(name, doubt, tx);
  return doubt && refusal(`it has ${received} instead of ${stored} stories, which a later answer must confirm`);
}

function refusal(why: string): ServiceError {
  return new ServiceError('invalid_body', `The report was not replaced: ${why}. The saved one stays.`, { status: 200 });
}
