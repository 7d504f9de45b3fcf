import { asTime, instant } from '../common/time.ts';
import type { ReportKind, StoredReport } from '../contract/model/report.ts';
import { FRONT_LIMITS, type Away, type AwayHit, type FrontReport } from '../contract/model/today.ts';
import type { Queries } from '../store/index.ts';
import { frontOf, orNull } from './front-report.ts';

/** More would be no selection; rankings are kept as long. */
const MAX_SPAN_MS = 30 * 24 * 3_600_000;
/** One story is often told by several items. */
const CANDIDATES = 4 * FRONT_LIMITS.top;

/** Returns what a reader missed who was away for some days; null for one who was not. `now` is ms since 1970. */
export function readAway(queries: Queries, daily: StoredReport | null, now: number): Away | null {
  const since = queries.presence.awaySince(now);
  if (since === null) return null;
  const weeklies = reportsSince(queries, 'weekly', since, now);
  const dailies = (): FrontReport[] =>
    reportsSince(queries, 'daily', since, now).filter(({ label }) => label !== daily?.label);
  return {
    since: asTime(since) ?? '',
    reports: weeklies.length > 0 ? weeklies : dailies(),
    top: hitsIn(queries, Math.max(since, now - MAX_SPAN_MS), startOfDay(now)),
    // Today's daily tells of yesterday: its items are not old.
    older: queries.items.unreadBefore(Math.min(startOfDay(now), instant(daily?.windowStart) ?? now)),
  };
}

/** In the app's zone. */
function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

function reportsSince({ reports }: Queries, kind: ReportKind, since: number, now: number): FrontReport[] {
  return reports
    .index(kind)
    .filter(({ stored, goneAt, generatedAt }) => {
      const at = instant(generatedAt);
      return stored && goneAt === null && at !== null && at > since && at <= now;
    })
    .slice(0, FRONT_LIMITS.reports)
    .flatMap(({ label }) => orNull(() => frontOf(reports.get(kind, label))) ?? []);
}

/** The hottest topics of that time, and selected items with the best scores if the ranking was not followed meanwhile. */
function hitsIn(queries: Queries, from: number, to: number): AwayHit[] {
  const hits = new Map<string, AwayHit>();
  const add = (hit: AwayHit | null): void => {
    if (hit && !hits.has(keyOf(hit)) && hits.size < FRONT_LIMITS.top) hits.set(keyOf(hit), hit);
  };
  for (const { storyId, itemId, days, lastAt } of queries.rankings.leaders(from, to, CANDIDATES)) {
    const first = { days, lastAt: asTime(lastAt) ?? '' };
    add(storyId === null ? itemHit(queries, itemId, first) : storyHit(queries, storyId, first));
  }
  if (hits.size < FRONT_LIMITS.top) {
    for (const { id } of queries.items.listBest(from, to, CANDIDATES)) add(itemHit(queries, id, null));
  }
  return [...hits.values()];
}

function keyOf({ ref }: AwayHit): string {
  return ref.view === 'story' ? ref.publicId : ref.id;
}

function storyHit({ stories }: Queries, storyId: string, first: AwayHit['first']): AwayHit | null {
  const story = stories.find(storyId);
  if (!story || story.goneAt !== null) return null;
  const { publicId, title, sourceCount } = story;
  return { ref: { view: 'story', publicId }, title, sourceCount, source: null, first };
}

/** Leads to its story if that is saved. */
function itemHit(queries: Queries, id: string, first: AwayHit['first']): AwayHit | null {
  const item = orNull(() => queries.items.get(id));
  if (!item) return null;
  const saved = queries.items.context(id).stories.find(({ reportCount }) => reportCount !== null);
  const story = saved && storyHit(queries, saved.publicId, first);
  return story ?? { ref: { view: 'item', id }, title: item.title, sourceCount: null, source: item.source.name, first };
}
