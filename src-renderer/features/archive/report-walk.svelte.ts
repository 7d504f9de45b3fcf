import { createContext } from 'svelte';
import { newestPublished } from '../../../src-main/common/publication-timetable.ts';
import { isUnread, readableReport, reportLength, storiesOf } from '../../../src-main/common/readable-report.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import {
  REPORT_KINDS,
  type CitationWithStatus,
  type ReportKind,
  type ReportLine,
  type StoredReport,
} from '../../../src-main/contract/model/report.ts';
import type { ReportLength } from '../../../src-main/contract/model/today.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Changes, Live, LiveAnswers } from '../../api/live.ts';
import type { PageHistory } from '../../ui/page-context.ts';
import { CitationWalk } from './citation-walk.ts';

const MAX_MARKED = 500;
/** In ms. Whoever was faster only looked through the stories; whoever took longer did something else meanwhile. */
const LEAST_PER_STORY = 3_000;
const MOST_TO_READ = 3_600_000;

export interface ReportName {
  readonly kind: ReportKind;
  /** A label of the calendar in Asia/Shanghai. */
  readonly label: string;
}

/** The reader's position in a report: the index of a story in reading order, or its end. */
export type ReportPlace = number | 'end' | null;

type ReportRef = Extract<Ref, { view: 'report' }>;

/** One opening of a report, until another one is opened or the same one again. */
class Visit {
  readonly open: ReportName;
  isFetching = $state(true);
  fetchFailure = $state.raw<Failure | null>(null);
  /** A story keeps its key when a correction moves it. The index is null until the story of the key is found. */
  place = $state.raw<'end' | { index: number | null; key: string | null } | null>(null);
  /** In ms since 1970. */
  readonly began = Date.now();
  /** True if no story was read before. */
  isFirst = false;
  /** In ms, from its opening until its last story was read; null until then, or if nobody reads like that. */
  took = $state<number | null>(null);

  constructor(open: ReportName, story: string | null) {
    this.open = open;
    if (story !== null) this.place = { index: null, key: story };
  }
}

/** The report that is open, and where the reader is in it. */
export class ReportWalk {
  readonly #wire: Pick<Wire, 'call'>;
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  /** Moves the focus through its stories. */
  readonly stops = new CitationWalk();
  #latest = $state.raw<Visit | null>(null);
  #outline: ReportOutline | null = null;

  constructor(wire: Pick<Wire, 'call'>, live: LiveAnswers, history: PageHistory) {
    this.#wire = wire;
    this.#live = live;
    this.#history = history;
  }

  get kind(): ReportKind {
    return this.#history.in('archive').list;
  }
  /** Another kind is shown with nothing open. */
  set kind(list: ReportKind) {
    if (list !== this.kind) this.#history.go({ view: 'archive', list, open: [] });
  }
  /** True while the open report has the width of both panes. */
  get alone(): boolean {
    return this.#history.in('archive').alone === true && this.open !== null;
  }
  get open(): ReportName | null {
    return this.#history.in('archive').open.find((ref): ref is ReportRef => ref.view === 'report') ?? null;
  }
  get report(): StoredReport | null {
    return this.#saved?.value ?? null;
  }
  /** True while the saved report is compared with the service. */
  get refreshing(): boolean {
    return this.#visit?.isFetching === true;
  }
  /** Why the report couldn't be fetched. The saved one, if there is one, is shown all the same. */
  get failure(): Failure | null {
    if (!this.#visit || this.#visit.isFetching) return null;
    return this.#visit.fetchFailure ?? (this.report ? null : (this.#saved?.failure ?? null));
  }
  /** The report for a component that shows answers. It is on its way while it is fetched, if none is saved. */
  get answer() {
    const { report: value, failure } = this;
    const saved = this.#saved;
    const slow = saved !== null && (saved.slow || (saved.failure !== null && this.refreshing));
    return { value, failure, slow, read: () => this.#read(null) };
  }

  /** In reading order. */
  get stories(): readonly CitationWithStatus[] {
    return this.#outlined?.stories ?? [];
  }
  /** Length of the open report, and how much of it is read by now. */
  get length(): ReportLength | null {
    return this.#outlined?.length ?? null;
  }
  get unreadKeys(): string[] {
    return [...new Set(this.stories.flatMap((story) => (isUnread(story) && story.key !== null ? [story.key] : [])))];
  }
  /** In ms, from its opening until its last story was read; null unless all of it was read now, at a reader's speed. */
  get took(): number | null {
    return this.#visit?.took ?? null;
  }
  get place(): ReportPlace {
    const place = this.#visit?.place ?? null;
    if (place === null || place === 'end') return place;
    const { stories } = this;
    if (place.key === null || (place.index !== null && stories[place.index]?.key === place.key)) return place.index;
    const at = stories.findIndex(({ key }) => key === place.key);
    return at < 0 ? place.index : at;
  }

  /** The reports of a kind, newest first. Empty until they are read. */
  lines(kind: ReportKind): readonly ReportLine[] {
    return this.#live.get('reports.index', { kind }).value?.lines ?? [];
  }

  /** Resolves when the index of each kind is up to date. */
  async load(): Promise<void> {
    await Promise.all(REPORT_KINDS.map((kind) => this.#live.get('reports.index', { kind }).ready()));
  }

  /**
   * Opens a report, at the story with the key `story` if it has it.
   *
   * @param list the kind of the reports in the list; default: as it is
   * @param alone without the list; default: as it is
   */
  async show(
    kind: ReportKind,
    label: string,
    story: string | null = null,
    { list = this.kind, alone = this.alone }: { list?: ReportKind; alone?: boolean } = {},
  ): Promise<void> {
    const open = [{ view: 'report' as const, kind, label }];
    this.#history.go({ view: 'archive', list, ...(alone && { alone }), open });
    await this.#read(story);
  }

  /** Reads the report that a location led to, if `show` hasn't. */
  arrive(): void {
    if (this.open && !this.#visit) void this.#read(null);
  }

  /** Shows the saved report at once, then fetches it. */
  async #read(story: string | null): Promise<void> {
    const { open } = this;
    if (!open) return;
    const visit = new Visit(open, story);
    this.#latest = visit;
    await this.#saved?.ready();
    visit.isFirst = (this.length?.read ?? 0) === 0;
    if (this.#visit === visit) await this.#fetch(visit);
    if (this.#visit === visit) this.#finish();
  }

  /** Marks the open report as read if nothing in it is unread. */
  #finish(): void {
    const { open, report, length } = this;
    if (this.#history.isPreview('archive')) return;
    if (open && length?.unread === 0 && report?.readAt === null) void this.mark(open, true);
  }

  /** Opens the newest report of a kind. Returns false if there is none. */
  latest(kind: ReportKind): boolean {
    const line = newestPublished(kind, this.lines(kind), Date.now());
    if (line) void this.show(kind, line.label, null, { list: kind });
    return line !== undefined;
  }

  /** Opens the report after (1) or before (-1) the open one, or the newest one. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const label = by === 1 ? this.report?.next : this.report?.previous;
    if (!this.open) return this.latest(this.kind);
    if (label) void this.show(this.open.kind, label);
    return label !== null && label !== undefined;
  }

  /**
   * Goes to the next unread story of the open report, and after the last one to its end. With `reads`, the story that
   * is left counts as read; the caller marks it if it is returned. Null at the end, and without a report.
   */
  nextUnread({ reads }: { reads: boolean }): { left: CitationWithStatus | null } | null {
    const { stories, place } = this;
    if (stories.length === 0 || place === 'end') return null;
    const from = place ?? -1;
    const current = stories[from];
    const isNext = ({ key, readAt }: CitationWithStatus): boolean =>
      readAt === null && !(reads && key !== null && key === current?.key);
    const next = stories.findIndex((story, index) => index > from && isNext(story));
    this.reach(next < 0 ? 'end' : next);
    return { left: reads && current !== undefined && isUnread(current) ? current : null };
  }

  reach(place: ReportPlace): void {
    if (!this.#visit) return;
    this.#visit.place = typeof place === 'number' ? { index: place, key: this.stories[place]?.key ?? null } : place;
  }

  mark({ kind, label }: ReportName, read: boolean): Promise<Reply<unknown>> {
    const readAt = read ? new Date().toISOString() : null;
    const changes: Changes = {
      'reports.get': (report, args) => (args.kind === kind && args.label === label ? { ...report, readAt } : report),
      'reports.index': ({ lines }, args) => ({
        lines: args.kind === kind ? lines.map((line) => (line.label === label ? { ...line, readAt } : line)) : lines,
      }),
    };
    return this.#live.change(changes, 'reports.mark', { kind, label, read });
  }

  /** Marks stories as read, or as unread, in every report that has them. */
  async markStories(keys: readonly string[], read: boolean): Promise<Reply<unknown>> {
    const readAt = read ? new Date().toISOString() : null;
    for (let from = 0; from < keys.length; from += MAX_MARKED) {
      const some = new Set(keys.slice(from, from + MAX_MARKED));
      const changes: Changes = {
        'reports.get': (report) => withReadAt(report, some, readAt),
        ...this.#countOnToday(some, read),
      };
      const reply = await this.#live.change(changes, 'reports.markCitations', { keys: [...some], read });
      if (!reply.ok) return reply;
    }
    const visit = this.#visit;
    const { length } = this;
    if (read && visit && length?.unread === 0) {
      const took = Date.now() - visit.began;
      const isReading = took >= length.stories * LEAST_PER_STORY && took <= MOST_TO_READ;
      if (visit.isFirst && isReading) visit.took ??= took;
      this.#finish();
    }
    return { ok: true, value: null };
  }

  /** Today has the number of the daily that is open. */
  #countOnToday(keys: ReadonlySet<string>, read: boolean): Changes {
    const { open, length } = this;
    if (open?.kind !== 'daily' || !length) return {};
    const changed = this.stories.filter(
      ({ key, readAt }) => key !== null && keys.has(key) && (readAt !== null) !== read,
    );
    const by = read ? changed.length : -changed.length;
    const counts = { read: length.read + by, unread: length.unread - by };
    return {
      'today.get': (today) =>
        today.daily?.label === open.label ? { ...today, daily: { ...today.daily, ...counts } } : today,
    };
  }

  /** Null until the open report is read. */
  get #visit(): Visit | null {
    return this.#latest?.open === this.open ? this.#latest : null;
  }

  get #saved(): Live<'reports.get'> | null {
    const { open } = this;
    return open && this.#live.get('reports.get', { kind: open.kind, label: open.label });
  }

  get #outlined(): ReportOutline | null {
    const { report } = this;
    if (report && this.#outline?.report !== report) this.#outline = outlineOf(report);
    return report && this.#outline;
  }

  async #fetch(visit: Visit): Promise<void> {
    const { kind, label } = visit.open;
    const reply = await this.#wire.call('reports.open', { kind, label });
    if (this.#visit !== visit) return;
    // A report that was only compared with the service has another time of that, but is no change.
    if (reply.ok) await this.#saved?.read();
    if (this.#visit !== visit) return;
    visit.fetchFailure = reply.ok ? null : reply.error;
    visit.isFetching = false;
  }
}

interface ReportOutline {
  readonly report: StoredReport;
  readonly stories: readonly CitationWithStatus[];
  readonly length: ReportLength;
}

function outlineOf(report: StoredReport): ReportOutline {
  const stories = storiesOf({ ...readableReport(report), flashes: report.flashes });
  return { report, stories, length: reportLength(report) };
}

function withReadAt(report: StoredReport, keys: ReadonlySet<string>, readAt: string | null): StoredReport {
  const mark = (citation: CitationWithStatus): CitationWithStatus =>
    citation.key !== null && keys.has(citation.key) ? { ...citation, readAt } : citation;
  return {
    ...report,
    sections: report.sections.map((section) => ({ ...section, items: section.items.map(mark) })),
    flashes: report.flashes.map(mark),
  };
}

export interface ArchiveContext {
  readonly walk: ReportWalk;
  /** Status changes by the reader. Each of them can be undone. */
  readonly marks: {
    readonly report: (report: StoredReport) => void;
    readonly story: (story: CitationWithStatus) => void;
    readonly rest: () => void;
    /** Marks stories as read that the reader has left behind, without a message. What began later is undone first. */
    readonly passed: (keys: readonly string[], began?: number) => void;
    /** Marks stories as read that were read aloud, whichever report is open by then. */
    readonly heard: (keys: readonly string[]) => void;
  };
  readonly next: () => void;
  readonly startExport: () => void;
}

export const [archiveContext, setArchiveContext] = createContext<ArchiveContext>();
