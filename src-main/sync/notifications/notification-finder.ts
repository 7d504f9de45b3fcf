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
  /** In ascending order of importance, oldest first within a kind: the last one becomes the newest in the history. */
  notifications: (FoundNotification & { late: boolean })[];
  /** Must be saved together with the notifications. */
  progress: { mirror: string; name: string; value: string }[];
}

interface FinderPorts {
  store: Store;
  owner(): string | null;
  serviceTime: Pick<ServiceTime, 'now'>;
}

const STORIES = 'story';
const SEARCHES = 'saved';

/**
 * After the first sync of a resource only the current state is recorded: neither first downloads nor backfilled reports
 * are news.
 */
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

  find(report: SyncResult['resources']): Finding {
    const isThrough = (name: ResourceName): boolean =>
      report[name].status === 'ok' || report[name].status === 'notModified';
    const parts = [
      ...MODEL_LISTS.map((modelList) => this.#changesOf(modelList, isThrough(modelList))),
      this.#newInSearches(isThrough('items')),
      this.#growthOfStories(isThrough('stories')),
      ...REPORT_KINDS.toReversed().map((kind) => this.#reportsOf(kind, isThrough(REPORT_RESOURCE[kind]))),
    ];
    return {
      notifications: parts.flatMap(({ notifications }) => notifications),
      progress: parts.flatMap(({ progress: progress }) => progress),
    };
  }

  #reportsOf(kind: ReportKind, isThrough: boolean): Finding {
    const mirror = this.#mirror;
    const until = nextPublication(kind, this.#ports.serviceTime.now).label;
    const mark = this.#stored.progress(mirror, kind);
    const newest = (): string => this.#ports.store.queries.reports.newestListed(kind, until) ?? '';
    if (mark === null) return this.#begin(isThrough, mirror, kind, newest);
    const after = isThrough ? this.#healed(kind, mark, until) : mark;
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

  /** Moves a mark back whose label can't have been published yet: it would hold back all other reports. */
  #healed(kind: ReportKind, mark: string, until: string): string {
    if (mark === '' || (mark <= until && isReportLabel(kind, mark))) return mark;
    const notified = this.#stored.latestLabel(this.#mirror, kind, until);
    if (notified !== null) return notified;
    const current = latestPublication(kind, this.#ports.serviceTime.now).label;
    // Without any plausible report it is this clock that is wrong.
    return this.#stored.reportsAfter(kind, '', until).findLast(({ label }) => label < current)?.label ?? mark;
  }

  #changesOf(modelList: ModelListName, isThrough: boolean): Finding {
    const owner = this.#ports.owner();
    if (owner === null) return NOTHING;
    const mark = this.#stored.progress(owner, modelList);
    const newest = (): string => String(this.#stored.newestRefresh(owner, modelList));
    if (mark === null) return this.#begin(isThrough, owner, modelList, newest);
    const { refresh, models } = this.#stored.modelListAfter(owner, modelList, Number(mark));
    // Log ids start over: this is a new file.
    if (!refresh) return { notifications: [], progress: [{ mirror: owner, name: modelList, value: newest() }] };
    const [only] = models;
    const single = models.length === 1 && only !== undefined && this.#stored.isModelListed(owner, modelList, only);
    const notification = {
      key: `models ${owner} ${modelList} ${String(refresh.id)} ${String(refresh.at)}`,
      mirror: owner,
      kind: 'models' as const,
      count: models.length,
      target: single ? ({ view: 'model', modelList, id: only } as const) : ({ view: 'modelChanges' } as const),
      late: false,
    };
    const progress = [{ mirror: owner, name: modelList, value: String(refresh.id) }];
    return { notifications: models.length === 0 ? [] : [notification], progress: progress };
  }

  /** Positions are writes of one build of the mirror: another build begins without news, as a first download does. */
  #newInSearches(isThrough: boolean): Finding {
    const { mirror: properties, selectedSet } = this.#ports.store.queries;
    const mirror = this.#mirror;
    const here: SearchPosition = { build: properties.get('build') ?? '', sequence: properties.number('sequence') };
    const progress = [{ mirror, name: SEARCHES, value: JSON.stringify(here) }];
    const before = readPosition(this.#stored.progress(mirror, SEARCHES));
    // An older copy of the mirror may have been restored.
    if (before?.build !== here.build || before.sequence > here.sequence) {
      return isThrough && selectedSet.complete ? { notifications: [], progress: progress } : NOTHING;
    }
    if (before.sequence === here.sequence) return NOTHING;
    const notifications = this.#stored.newInSearches(mirror, before.sequence).map(({ search, items }) => ({
      key: `saved ${mirror} ${search} ${here.build} ${String(here.sequence)}`,
      mirror,
      kind: 'saved' as const,
      count: items.length,
      target: { view: 'saved', id: search } as const,
      items,
      late: false,
    }));
    return { notifications: notifications.reverse(), progress: progress };
  }

  #growthOfStories(isThrough: boolean): Finding {
    const isFirst = this.#stored.progress(this.#mirror, STORIES) === null;
    if (isFirst && !isThrough) return NOTHING;
    const found: Finding = { notifications: [], progress: [{ mirror: this.#mirror, name: STORIES, value: '' }] };
    const { stories } = this.#ports.store.queries;
    for (const [id, mark] of stories.statuses()) {
      const stored = mark.followedAt === null ? null : stories.record(stories.resolve(id));
      if (!stored?.story || stored.goneAt !== null) continue;
      const growth = this.#growthOf(stored.story, mark);
      if (!growth) continue;
      found.progress.push(growth.mark);
      if (!isFirst && !growth.isFirstSight) found.notifications.push(growth.notification);
    }
    return found;
  }

  /** Null if everything was seen or notified about. */
  #growthOf(story: Story, mark: StoryStatus) {
    const { publicId } = story;
    const saved = this.#stored.progress(this.#mirror, storyProgress(publicId));
    const notified = readNotified(saved);
    const news = newsOf(story, mark, notified);
    if (news.reports.length === 0 && news.digest === null) return null;
    const value = JSON.stringify(mergeNotified(notified, news));
    return {
      // It was followed before it was ever fetched, so its first text is not news.
      isFirstSight: saved === null && mark.seen.length === 0 && mark.digestSeen === null,
      mark: { mirror: this.#mirror, name: storyProgress(publicId), value },
      notification: {
        key: `story ${this.#mirror} ${publicId} ${digestHash(value)}`,
        mirror: this.#mirror,
        kind: 'story' as const,
        count: news.reports.length,
        target: { view: 'story', publicId } as const,
        late: false,
      },
    };
  }

  #begin(isThrough: boolean, mirror: string, name: string, value: () => string): Finding {
    return isThrough ? { notifications: [], progress: [{ mirror, name, value: value() }] } : NOTHING;
  }
}

const NOTHING: Finding = { notifications: [], progress: [] };

interface SearchPosition {
  build: string;
  sequence: number;
}

/** Null for an unreadable position: searches then begin without news, and other notifications continue. */
function readPosition(value: string | null): SearchPosition | null {
  if (value === null) return null;
  try {
    const { build, sequence } = JSON.parse(value) as Partial<SearchPosition>;
    return typeof build === 'string' && typeof sequence === 'number' ? { build, sequence } : null;
  } catch {
    return null;
  }
}

function newsOf(story: Story, mark: StoryStatus, notified: NotifiedOfStory): NotifiedOfStory {
  const fresh = freshIn(story, mark);
  const known = new Set(notified.reports);
  const digest = fresh.digest && story.digest !== null ? digestHash(story.digest) : null;
  return {
    reports: fresh.reportIds.filter((id) => !known.has(id)),
    digest: digest === notified.digest ? null : digest,
  };
}

/** A listed report that isn't fetched yet comes with a later sync, so the next search starts before it. */
function endOfLook(listed: readonly ListedReport[], after: string): string {
  const gap = listed.findIndex(({ missing }) => missing);
  return listed.slice(0, gap < 0 ? listed.length : gap).at(-1)?.label ?? after;
}
