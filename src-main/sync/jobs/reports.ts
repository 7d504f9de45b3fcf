import { MAX_INDEX_LENGTH } from '../../clients/news/reports.ts';
import type { Fresh } from '../../clients/http/client.ts';
import type { Records } from '../../clients/parsing/records.ts';
import { BroadsheetError, type ErrorCode } from '../../contract/errors.ts';
import { REPORT_RESOURCE, type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import type { IndexFetch } from '../../store/index.ts';
import { fetchReport } from './fetch-report.ts';
import { planBackfill } from './backfill-plan.ts';
import { latestPublication } from '../../common/publication-timetable.ts';
import type { Run, JobResult } from './sync-context.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Lines of the regular look: what can have come since the last one, and some to spare. */
const SHORT_INDEX: Readonly<Record<ReportKind, number>> = { daily: 7, weekly: 3, monthly: 3 };
/** How often the whole index is read, for what may have been added or taken away far back. */
const WHOLE_INDEX_EVERY = 7 * DAY;
/** Between two looks at an index: while a report is expected, and else. Rounds that only fill the archive look at none. */
const WHILE_EXPECTED = 2 * MINUTE;
const OTHERWISE = 30 * MINUTE;
/** The index can lag behind the newest report by its cache time (sheet 3): only at first is that worth a question. */
const INDEX_LAG = 30 * MINUTE;
/** Before the archive goes on being filled, and before it is tried again after having made way. */
const NEXT_ROUND = 30 * SECOND;

/** What is wrong with one report's body is no reason to stop at it. */
const BAD_BODY = new Set<ErrorCode>(['invalid_body', 'too_large']);

export const syncDailies = (run: Run): Promise<JobResult> => new ReportsRound('daily', run).perform();
export const syncWeeklies = (run: Run): Promise<JobResult> => new ReportsRound('weekly', run).perform();
export const syncMonthlies = (run: Run): Promise<JobResult> => new ReportsRound('monthly', run).perform();

/**
 * One round of a kind of report (document 1 sections 4.4 to 4.6): the index first, then the reports that it lists and that
 * are missing, newest first, then stored copies that are due to be revalidated. One at a time, so many a round, and no
 * further while a reader waits for something; the next round goes on. Only labels that the service gave are asked for.
 */
class ReportsRound {
  readonly #kind: ReportKind;
  readonly #resource: string;
  readonly #run: Run;
  #modified = false;

  constructor(kind: ReportKind, run: Run) {
    this.#kind = kind;
    this.#resource = REPORT_RESOURCE[kind];
    this.#run = run;
  }

  async perform(): Promise<JobResult> {
    const look = await this.#lookAtIndex();
    const more = await this.#fill();
    const lifetime = Math.max(0, look.at + look.lifetime - this.#run.now());
    return { modified: this.#modified, lifetime, ...(more && { again: NEXT_ROUND }) };
  }

  async #lookAtIndex(): Promise<IndexFetch> {
    const last = this.#run.store.queries.reports.lastIndexFetch(this.#kind);
    if (last && !this.#isLookDue(last)) return last;
    const now = this.#run.now();
    const whole = this.#run.urgency === 'now' || !last || Math.abs(now - last.wholeAt) >= WHOLE_INDEX_EVERY;
    const look = whole ? await this.#readIndex(true, last) : await this.#readShortIndex(last);
    if (this.#isExpected() && now - latestPublication(this.#kind, now).at < INDEX_LAG) await this.#askForLatest();
    return look;
  }

  #isLookDue({ at, lifetime }: IndexFetch): boolean {
    const { urgency } = this.#run;
    const elapsed = Math.abs(this.#run.now() - at);
    if (urgency === 'now') return true;
    return (
      elapsed >= lifetime && (urgency === 'permitted' || elapsed >= (this.#isExpected() ? WHILE_EXPECTED : OTHERWISE))
    );
  }

  /** Whether by the timetable there is a newer report than the newest one that the service has named. */
  #isExpected(): boolean {
    const [newest] = this.#run.store.queries.reports.allFacts(this.#kind);
    return newest === undefined || newest.label < latestPublication(this.#kind, this.#run.now()).label;
  }

  /** Where none of its lines is known, it may not reach back far enough. */
  async #readShortIndex(last: IndexFetch): Promise<IndexFetch> {
    const { reports } = this.#run.store.queries;
    const newest = reports.allFacts(this.#kind)[0]?.label ?? '';
    const look = await this.#readIndex(false, last);
    const newer = reports.allFacts(this.#kind).filter(({ label }) => label > newest);
    return newer.length < SHORT_INDEX[this.#kind] ? look : this.#readIndex(true, last);
  }

  async #readIndex(whole: boolean, last: IndexFetch | null): Promise<IndexFetch> {
    const run = this.#run;
    const kind = this.#kind;
    const limit = (whole ? MAX_INDEX_LENGTH : SHORT_INDEX)[kind];
    const [resource, address] = [whole ? `${this.#resource} whole` : this.#resource, `limit=${String(limit)}`];
    const validator = run.store.queries.schedule.validator(resource, address);
    const answer = await run.ask(() => run.news.reportIndex(kind, { limit }, { validator }));
    const at = run.now();
    const look: IndexFetch = { at, lifetime: answer.lifetimeMs, wholeAt: whole || !last ? at : last.wholeAt };
    let changed: string[] = [];
    run.write((tx) => {
      tx.reports.saveIndexFetch(kind, look);
      if (answer.kind === 'notModified') return;
      changed = tx.reports.list(answer.value.records);
      tx.validators.set(resource, address, answer.validator);
    });
    if (answer.kind === 'fresh') this.#tellSkipped(answer);
    this.#tell(changed);
    return look;
  }

  #tellSkipped({ value }: Fresh<Records<ReportHeader>>): void {
    this.#run.noteSkipped(value.skipped);
  }

  /** The newest report itself, for the index may not list it yet. Its label is as good as one of the index. */
  async #askForLatest(): Promise<void> {
    const run = this.#run;
    const kind = this.#kind;
    const [resource, address] = [`${this.#resource} latest`, 'latest'];
    try {
      const validator = run.store.queries.schedule.validator(resource, address);
      const answer = await run.ask(() => run.news.latestReport(kind, { validator }));
      if (answer.kind === 'notModified') return;
      const { report, skipped } = answer.value;
      run.noteSkipped(skipped);
      const isNew = !run.store.queries.reports.isListed(kind, report.label);
      run.write((tx) => {
        // Its ETag is that of another address than the report's own, which is asked for from here on.
        if (isNew) tx.reports.store(report, { etag: null, lifetime: answer.lifetimeMs }, run.now());
        tx.validators.set(resource, address, answer.validator);
      });
      if (!isNew) return;
      run.tally({ added: 1 });
      this.#tell([report.label]);
    } catch (error) {
      if (!isCode(error, 'not_found')) throw error;
    }
  }

  /** True where a later round has to go on. */
  async #fill(): Promise<boolean> {
    const run = this.#run;
    const { labels, more } = planBackfill(run.store.queries.reports.allFacts(this.#kind), run.now(), run.urgency);
    for (const [done, label] of labels.entries()) {
      if (run.makesWay()) return true;
      await this.#refresh(label);
      run.advance(done + 1, labels.length);
    }
    return more;
  }

  async #refresh(label: string): Promise<void> {
    const run = this.#run;
    const kind = this.#kind;
    const facts = run.store.queries.reports.facts(kind, label);
    if (!facts) return;
    try {
      const { outcome, withdrawn, skipped } = await fetchReport(kind, facts, {
        ask: (validator) => run.ask(() => run.news.report(kind, label, { validator })),
        write: (work) => run.write(work),
        now: () => run.now(),
      });
      run.noteSkipped(skipped);
      run.tally({ added: Number(outcome === 'added'), revised: Number(outcome === 'revised'), withdrawn });
      if (outcome !== 'unchanged') this.#tell([label]);
    } catch (error) {
      if (!(error instanceof BroadsheetError) || !BAD_BODY.has(error.code)) throw error;
      run.noteSkipped([{ id: label, reason: error.message }]);
      run.write(({ reports }) => reports.recordFailedFetch(kind, label, run.now()));
    }
  }

  #tell(labels: string[]): void {
    if (labels.length === 0) return;
    this.#modified = true;
    this.#run.emit('reports.changed', { kind: this.#kind, labels });
  }
}

function isCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof BroadsheetError && error.code === code;
}
