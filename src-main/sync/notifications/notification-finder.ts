import { latestPublication, nextPublication } from '../../common/publication-timetable.ts';
import { REPORT_KINDS, REPORT_RESOURCE, type ReportKind, isReportLabel } from '../../contract/model/report.ts';
import { MODEL_LISTS, type ModelListName, type ResourceName } from '../../contract/model/resource.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { Story } from '../../contract/model/story.ts';
import type { ServiceTime } from '../schedule/service-time.ts';
import {
  digestHash,
  freshIn,
  mergeNotified,
  readNotified,
  storyProgress,
  type FoundNotification,
  type ListedReport,
  type Queries,
  type Store,
  type StoryStatus,
  type NotifiedOfStory,
} from '../../store/index.ts';

export interface Finding {
  /** The last one becomes the newest in the history. */
  notifications: (FoundNotification & { late?: boolean; priceChanged?: boolean })[];
  /** Must be saved together with the notifications. */
  progress: { mirror: string; name: string; value: string }[];
}

export const NOTHING: Finding = { notifications: [], progress: [] };

export interface FinderPorts {
  store: Store;
  owner(): string | null;
  serviceTime: Pick<ServiceTime, 'now'>;
}

const STORIES = 'story';
const SEARCHES = 'saved';

/** Only records the state after the first sync of a resource: neither first downloads nor backfilled reports are news. */
export class NotificationFinder {
  readonly #ports: FinderPorts;
  readonly #stored: Queries['notifications'];
  readonly #mirror: string;

  constructor(ports: FinderPorts) {
    this.#ports = ports;
    const { notifications, mirror } = ports.store.queries;
    this.#stored = notifications;
    this.#mirror = mirror.get('source') ?? '';
  }

  find(results: SyncResult['resources']): Finding {
    const isSynced = (name: ResourceName): boolean =>
      results[name].status === 'ok' || results[name].status === 'notModified';
    const parts = [
      ...MODEL_LISTS.map((modelList) => this.#changesOf(modelList, isSynced(modelList))),
      this.#newInSearches(isSynced('items')),
      this.#growthOfStories(isSynced('stories')),
      ...REPORT_KINDS.toReversed().map((kind) => this.#reportsOf(kind, isSynced(REPORT_RESOURCE[kind]))),
    ];
    return {
      notifications: parts.flatMap(({ notifications }) => notifications),
      progress: parts.flatMap(({ progress }) => progress),
    };
  }

  #reportsOf(kind: ReportKind, isSynced: boolean): Finding {
    const mirror = this.#mirror;
    const until = nextPublication(kind, this.#ports.serviceTime.now).label;
    const progress = this.#stored.progress(mirror, kind);
    const newest = (): string => this.#ports.store.queries.reports.newestListed(kind, until) ?? '';
    if (progress === null) return this.#begin(isSynced, mirror, kind, newest);
    const after = isSynced ? this.#heal(kind, progress, until) : progress;
    const listed = this.#stored.reportsAfter(kind, after, until);
    const known = this.#stored.latestLabel(mirror, kind, until) ?? '';
    const notifications = listed
      .filter(({ stored }) => stored)
      .map(({ label }) => ({
        key: `${kind} ${mirror} ${label}`,
        mirror,
        kind,
        count: 1,
        target: { view: 'report', kind, label } as const,
        late: label < known,
      }));
    return { notifications, progress: [{ mirror, name: kind, value: endOfLook(listed, after) }] };
  }

  /** Moves progress back whose label can't have been published yet: it would hide all other reports. */
  #heal(kind: ReportKind, progress: string, until: string): string {
    if (progress === '' || (progress <= until && isReportLabel(kind, progress))) return progress;
    const notified = this.#stored.latestLabel(this.#mirror, kind, until);
    if (notified !== null) return notified;
    const current = latestPublication(kind, this.#ports.serviceTime.now).label;
    // Without a plausible report, this clock is wrong.
    return this.#stored.reportsAfter(kind, '', until).findLast(({ label }) => label < current)?.label ?? progress;
  }

  #changesOf(modelList: ModelListName, isSynced: boolean): Finding {
    const owner = this.#ports.owner();
    if (owner === null) return NOTHING;
    const progress = this.#stored.progress(owner, modelList);
    const newest = (): string => String(this.#stored.modelListAfter(owner, modelList, 0).refresh?.id ?? 0);
    if (progress === null) return this.#begin(isSynced, owner, modelList, newest);
    const { refresh, models, priceChanged } = this.#stored.modelListAfter(owner, modelList, Number(progress));
    // Log ids start over: this is a new file.
    if (!refresh) return { notifications: [], progress: [{ mirror: owner, name: modelList, value: newest() }] };
    const [only] = models;
    const single = models.length === 1 && only !== undefined && this.#stored.isModelListed(owner, modelList, only);
    const notification = {
      key: `models ${owner} ${modelList} ${String(refresh.id)} ${String(refresh.at)}`,
      mirror: owner,
      kind: 'models' as const,
      count: models.length,
      priceChanged,
      target: single ? ({ view: 'model', modelList, id: only } as const) : ({ view: 'modelChanges' } as const),
    };
    return {
      notifications: models.length === 0 ? [] : [notification],
      progress: [{ mirror: owner, name: modelList, value: String(refresh.id) }],
    };
  }

  /** Positions are those of one build of the mirror: another one begins without news, as a first download does. */
  #newInSearches(isSynced: boolean): Finding {
    const { mirror: properties, selectedSet } = this.#ports.store.queries;
    const mirror = this.#mirror;
    const here: SearchPosition = { build: properties.get('build') ?? '', sequence: properties.number('sequence') };
    const progress = [{ mirror, name: SEARCHES, value: JSON.stringify(here) }];
    const before = readPosition(this.#stored.progress(mirror, SEARCHES));
    // An older copy of the mirror may have been restored.
    if (before?.build !== here.build || before.sequence > here.sequence) {
      return isSynced && selectedSet.complete ? { notifications: [], progress } : NOTHING;
    }
    if (before.sequence === here.sequence) return NOTHING;
    const { now } = this.#ports.serviceTime;
    const notifications = this.#stored.newInSearches(mirror, before.sequence, now).map(({ search, items }) => ({
      key: `saved ${mirror} ${search} ${here.build} ${String(here.sequence)}`,
      mirror,
      kind: 'saved' as const,
      count: items.length,
      target: { view: 'saved', id: search } as const,
      items,
    }));
    return { notifications: notifications.reverse(), progress };
  }

  #growthOfStories(isSynced: boolean): Finding {
    const isFirst = this.#stored.progress(this.#mirror, STORIES) === null;
    if (isFirst && !isSynced) return NOTHING;
    const found: Finding = { notifications: [], progress: [{ mirror: this.#mirror, name: STORIES, value: '' }] };
    const { stories } = this.#ports.store.queries;
    for (const [id, status] of stories.statuses()) {
      const stored = status.followedAt === null ? null : stories.record(stories.resolve(id));
      if (!stored?.story || stored.goneAt !== null) continue;
      const growth = this.#growthOf(stored.story, status);
      if (!growth) continue;
      found.progress.push(growth.progress);
      if (!isFirst && !growth.isFirstSight) found.notifications.push(growth.notification);
    }
    return found;
  }

  #growthOf(story: Story, status: StoryStatus) {
    const { publicId } = story;
    const saved = this.#stored.progress(this.#mirror, storyProgress(publicId));
    const notified = readNotified(saved);
    const news = newsOf(story, status, notified);
    if (news.reports.length === 0 && news.digest === null) return null;
    const value = JSON.stringify(mergeNotified(notified, news));
    return {
      // Followed before it was fetched, so its first text is not news.
      isFirstSight: saved === null && status.seen.length === 0 && status.digestSeen === null,
      progress: { mirror: this.#mirror, name: storyProgress(publicId), value },
      notification: {
        key: `story ${this.#mirror} ${publicId} ${digestHash(value)}`,
        mirror: this.#mirror,
        kind: 'story' as const,
        count: news.reports.length,
        target: { view: 'story', publicId } as const,
      },
    };
  }

  #begin(isSynced: boolean, mirror: string, name: string, value: () => string): Finding {
    return isSynced ? { notifications: [], progress: [{ mirror, name, value: value() }] } : NOTHING;
  }
}

interface SearchPosition {
  build: string;
  sequence: number;
}

/** Null for an unreadable position: searches then begin without news. */
function readPosition(value: string | null): SearchPosition | null {
  if (value === null) return null;
  try {
    const { build, sequence } = JSON.parse(value) as Partial<SearchPosition>;
    return typeof build === 'string' && typeof sequence === 'number' ? { build, sequence } : null;
  } catch {
    return null;
  }
}

function newsOf(story: Story, status: StoryStatus, notified: NotifiedOfStory): NotifiedOfStory {
  const fresh = freshIn(story, status);
  const known = new Set(notified.reports);
  const digest = fresh.digest && story.digest !== null ? digestHash(story.digest) : null;
  return {
    reports: fresh.reportIds.filter((id) => !known.has(id)),
    digest: digest === notified.digest ? null : digest,
  };
}

/** The next search starts before a listed report that isn't fetched yet. */
function endOfLook(listed: readonly ListedReport[], after: string): string {
  const gap = listed.findIndex(({ missing }) => missing);
  return listed.slice(0, gap < 0 ? listed.length : gap).at(-1)?.label ?? after;
}
