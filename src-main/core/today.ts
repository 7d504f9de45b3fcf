import { newestPublished, nextPublication } from '../common/publication-timetable.ts';
import { readableReport, reportLength } from '../common/readable-report.ts';
import { cutText } from '../common/text.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { ReportKind, StoredReport } from '../contract/model/report.ts';
import {
  FRONT_LIMITS,
  type FrontModel,
  type FrontReport,
  type FrontStory,
  type Today,
} from '../contract/model/today.ts';
import type { Queries } from '../store/index.ts';

const DAY_MS = 24 * 3_600_000;
const NEW_FOR_MS = 7 * DAY_MS;
const MAX_CHANGES = 100;
const LAST_LABEL = '9999-99-99';

/** Bounded for any amount of saved data. `now` is ms since 1970, `owner` the gateway's name. */
export function readToday(queries: Queries, { now, owner }: { now: number; owner: string }): Today {
  return {
    daily: dailyOf(queries, now),
    alsoNew: (['weekly', 'monthly'] as const).flatMap((kind) => alsoNewOf(queries, kind, now)),
    topics: topicsOf(queries),
    stories: storiesOf(queries),
    models: modelsOf(queries, owner),
  };
}

function dailyOf({ reports }: Queries, now: number): Today['daily'] {
  // A later label is a mistake of the service, unless all of them are: then this clock is behind.
  const label = reports.newest('daily', nextPublication('daily', now).label) ?? reports.newest('daily', LAST_LABEL);
  const report = label === null ? null : orNull(() => reports.get('daily', label));
  return report && frontOf(report);
}

function frontOf(report: StoredReport): FrontReport {
  const { kind, label, generatedAt, goneAt, readAt } = report;
  const { headline, overview, sections } = readableReport(report);
  return {
    ...{ kind, label, generatedAt, goneAt, readAt },
    ...reportLength(report),
    headline: shorten(headline),
    overview: shorten(overview),
    firstStories: sections.flatMap(firstOf).slice(0, FRONT_LIMITS.sections),
  };
}

function firstOf({ label: section, items: [first] }: StoredReport['sections'][number]): FrontStory[] {
  if (!first) return [];
  const { title, source, key, readAt } = first;
  return [{ section, title: shorten(title) ?? '', source, key, readAt }];
}

function alsoNewOf({ reports }: Queries, kind: ReportKind, now: number): Today['alsoNew'] {
  const newest = newestPublished(kind, reports.index(kind), now);
  if (!newest?.stored || newest.goneAt !== null || newest.readAt !== null) return [];
  const { label, headline, generatedAt } = newest;
  const age = generatedAt === null ? NaN : now - Date.parse(generatedAt);
  return age < NEW_FOR_MS ? [{ kind, label, headline: shorten(headline) }] : [];
}

function topicsOf({ rankings }: Queries): Today['topics'] {
  const { topics, since } = rankings.front();
  return {
    top: topics
      .slice(0, FRONT_LIMITS.topics)
      .map(({ history: { points }, ...topic }) => ({ ...topic, history: { points } })),
    since,
    compared: topics.some(({ moved }) => moved !== null),
    unseen: topics.filter(({ readAt }) => readAt === null).length,
  };
}

function storiesOf({ stories }: Queries): Today['stories'] {
  const followed = stories.listFollowed();
  const withNews = followed.filter(({ freshReports }) => freshReports > 0);
  return { lines: withNews.slice(0, FRONT_LIMITS.stories), withNews: withNews.length, followed: followed.length };
}

function modelsOf({ visits, models }: Queries, owner: string): Today['models'] {
  const visit = visits.last();
  if (!visit) return null;
  const counts = models.changeCountsSince(owner, visit.at);
  if (counts.length === 0) return null;
  const changed = new Map<string, FrontModel>();
  for (const { modelList, model, name, field } of models.changedSince(owner, visit.at, MAX_CHANGES)) {
    const key = `${modelList} ${model}`;
    const fields = changed.get(key)?.fields ?? [];
    if (!fields.includes(field)) changed.set(key, { modelList, id: model, name, fields: [...fields, field] });
  }
  return {
    since: new Date(visit.at).toISOString(),
    counts,
    models: [...changed.values()].slice(0, FRONT_LIMITS.models),
  };
}

/** Null for what is not saved, or cannot be read. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') return null;
    throw error;
  }
}

function shorten(text: string | null): string | null {
  return text === null ? null : cutText(text, FRONT_LIMITS.characters);
}
