import { newestPublished, nextPublication } from '../common/publication-timetable.ts';
import { isUnread, readableReport } from '../common/readable-report.ts';
import type { CitationWithStatus, ReportKind, StoredReport } from '../contract/model/report.ts';
import type { StoryLine } from '../contract/model/story.ts';
import {
  FRONT_LIMITS,
  type FrontDaily,
  type FrontReport,
  type FrontStory,
  type Today,
} from '../contract/model/today.ts';
import type { Queries } from '../store/index.ts';
import { readAway } from './away.ts';
import { frontOf, orNull, shorten } from './front-report.ts';

const NEW_FOR_MS = 7 * 24 * 3_600_000;
const LAST_LABEL = '9999-99-99';

/** Bounded for any amount of saved data. `now` is ms since 1970. */
export function readToday(queries: Queries, now: number): Today {
  const daily = latestDaily(queries, now);
  const followed = Object.groupBy(queries.stories.listFollowed(), ({ freshReports }) =>
    freshReports > 0 ? 'withNews' : 'quiet',
  );
  return {
    daily: daily && dailyOf(daily),
    alsoNew: (['weekly', 'monthly'] as const).flatMap((kind) => alsoNewOf(queries, kind, now)),
    topics: queries.rankings
      .current()
      .slice(0, FRONT_LIMITS.topics)
      .map(({ topic: { id, rank, title, sourceCount }, storyId }) => ({ id, storyId, rank, title, sourceCount })),
    stories: (followed.withNews ?? []).slice(0, FRONT_LIMITS.stories),
    quiet: quietOf(followed.quiet ?? []),
    picks: picksOf(queries),
    away: readAway(queries, daily, now),
  };
}

function latestDaily({ reports }: Queries, now: number): StoredReport | null {
  // A later label is a mistake of the service, unless all of them are: then this clock is behind.
  const label = reports.newest('daily', nextPublication('daily', now).label) ?? reports.newest('daily', LAST_LABEL);
  return label === null ? null : orNull(() => reports.get('daily', label));
}

function dailyOf(report: StoredReport): FrontDaily {
  const front = frontOf(report);
  const { lead } = readableReport(report);
  const [first, ...others] = unreadOf(report);
  const isNext = front.read > 0 || front.headline === null;
  const isLead = first !== undefined && (isNext || first.story === lead);
  const toGo = first === undefined || isLead ? others : [first, ...others];
  const some = someOf(toGo);
  return {
    ...front,
    next: isNext && first ? toStory(first) : null,
    toGo: some.map(toStory),
    more: toGo.length - some.length,
  };
}

interface Unread {
  story: CitationWithStatus;
  section: string | null;
  /** Index among the unread stories of its section. */
  turn: number;
}

function unreadOf(report: StoredReport): Unread[] {
  const { lead, sections } = readableReport(report);
  const parts = [
    { section: null, items: lead ? [lead] : [] },
    ...sections.map(({ label, items }) => ({ section: label, items })),
    { section: null, items: report.flashes },
  ];
  return parts.flatMap(({ section, items }) => items.filter(isUnread).map((story, turn) => ({ story, section, turn })));
}

/** Takes the first of each section before the second of any, in reading order. */
function someOf(unread: readonly Unread[]): Unread[] {
  const chosen = new Set(unread.toSorted((a, b) => a.turn - b.turn).slice(0, FRONT_LIMITS.toGo));
  return unread.filter((one) => chosen.has(one));
}

function toStory({ story: { title, summary, key }, section }: Unread): FrontStory {
  return { section, title: shorten(title), summary: shorten(summary), key };
}

function quietOf(stories: readonly StoryLine[]): Today['quiet'] {
  const named = stories.slice(0, FRONT_LIMITS.stories);
  return {
    count: stories.length,
    stories: named.map(({ publicId, title }) => ({ publicId, title: shorten(title) })),
  };
}

function alsoNewOf({ reports }: Queries, kind: ReportKind, now: number): FrontReport[] {
  const newest = newestPublished(kind, reports.index(kind), now);
  if (!newest?.stored || newest.goneAt !== null || newest.readAt !== null) return [];
  const { label, generatedAt } = newest;
  const age = generatedAt === null ? NaN : now - Date.parse(generatedAt);
  const report = age < NEW_FOR_MS ? orNull(() => reports.get(kind, label)) : null;
  return report ? [frontOf(report)] : [];
}

function picksOf({ visits }: Queries): Today['picks'] {
  const { since, selected } = visits.sinceLast();
  const { rows } = visits.list('added', 'selected', FRONT_LIMITS.picks);
  return {
    since,
    added: selected.added,
    rows: rows.map(({ id, title, source }) => ({ id, title: shorten(title), source })),
  };
}
