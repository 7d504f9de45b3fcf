import type { Answer, Fresh } from '../../clients/http/client.ts';
import { MAX_INDEX_LENGTH, type ParsedReport } from '../../clients/news/report-schemas.ts';
import { countSkipped, type Records } from '../../clients/parsing/records.ts';
import { labelAfter, latestPublication, nextPublication } from '../../common/publication-timetable.ts';
import { type ReportHeader, type ReportKind } from '../../contract/model/report.ts';
import { answeredAt, indexFetch, type IndexFetch, type IndexName, type ReportFacts } from '../../store/index.ts';
import { fetchName, NO_CHANGE, savedAs, syncDocuments, type DocumentKind } from './documents.ts';
import { hasCode, isOfOneRecord } from './record-failures.ts';
import { fetchesValid, type JobResult, type SyncContext, type Urgency } from './sync-context.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Number of entries to check: the newest (document 1 section 1), then, if more were missed, some days or periods. */
const SHORT_INDEXES: Readonly<Record<ReportKind, readonly [one: number, some: number]>> = {
  daily: [1, 7],
  weekly: [1, 3],
  monthly: [1, 3],
};
const WHOLE_INDEX_EVERY = 7 * DAY;
/** Syncs that only backfill skip the check. */
const WHILE_EXPECTED = 2 * MINUTE;
const OTHERWISE = 30 * MINUTE;
/** The index can be outdated by its cache time (observed-5-index-lag): right after publication, one more request pays. */
const INDEX_LAG = 30 * MINUTE;
const NEXT_ROUND = 30 * SECOND;
/** After publication every installation fetches the new report; for this long, only that (docs/scale.md). */
export const RUSH = 5 * MINUTE;
const AFTER_RUSH = 30 * MINUTE;

interface FetchedIndex {
  answer: Answer<Records<ReportHeader>>;
  limit: number;
  name: IndexName;
}

function reportKind(kind: ReportKind): DocumentKind<ParsedReport> {
  return {
    name: kind,
    get: ({ news, isSync: bulk }, label, validator) => news.report(kind, label, { validator, bulk }),
    address: ({ reports }, label) => {
      const facts = reports.facts(kind, label);
      return facts?.stored && facts.goneAt === null ? '' : null;
    },
    size: sizeOf,
    lossIn: ({ reports }, value) => {
      const [saved, received] = [reports.savedStories(kind, value.report.label), sizeOf(value)];
      // A report has few stories, and withdrawals must not wait.
      return received < saved / 2 ? { noun: 'stories', saved, received } : null;
    },
    save: ({ reports }, label, { report }, now) => {
      const { outcome, withdrawn } = reports.store(report, now);
      return { ...savedAs(outcome, outcome === 'unchanged' ? [] : [label]), withdrawn };
    },
    setGone: ({ documents }, label, now) =>
      documents.setGone(kind, label, now) ? { ...NO_CHANGE, changed: [label] } : NO_CHANGE,
    announce: (emit, labels) => emit('reports.changed', { kind, labels }),
  };
}

function sizeOf({ report }: ParsedReport): number {
  return report.sections.reduce((sum, { items }) => sum + items.length, report.flashes.length);
}

export const REPORTS: Readonly<Record<ReportKind, DocumentKind<ParsedReport>>> = {
  daily: reportKind('daily'),
  weekly: reportKind('weekly'),
  monthly: reportKind('monthly'),
};

export const syncReports = (kind: ReportKind) => (context: SyncContext) => new ReportsRound(kind, context).perform();

/** Syncs one kind of report (document 1 sections 4.4 to 4.6). Only labels that came from the service are fetched. */
class ReportsRound {
  readonly #kind: ReportKind;
  readonly #context: SyncContext;
  #modified = false;

  constructor(kind: ReportKind, context: SyncContext) {
    this.#kind = kind;
    this.#context = context;
  }

  async perform(): Promise<JobResult> {
    const check = await this.#checkIndex();
    const { more, postponed } = await this.#fill();
    const now = this.#context.now();
    const lifetime = Math.max(0, check.at + check.lifetime - now);
    const rushEndsIn = RUSH - this.#sincePublication(now);
    if (postponed && !more) {
      const again = Math.max(NEXT_ROUND, rushEndsIn);
      return { modified: this.#modified, lifetime, again, spread: AFTER_RUSH };
    }
    const again = more ? NEXT_ROUND : nextRetryIn(this.#facts(), now);
    return { modified: this.#modified, lifetime, ...(again !== null && { again: Math.max(again, NEXT_ROUND) }) };
  }

  async #checkIndex(): Promise<IndexFetch> {
    const last = this.#context.store.queries.reports.lastIndexFetch(this.#kind);
    if (last && !this.#isCheckDue(last)) return last;
    const now = this.#context.now();
    const whole = fetchesValid(this.#context.urgency) || !last || Math.abs(now - last.wholeAt) >= WHOLE_INDEX_EVERY;
    const check = whole ? await this.#readWholeIndex(last) : await this.#readShortIndex(last);
    if (this.#isExpected() && this.#sincePublication(now) < INDEX_LAG) await this.#fetchLatest();
    return check;
  }

  #isCheckDue({ at, lifetime }: IndexFetch): boolean {
    const { urgency } = this.#context;
    const elapsed = Math.abs(this.#context.now() - at);
    if (fetchesValid(urgency)) return true;
    return (
      elapsed >= lifetime && (urgency === 'permitted' || elapsed >= (this.#isExpected() ? WHILE_EXPECTED : OTHERWISE))
    );
  }

  #isExpected(): boolean {
    const newest = this.#context.store.queries.reports.newestListed(this.#kind, this.#lastPlausible);
    return newest === null || newest < latestPublication(this.#kind, this.#context.now()).label;
  }

  #sincePublication(now: number): number {
    return now - latestPublication(this.#kind, now).at;
  }

  /** Saves only an index that reaches back to the newest known report: others would leave a gap. */
  async #readShortIndex(last: IndexFetch): Promise<IndexFetch> {
    const newest = this.#context.store.queries.reports.newestListed(this.#kind, this.#lastPlausible);
    const [one, some] = SHORT_INDEXES[this.#kind];
    for (const limit of this.#hasGap(some) ? [some] : [one, some]) {
      const fetched = await this.#fetchIndex(limit);
      if (this.#reachesBack(fetched, newest)) return this.#saveIndex(fetched, last);
    }
    return this.#readWholeIndex(last);
  }

  #hasGap(among: number): boolean {
    const newest = this.#facts().slice(0, among);
    return newest.some(({ label }, index) => {
      const after = newest[index - 1];
      return after !== undefined && labelAfter(this.#kind, label) !== after.label;
    });
  }

  async #readWholeIndex(last: IndexFetch | null): Promise<IndexFetch> {
    return this.#saveIndex(await this.#fetchIndex(MAX_INDEX_LENGTH[this.#kind]), last);
  }

  async #fetchIndex(limit: number): Promise<FetchedIndex> {
    const context = this.#context;
    const name = limit === MAX_INDEX_LENGTH[this.#kind] ? 'whole' : limit === 1 ? 'newest' : 'short';
    const validator = context.store.queries.fetches.etag(indexFetch(this.#kind, name), addressOf(limit));
    const answer = await context.fetch(() => context.news.reportIndex(this.#kind, { limit }, { validator }));
    return { answer, limit, name };
  }

  #reachesBack({ answer, limit }: FetchedIndex, newest: string | null): boolean {
    if (answer.kind === 'notModified') return true;
    const { records, skipped } = answer.value;
    if (records.length + countSkipped(skipped) < limit) return true;
    return newest !== null && records.some(({ label }) => label <= labelAfter(this.#kind, newest));
  }

  #saveIndex({ answer, limit, name }: FetchedIndex, last: IndexFetch | null): IndexFetch {
    const context = this.#context;
    const at = context.now();
    const check: IndexFetch = {
      at,
      lifetime: answer.lifetimeMs,
      wholeAt: name === 'whole' || !last ? at : last.wholeAt,
    };
    const lines = answer.kind === 'fresh' ? this.#plausible(answer) : null;
    const times = answeredAt(at, answer.lifetimeMs);
    const changed = context.write((tx) => {
      tx.fetches.confirm(indexFetch(this.#kind, 'index'), times);
      if (answer.kind === 'notModified' || lines === null) {
        tx.fetches.confirm(indexFetch(this.#kind, name), times);
        return [];
      }
      // Without the ETag the whole index comes again, also when the calendar has reached an ignored label.
      const isComplete = lines.length === answer.value.records.length;
      const etag = isComplete ? answer.validator : null;
      tx.fetches.put(indexFetch(this.#kind, name), { ...times, address: addressOf(limit), etag });
      return tx.reports.list(lines);
    });
    this.#emitChanged(changed);
    return check;
  }

  #plausible({ value: { records, skipped } }: Fresh<Records<ReportHeader>>): ReportHeader[] {
    this.#context.recordSkipped(skipped);
    return records.filter(({ label }) => !this.#isTooEarly(label));
  }

  /** A later label than that of the next publication must be a mistake. */
  get #lastPlausible(): string {
    return nextPublication(this.#kind, this.#context.serviceNow).label;
  }

  #facts(): ReportFacts[] {
    const last = this.#lastPlausible;
    return this.#context.store.queries.reports.allFacts(this.#kind).filter(({ label }) => label <= last);
  }

  #isTooEarly(label: string): boolean {
    const next = this.#lastPlausible;
    if (label <= next) return false;
    this.#context.recordSkipped([{ id: label, reason: `is later than the next report, ${next}` }]);
    return true;
  }

  /** The index may not list the latest report yet. */
  async #fetchLatest(): Promise<void> {
    const context = this.#context;
    const kind = this.#kind;
    const name = indexFetch(kind, 'latest');
    try {
      const validator = context.store.queries.fetches.etag(name, '');
      const answer = await context.fetch(() => context.news.latestReport(kind, { validator, bulk: true }));
      if (answer.kind === 'notModified') return;
      const { report, skipped } = answer.value;
      context.recordSkipped(skipped);
      if (this.#isTooEarly(report.label)) return;
      const isNew = !context.store.queries.documents.isNamed(kind, report.label);
      const times = answeredAt(context.now(), answer.lifetimeMs);
      context.write(({ reports, fetches }) => {
        fetches.put(name, { ...times, etag: answer.validator });
        if (!isNew) return;
        reports.store(report, context.now());
        // Without the ETag, which is not that of the report's own address.
        fetches.put(fetchName(REPORTS[kind], report.label), times);
      });
      if (!isNew) return;
      context.count({ added: 1 });
      this.#emitChanged([report.label]);
    } catch (error) {
      if (hasCode(error, 'not_found')) return;
      if (!isOfOneRecord(error)) throw error;
      context.recordMissed('the latest report', error);
    }
  }

  async #fill(): Promise<Pick<BackfillPlan, 'more' | 'postponed'>> {
    const context = this.#context;
    const { labels, ...left } = planBackfill(this.#facts(), context.now(), context.urgency, {
      inRush: this.#sincePublication(context.now()) < RUSH,
    });
    const { modified, failed, isWhole } = await syncDocuments(context, REPORTS[this.#kind], labels);
    this.#modified ||= modified;
    if (!isWhole) return { ...left, more: true };
    // If all failed and nothing is saved, the cause is hardly a single report.
    const isNone = failed.length === labels.length && !this.#facts().some(({ stored }) => stored);
    if (failed[0] && isNone) throw failed[0];
    return left;
  }

  #emitChanged(labels: string[]): void {
    if (labels.length === 0) return;
    this.#modified = true;
    this.#context.emit('reports.changed', { kind: this.#kind, labels });
  }
}

/** Corrections and withdrawals come soon after publication or not at all (document 1 section 1, docs/decisions/013). */
const REVALIDATION: readonly { youngerThan: number; every: number }[] = [
  { youngerThan: 2 * DAY, every: 4 * HOUR },
  { youngerThan: 7 * DAY, every: DAY },
  { youngerThan: 30 * DAY, every: 7 * DAY },
  { youngerThan: 180 * DAY, every: 30 * DAY },
  { youngerThan: Infinity, every: 90 * DAY },
];
/** A withdrawn report may return. */
const AFTER_GONE = 7 * DAY;

export const BOUNDS = { missing: 12, revalidated: 4 };

interface BackfillPlan {
  labels: string[];
  more: boolean;
  postponed: boolean;
}

export function revalidationInterval(age: number, lifetime: number): number {
  const rule = REVALIDATION.find(({ youngerThan }) => age < youngerThan);
  return Math.max(lifetime, rule?.every ?? 0);
}

/** Selects the reports to fetch in one sync. `inRush`: a new one has just come out, so saved ones wait (docs/scale.md). */
export function planBackfill(
  all: readonly ReportFacts[],
  now: number,
  urgency: Urgency,
  { inRush = false } = {},
): BackfillPlan {
  const inOrder = all.toSorted((one, other) => one.failures - other.failures);
  const missing = inOrder.filter((facts) => !facts.stored && facts.goneAt === null);
  const others = inOrder.filter((facts) => facts.stored || facts.goneAt !== null);
  if (fetchesValid(urgency)) return { labels: labelsOf([...missing, ...others]), more: false, postponed: false };
  const wanted = missing.filter((facts) => timeSinceRequest(facts, now) >= facts.backoff);
  const due = others.filter((facts) => isRevalidationDue(facts, now));
  const postpones = inRush && urgency === 'due';
  const checked = postpones ? [] : due;
  const chosen = [...wanted.slice(0, BOUNDS.missing), ...checked.slice(0, BOUNDS.revalidated)];
  const more = chosen.length < wanted.length + checked.length;
  return { labels: labelsOf(chosen), more, postponed: postpones && due.length > 0 };
}

export function nextRetryIn(all: readonly ReportFacts[], now: number): number | null {
  const waits = all
    .filter(({ failures }) => failures > 0)
    .map((facts) => Math.max(0, facts.backoff - timeSinceRequest(facts, now)));
  return waits.length === 0 ? null : Math.min(...waits);
}

function isRevalidationDue(facts: ReportFacts, now: number): boolean {
  if (facts.failures > 0) return timeSinceRequest(facts, now) >= facts.backoff;
  const every = facts.stored ? revalidationInterval(ageOf(facts, now), facts.lifetime) : facts.lifetime;
  return timeSinceRequest(facts, now) >= (facts.goneAt === null ? every : Math.max(every, AFTER_GONE));
}

/** A report without a time and a date counts as neither new nor old. */
function ageOf({ generatedAt, label }: ReportFacts, now: number): number {
  const at = [generatedAt ?? '', label].map((text) => Date.parse(text)).find((ms) => !Number.isNaN(ms));
  return at === undefined ? 7 * DAY : now - at;
}

function addressOf(limit: number): string {
  return `limit=${String(limit)}`;
}

/** After the clock was set back, the last fetch is in the future. */
function timeSinceRequest({ requestedAt }: ReportFacts, now: number): number {
  return requestedAt === null ? Infinity : Math.abs(now - requestedAt);
}

function labelsOf(facts: readonly ReportFacts[]): string[] {
  return facts.map(({ label }) => label);
}
