import { REPORT_KINDS, REPORT_RESOURCE, type ReportKind } from '../../contract/model/report.ts';
import { MODEL_LISTS, type ModelListName, type ResourceName } from '../../contract/model/resource.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { Story } from '../../contract/model/story.ts';
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

/** What a round brought that is worth telling. */
export interface Finding {
  /** The least important first, and of one kind the oldest: the last one is the newest of the history. */
  notifications: (FoundNotification & { late: boolean })[];
  /** Up to where each service has been looked through by it. Kept with the notifications, all or nothing. */
  marks: { mirror: string; name: string; value: string }[];
}

interface FinderPorts {
  store: Store;
  /** The name of the configured gateway in the models; null without one. */
  owner(): string | null;
}

const STORIES = 'story';

/**
 * Finds what is new since the last look. Where a service has no mark yet, it gets one, without a word, at what is stored when
 * the first run of the resource is through: a first copy is no news, nor is the archive that fills itself backwards.
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
      this.#growthOfStories(isThrough('stories')),
      ...REPORT_KINDS.toReversed().map((kind) => this.#reportsOf(kind, isThrough(REPORT_RESOURCE[kind]))),
    ];
    return {
      notifications: parts.flatMap(({ notifications }) => notifications),
      marks: parts.flatMap(({ marks }) => marks),
    };
  }

  #reportsOf(kind: ReportKind, isThrough: boolean): Finding {
    const mirror = this.#mirror;
    const after = this.#stored.progress(mirror, kind);
    if (after === null) return this.#begin(isThrough, mirror, kind, () => this.#stored.newestLabel(kind));
    const listed = this.#stored.reportsAfter(kind, after);
    const known = this.#stored.latestLabel(mirror, kind) ?? '';
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
    return { notifications, marks: [{ mirror, name: kind, value: endOfLook(listed, after) }] };
  }

  #changesOf(modelList: ModelListName, isThrough: boolean): Finding {
    const owner = this.#ports.owner();
    if (owner === null) return NOTHING;
    const mark = this.#stored.progress(owner, modelList);
    const newest = (): string => String(this.#stored.newestRefresh(owner, modelList));
    if (mark === null) return this.#begin(isThrough, owner, modelList, newest);
    const { refresh, models } = this.#stored.modelListAfter(owner, modelList, Number(mark));
    // The log counts from the start again: it is another file than the one that was looked through.
    if (!refresh) return { notifications: [], marks: [{ mirror: owner, name: modelList, value: newest() }] };
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
    const marks = [{ mirror: owner, name: modelList, value: String(refresh.id) }];
    return { notifications: models.length === 0 ? [] : [notification], marks };
  }

  #growthOfStories(isThrough: boolean): Finding {
    const isFirst = this.#stored.progress(this.#mirror, STORIES) === null;
    if (isFirst && !isThrough) return NOTHING;
    const found: Finding = { notifications: [], marks: [{ mirror: this.#mirror, name: STORIES, value: '' }] };
    const { stories } = this.#ports.store.queries;
    for (const [id, mark] of stories.statuses()) {
      const stored = mark.followedAt === null ? null : stories.record(stories.resolve(id));
      if (!stored?.story || stored.goneAt !== null) continue;
      const growth = this.#growthOf(stored.story, mark);
      if (!growth) continue;
      found.marks.push(growth.mark);
      if (!isFirst && !growth.isFirstSight) found.notifications.push(growth.notification);
    }
    return found;
  }

  /** What came to a followed story that was neither seen nor told; null where nothing did. */
  #growthOf(story: Story, mark: StoryStatus) {
    const { publicId } = story;
    const kept = this.#stored.progress(this.#mirror, storyProgress(publicId));
    const told = readNotified(kept);
    const news = newsOf(story, mark, told);
    if (news.reports.length === 0 && news.digest === null) return null;
    const value = JSON.stringify(mergeNotified(told, news));
    return {
      // It was followed before its text was ever here: what comes first is not what came to it.
      isFirstSight: kept === null && mark.seen.length === 0 && mark.digestSeen === null,
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
    return isThrough ? { notifications: [], marks: [{ mirror, name, value: value() }] } : NOTHING;
  }
}

const NOTHING: Finding = { notifications: [], marks: [] };

function newsOf(story: Story, mark: StoryStatus, told: NotifiedOfStory): NotifiedOfStory {
  const fresh = freshIn(story, mark);
  const known = new Set(told.reports);
  const digest = fresh.digest && story.digest !== null ? digestHash(story.digest) : null;
  return {
    reports: fresh.reportIds.filter((id) => !known.has(id)),
    digest: digest === told.digest ? null : digest,
  };
}

/** A report that is listed and was not asked for yet comes with a later round: the next look begins before it. */
function endOfLook(listed: readonly ListedReport[], after: string): string {
  const gap = listed.findIndex(({ missing }) => missing);
  return listed.slice(0, gap < 0 ? listed.length : gap).at(-1)?.label ?? after;
}
