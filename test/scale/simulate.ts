import { latestPublication } from '../../src-main/common/publication-timetable.ts';
import { ServiceError } from '../../src-main/clients/http/service-error.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { NewsResource } from '../../src-main/contract/model/resource.ts';
import { SeededRandom } from '../../src-main/demo/random.ts';
import type { ReportFacts, ScheduleState } from '../../src-main/store/index.ts';
import { planBackfill } from '../../src-main/sync/jobs/reports.ts';
import { stateAfterAnswer, stateAfterFailure, wakeAt } from '../../src-main/sync/schedule/due-rules.ts';
import { Resumption } from '../../src-main/sync/schedule/service-gates.ts';
import { drawReader, type Reader, type Span } from './readers.ts';
import { versionAt, type Publication, type ServiceWeek } from './service-week.ts';
import { Tally, type AnswerKind } from './tally.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A sleeping computer's clock is checked this long after it wakes at most (the scheduler's longest timer). */
const LONGEST_SLEEP = MINUTE;
/** A reconciliation of the week's items: pages of 100 items. It is due after 22 hours, of which the page tells. */
const RECONCILIATION = { every: DAY, pages: 10 };
/** As in the report job: the index is checked again after this long at the earliest, while a report is expected or not. */
const INDEX_EVERY = { expected: 2 * MINUTE, otherwise: 30 * MINUTE };
const NEXT_ROUND = 30 * SECOND;
const RUSH = { lasts: 5 * MINUTE, spread: 30 * MINUTE };
/** Requests of one run follow one another. */
const LATENCY = 200;
/** Editions that a reader has stored, for revalidation. */
const STORED: Record<ReportKind, number> = { daily: 30, weekly: 8, monthly: 3 };
const REPORTS = { dailies: 'daily', weeklies: 'weekly', monthlies: 'monthly' } as const;

/** Result of a resource's run for the scheduler. */
interface Ran {
  lifetime: number;
  again?: number;
  spread?: number;
  newest?: string | null;
}

/** Runs the schedule of every reader through the week and counts what the service gets. */
export function simulate(week: ServiceWeek, readers: number, seed: number): Tally {
  const tally = new Tally(week.start, (week.days * DAY) / SECOND);
  for (let number = 0; number < readers; number += 1) {
    const random = new SeededRandom(seed, number);
    new SimulatedReader(week, drawReader(random, week.days), random, tally).live();
  }
  return tally;
}

interface Followed {
  resource: NewsResource;
  /** Sends the requests of a run. */
  run: (at: number) => Ran;
  /** The label of the newest stored report. */
  newest: () => string | null;
  resumption: Resumption;
  state: ScheduleState;
  /** When it runs next, in ms since 1970. */
  at: number;
}

class SimulatedReader {
  readonly #week: ServiceWeek;
  readonly #reader: Reader;
  readonly #random: SeededRandom;
  readonly #tally: Tally;
  readonly #seen = new Map<string, number>();
  /** A Retry-After pauses the whole service for this reader (docs/decisions). */
  #pause = { since: 0, until: 0 };
  #reconciledAt: number;

  constructor(week: ServiceWeek, reader: Reader, random: SeededRandom, tally: Tally) {
    this.#week = week;
    this.#reader = reader;
    this.#random = random;
    this.#tally = tally;
    this.#reconciledAt = week.start - random.next() * DAY;
  }

  /** Runs each resource whenever it is due while the computer is awake, all in the order of time. */
  live(): void {
    const end = this.#week.start + this.#week.days * DAY;
    const resources = this.#resources();
    for (;;) {
      const next = resources.reduce((first, other) => (other.at < first.at ? other : first));
      const at = Math.max(next.at, this.#resumesAt(next));
      if (at >= end) return;
      next.state = this.#perform(next, at);
      next.at = this.#nextRun(next.resource, next.state);
    }
  }

  #resources(): Followed[] {
    const jobs: [NewsResource, Followed['run'], Followed['newest']?][] = [
      ['selected', (at) => this.#followChanges(at)],
      ['items', (at) => this.#readItems(at)],
      ['hotTopics', (at) => this.#read('hotTopics', 'hotTopics', this.#week.hotTopics, at)],
      ['stories', (at) => this.#readStories(at)],
      ...(['dailies', 'weeklies', 'monthlies'] as const).map((name) => this.#reportsJob(name)),
    ];
    return jobs.map(([resource, run, newest = () => null]) => {
      const state = this.#stateBefore(resource);
      return { resource, run, newest, resumption: new Resumption(resource), state, at: this.#nextRun(resource, state) };
    });
  }

  #perform({ resource, run, newest, state }: Followed, at: number): ScheduleState {
    const refused = this.#refusal(at);
    const ran = refused ? null : run(at);
    const moment = { now: at, chance: this.#random.next(), newest: newest() };
    if (ran) return stateAfterAnswer({ resource, state }, { modified: false, ...ran }, true, moment);
    this.#tally.add(at, 'refused');
    return stateAfterFailure({ resource, state }, refused, moment);
  }

  /** Broadsheet has run before: each resource was answered some time ago. */
  #stateBefore(resource: NewsResource): ScheduleState {
    const requestedAt = this.#week.start - Math.round(this.#random.next() * 5 * MINUTE);
    const moment = { now: requestedAt, chance: this.#random.next(), newest: '9999' };
    return stateAfterAnswer({ resource, state: null }, { modified: false, lifetime: MINUTE }, true, moment);
  }

  /** When the resource is due and the computer awake: sooner while the page shows it. */
  #nextRun(resource: NewsResource, state: ScheduleState): number {
    const { start } = this.#week;
    const due = this.#within(this.#reader.awake, wakeAt(resource, state) - start, LONGEST_SLEEP);
    const shown = this.#within(this.#reader.reading, wakeAt(resource, state, true) - start, 0);
    return start + Math.max(Math.min(due, shown), state.requestedAt - start + SECOND);
  }

  /** The first time from `at` on in one of the spans; up to `delay` after its start if it has to be waited for. */
  #within(spans: readonly Span[], at: number, delay: number): number {
    for (const { from, until } of spans) {
      if (at < from) return from + Math.round(delay * this.#random.next());
      if (at < until) return at;
    }
    return Infinity;
  }

  /** As in the runner of a resource: after a pause, the resource on the page resumes at once. */
  #resumesAt({ at, resumption }: Followed): number {
    const { since, until } = this.#pause;
    const isShown = this.#reader.reading.some(
      (span) => until - this.#week.start >= span.from && until - this.#week.start < span.until,
    );
    return isShown || at > until ? until : resumption.after(until, since, () => this.#random.next());
  }

  #refusal(at: number): ServiceError | null {
    const { outage } = this.#week;
    if (!outage || at < outage.from || at >= outage.until) return null;
    const { retryAfter } = outage;
    if (at + retryAfter > this.#pause.until) this.#pause = { since: at, until: at + retryAfter };
    return new ServiceError('temporarily_unavailable', 'Unavailable.', { status: 503, retryAfterMs: retryAfter });
  }

  /** One conditional request. */
  #read(name: string, kind: AnswerKind, times: readonly number[], at: number): Ran & { changed: boolean } {
    const version = versionAt(times, at);
    const changed = this.#seen.get(name) !== version;
    this.#seen.set(name, version);
    this.#tally.add(at, changed ? kind : 'notModified');
    return { lifetime: this.#week.lifetimes.lists, changed };
  }

  /** Behind new changes there is another cursor, whose empty page is fetched once. */
  #followChanges(at: number): Ran {
    const version = versionAt(this.#week.selected, at);
    const changed = this.#seen.get('selected') !== version;
    const isNewCursor = this.#seen.get('cursor') === 1;
    this.#seen.set('selected', version).set('cursor', Number(changed));
    this.#tally.add(at, changed || isNewCursor ? 'changes' : 'notModified');
    return { lifetime: this.#week.lifetimes.lists };
  }

  #readItems(at: number): Ran {
    if (at - this.#reconciledAt >= RECONCILIATION.every) {
      this.#reconciledAt = at;
      for (let page = 0; page < RECONCILIATION.pages; page += 1)
        this.#tally.add(at + page * LATENCY, 'itemsOfReconciliation');
      this.#seen.set('items', versionAt(this.#week.items, at));
      return { lifetime: this.#week.lifetimes.lists };
    }
    return this.#read('items', 'items', this.#week.items, at);
  }

  #readStories(at: number): Ran {
    this.#week.stories.forEach((times, number) =>
      this.#read(`story ${String(number)}`, 'story', times, at + number * LATENCY),
    );
    return { lifetime: 0 };
  }

  /** Like the report job: index, missing reports, then those that are due for revalidation. */
  #reportsJob(resource: keyof typeof REPORTS): [NewsResource, Followed['run'], Followed['newest']] {
    const kind = REPORTS[resource];
    const archive = new StoredReports(this.#week, kind, this.#random);
    const publications = this.#week.publications.filter((one) => one.kind === kind);
    let indexAt = -Infinity;
    const run = (at: number): Ran => {
      const latest = latestPublication(kind, at);
      if (at - indexAt >= (archive.newest < latest.label ? INDEX_EVERY.expected : INDEX_EVERY.otherwise)) {
        indexAt = at;
        const isNew = archive.list(publications.filter((one) => one.at <= at));
        this.#tally.add(at, isNew ? 'index' : 'notModified');
      }
      const rushEndsIn = RUSH.lasts - (at - latest.at);
      const { labels, more, postponed } = planBackfill(archive.facts, at, 'due', { inRush: rushEndsIn > 0 });
      labels.forEach((label, order) => this.#fetchReport(archive, { kind, label }, at + (order + 1) * LATENCY));
      const { lists: lifetime } = this.#week.lifetimes;
      if (postponed && !more) return { lifetime, again: Math.max(NEXT_ROUND, rushEndsIn), spread: RUSH.spread };
      return { lifetime, ...(more && { again: NEXT_ROUND }) };
    };
    return [resource, run, () => archive.newest];
  }

  #fetchReport(archive: StoredReports, { kind, label }: { kind: ReportKind; label: string }, at: number): void {
    const published = archive.fetch(label, at, this.#week.lifetimes.reports);
    this.#tally.add(at, published ? 'report' : 'notModified');
    if (published && this.#wasAwake(published.at)) this.#tally.waits[kind].push(at - published.at);
  }

  #wasAwake(at: number): boolean {
    const since = at - this.#week.start;
    return this.#reader.awake.some(({ from, until }) => since >= from && since + 5 * MINUTE < until);
  }
}

/** The editions of one kind that a reader has, as far as the plan needs them. */
class StoredReports {
  facts: ReportFacts[];
  readonly #waiting = new Map<string, Publication>();

  constructor(week: ServiceWeek, kind: ReportKind, random: SeededRandom) {
    const facts: ReportFacts[] = [];
    for (let now = week.start - 1; facts.length < STORED[kind];) {
      const { at, label } = latestPublication(kind, now);
      const checked = Math.min(now, week.start) - random.next() * 4 * HOUR;
      facts.push(storedFacts(label, at, checked, week.lifetimes.reports));
      now = at - 1;
    }
    this.facts = facts;
  }

  get newest(): string {
    return this.facts.find(({ stored }) => stored)?.label ?? '';
  }

  /** Takes the list of the index. Returns true if there is anything new. */
  list(out: readonly Publication[]): boolean {
    const added = out.filter(({ label }) => !this.facts.some((facts) => facts.label === label));
    for (const one of added) {
      this.#waiting.set(one.label, one);
      this.facts.unshift({ ...storedFacts(one.label, one.at, 0, 0), stored: false, requestedAt: null });
    }
    return added.length > 0;
  }

  /** The publication if it was missing until now; null for a revalidation. */
  fetch(label: string, at: number, lifetime: number): Publication | null {
    const published = this.#waiting.get(label) ?? null;
    this.#waiting.delete(label);
    const place = this.facts.findIndex((facts) => facts.label === label);
    const old = this.facts[place];
    if (old) this.facts[place] = { ...old, stored: true, requestedAt: at, lifetime };
    return published;
  }
}

function storedFacts(label: string, at: number, requestedAt: number, lifetime: number): ReportFacts {
  const generatedAt = new Date(at).toISOString();
  const asked = { requestedAt, checkedAt: requestedAt, failures: 0, backoff: 0 };
  return { label, stored: true, generatedAt, lifetime, ...asked, goneAt: null };
}
