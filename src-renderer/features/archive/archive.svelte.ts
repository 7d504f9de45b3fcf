import {
  REPORT_KINDS,
  type ReportKind,
  type ReportLine,
  type CitationWithStatus,
  type StoredReport,
} from '../../../src-main/contract/model/report.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import { latestPublication, newestPublished } from '../../../src-main/common/publication-timetable.ts';
import { addMonths, monthOf, shanghaiDay } from '../../../src-main/common/time.ts';
import { isUnread, readableReport, reportLength, storiesOf } from '../../../src-main/common/readable-report.ts';
import type { ReportLength } from '../../../src-main/contract/model/today.ts';
import { monthOfReport } from './calendar.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';
import { CitationWalk } from './citation-walk.ts';
import { ReadAgain } from './read-again.ts';
import { ReportExport } from './report-export.svelte.ts';

/** Most stories per call. */
const MOST_MARKED = 500;

/** The reader's position in a report: the index of a story in reading order, or its end. */
export type ReportPlace = number | 'end' | null;

/** The next stop in a report: the story that was left, if it is now read, and why that was not saved. */
interface NextStory {
  at: 'story' | 'end';
  done: CitationWithStatus | null;
  marked: Promise<Failure | null>;
}

type Index = ReadonlyMap<string, ReportLine>;

/** The calendar of the archive, and the report that is open. All labels are Asia/Shanghai labels. */
export class ArchiveState {
  readonly #wire: Wire;
  readonly #indexes: Record<ReportKind, AsyncResource<{ lines: ReportLine[] }>>;
  readonly reading = new AsyncResource<StoredReport>();
  readonly walk = new CitationWalk();
  readonly #again = new ReadAgain(() => this.#askAgain());
  #kind = $state<ReportKind>('daily');
  #month = $state(monthOf(shanghaiDay(Date.now())));
  #open = $state.raw<{ kind: ReportKind; label: string } | null>(null);
  #refreshing = $state(false);
  #place = $state<ReportPlace>(null);
  /** The state of the report when it was opened: if it had been opened before, and how many stories had been read. */
  #opening = $state.raw<{ again: boolean; read: number } | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    this.#indexes = { daily: new AsyncResource(), weekly: new AsyncResource(), monthly: new AsyncResource() };
    wire.on('data.replaced', () => void this.#reload());
    wire.on('reports.changed', ({ kind, labels }) => void this.#changed(kind, labels));
    wire.on('marks.changed', () => void this.#again.run());
  }

  /** The kind of the reports in the list under the calendar. */
  get kind(): ReportKind {
    return this.#kind;
  }
  set kind(kind: ReportKind) {
    this.#kind = kind;
  }
  /** The month of the calendar, YYYY-MM. */
  get month(): string {
    return this.#month;
  }
  set month(month: string) {
    this.#month = month;
  }
  get open(): { kind: ReportKind; label: string } | null {
    return this.#open;
  }
  get report(): StoredReport | null {
    return this.reading.value;
  }
  /** True if the saved report is shown while a newer version is being fetched. */
  get refreshing(): boolean {
    return this.#refreshing;
  }

  /** In reading order. */
  readonly stories = $derived(
    this.report ? storiesOf({ ...readableReport(this.report), flashes: this.report.flashes }) : [],
  );
  /** Length of the open report, and how much of it is read by now. */
  readonly length = $derived<ReportLength | null>(this.report && reportLength(this.report));
  get place(): ReportPlace {
    return this.#place;
  }
  get opening(): { again: boolean; read: number } | null {
    return this.#opening;
  }

  readonly #maps = $derived.by((): Record<ReportKind, Index> => ({
    daily: byLabel(this.lines('daily')),
    weekly: byLabel(this.lines('weekly')),
    monthly: byLabel(this.lines('monthly')),
  }));

  /** Newest first. */
  lines(kind: ReportKind): readonly ReportLine[] {
    return this.#indexes[kind].value?.lines ?? [];
  }
  line(kind: ReportKind, label: string): ReportLine | null {
    return this.#maps[kind].get(label) ?? null;
  }
  get loaded(): boolean {
    return REPORT_KINDS.every((kind) => this.#indexes[kind].value !== null);
  }
  get slow(): boolean {
    return REPORT_KINDS.some((kind) => this.#indexes[kind].slow);
  }
  get failure(): Failure | null {
    for (const kind of REPORT_KINDS) if (this.#indexes[kind].failure) return this.#indexes[kind].failure;
    return null;
  }
  /** Returns the first month with a report, and the last one to show. */
  months(now: number): { first: string; last: string } {
    const last = monthOf(shanghaiDay(now));
    const oldest = REPORT_KINDS.flatMap((kind) => this.lines(kind).at(-1) ?? []).map(({ kind, label }) =>
      monthOfReport(kind, label),
    );
    return { first: oldest.reduce((a, b) => (a < b ? a : b), last), last };
  }

  async load(): Promise<void> {
    await Promise.all(REPORT_KINDS.map((kind) => this.#loadIndex(kind)));
  }

  turnMonth(by: number): void {
    this.#month = addMonths(this.#month, by);
  }

  /**
   * Shows the saved report at once, then fetches it. It counts as read when it is shown. Starts at the story with the
   * key `story`, if it has it.
   *
   * @param marks whether it counts as read: not if the reader only finds it open again
   */
  async show(kind: ReportKind, label: string, story: string | null = null, marks = true): Promise<void> {
    this.#open = { kind, label };
    this.#month = monthOfReport(kind, label);
    this.reading.clear();
    this.#place = null;
    this.#opening = null;
    this.#refreshing = true;
    const stored = await this.#wire.call('reports.get', { kind, label });
    if (!this.#shows(kind, label)) return;
    if (stored.ok) {
      this.#put(stored.value);
      this.#goToStory(story);
    }
    const report = await this.#read(this.#wire.call('reports.open', { kind, label }));
    if (!this.#shows(kind, label)) return;
    if (!stored.ok) this.#goToStory(story);
    this.#refreshing = false;
    if (marks && (report ?? this.report)?.readAt === null) void this.mark(true);
  }

  /** Opens the newest report of a kind. Returns false if there is none. */
  latest(kind: ReportKind): boolean {
    const line = newestPublished(kind, this.lines(kind), Date.now());
    if (line) void this.show(kind, line.label);
    return line !== undefined;
  }

  /** Opens the report after (1) or before (-1) the open one, or the newest one. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const label = by === 1 ? this.report?.next : this.report?.previous;
    if (!this.#open) return this.latest(this.#kind);
    if (label) void this.show(this.#open.kind, label);
    return label !== null && label !== undefined;
  }

  /** Creates an export with its own progress. */
  startExport(): ReportExport {
    return new ReportExport(this.#wire);
  }

  /**
   * Goes to the next unread story of the open report, and after the last one to its end. With `marks` the story that
   * was left counts as read; `marked` resolves to the failure of that, if any. Null at the end, and without a report.
   */
  nextUnread({ marks }: { marks: boolean }): NextStory | null {
    if (this.stories.length === 0 || this.#place === 'end') return null;
    const from = this.#place ?? -1;
    const left = this.stories[from];
    const isNext = ({ key, readAt }: CitationWithStatus): boolean =>
      readAt === null && !(marks && key !== null && key === left?.key);
    const next = this.stories.findIndex((story, index) => index > from && isNext(story));
    this.#place = next < 0 ? 'end' : next;
    const done = marks && left !== undefined && isUnread(left) ? left : null;
    const marked = done ? this.markCitation(done, true) : Promise.resolve(null);
    return { at: next < 0 ? 'end' : 'story', done, marked };
  }

  reach(place: ReportPlace): void {
    this.#place = place;
  }

  retry(): void {
    if (this.#open) void this.show(this.#open.kind, this.#open.label);
  }

  close(): void {
    this.#open = null;
    this.#refreshing = false;
    this.#place = null;
    this.#opening = null;
    this.reading.clear();
  }

  /** Marks the open report at once on the page, then in the core. Resolves to the failure, if any. */
  async mark(read: boolean): Promise<Failure | null> {
    const report = this.report;
    if (!report) return null;
    const { kind, label, readAt } = report;
    this.#patch(kind, label, read ? new Date().toISOString() : null);
    const reply = await this.#again.save(this.#wire.call('reports.mark', { kind, label, read }));
    if (reply.ok) return null;
    this.#patch(kind, label, readAt);
    return reply.error;
  }

  async markCitation(citation: CitationWithStatus, read: boolean): Promise<Failure | null> {
    const { key, readAt } = citation;
    if (key === null) return null;
    this.#patchCitations([key], read ? new Date().toISOString() : null);
    const reply = await this.#again.save(this.#wire.call('reports.markCitation', { key, read }));
    if (reply.ok) return null;
    this.#patchCitations([key], readAt);
    return reply.error;
  }

  /** The keys of the unread stories of the open report. */
  get unreadKeys(): string[] {
    return [...new Set(this.stories.flatMap((story) => (isUnread(story) && story.key !== null ? [story.key] : [])))];
  }

  /** Marks several stories at once on the page, then in the core. Resolves to the failure, if any. */
  async markStories(keys: readonly string[], read: boolean): Promise<Failure | null> {
    this.#patchCitations(keys, read ? new Date().toISOString() : null);
    for (let from = 0; from < keys.length; from += MOST_MARKED) {
      const some = keys.slice(from, from + MOST_MARKED);
      const reply = await this.#again.save(this.#wire.call('reports.markCitations', { keys: some, read }));
      if (reply.ok) continue;
      await this.#again.run();
      return reply.error;
    }
    return null;
  }

  /** Returns the label of the newest report of a kind that should be out by now. */
  due(kind: ReportKind, now: number): string {
    return latestPublication(kind, now).label;
  }

  #shows(kind: ReportKind, label: string): boolean {
    return this.#open?.kind === kind && this.#open.label === label;
  }

  async #loadIndex(kind: ReportKind): Promise<void> {
    await this.#indexes[kind].read(this.#wire.call('reports.index', { kind }));
  }

  async #reload(): Promise<void> {
    const loaded = REPORT_KINDS.filter((kind) => this.#indexes[kind].value);
    await Promise.all([...loaded.map((kind) => this.#loadIndex(kind)), this.#again.run()]);
  }

  async #changed(kind: ReportKind, labels: readonly string[]): Promise<void> {
    if (this.#indexes[kind].value) await this.#loadIndex(kind);
    if (this.#open?.kind === kind && labels.includes(this.#open.label)) await this.#again.run();
  }

  /** Reads the saved version of the open report. Returns a function that shows it. */
  async #askAgain(): Promise<(() => void) | null> {
    const open = this.#open;
    if (!open || this.#refreshing || !this.report) return null;
    const reply = await this.#wire.call('reports.get', open);
    return reply.ok && this.#shows(open.kind, open.label) ? () => this.#put(reply.value) : null;
  }

  async #read(asked: Promise<Reply<StoredReport>>): Promise<StoredReport | null> {
    const place = this.#placeKey;
    const report = await this.reading.read(asked);
    if (report) this.#arrived(report, place);
    return report;
  }

  #put(report: StoredReport): void {
    const place = this.#placeKey;
    this.reading.put(report);
    this.#arrived(report, place);
  }

  /** Shows a report. A correction can move the stories: the reader stays at the same one. */
  #arrived(report: StoredReport, place: string | null): void {
    this.#opening ??= { again: report.readAt !== null, read: reportLength(report).read };
    if (place !== null && this.#placeKey !== place) this.#goToStory(place);
  }

  get #placeKey(): string | null {
    return typeof this.#place === 'number' ? (this.stories[this.#place]?.key ?? null) : null;
  }

  #goToStory(key: string | null): void {
    const at = key === null ? -1 : this.stories.findIndex((story) => story.key === key);
    if (at >= 0) this.#place = at;
  }

  #patch(kind: ReportKind, label: string, readAt: string | null): void {
    if (this.report?.kind === kind && this.report.label === label) this.reading.put({ ...this.report, readAt });
    const lines = this.lines(kind).map((line) => (line.label === label ? { ...line, readAt } : line));
    this.#indexes[kind].put({ lines });
  }

  #patchCitations(keys: readonly string[], readAt: string | null): void {
    const report = this.report;
    if (!report) return;
    const wanted = new Set(keys);
    const patch = (citation: CitationWithStatus): CitationWithStatus =>
      citation.key !== null && wanted.has(citation.key) ? { ...citation, readAt } : citation;
    this.reading.put({
      ...report,
      sections: report.sections.map((section) => ({ ...section, items: section.items.map(patch) })),
      flashes: report.flashes.map(patch),
    });
  }
}

function byLabel(lines: readonly ReportLine[]): Index {
  return new Map(lines.map((line) => [line.label, line]));
}
