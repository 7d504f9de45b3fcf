import { EDITION_KINDS, EDITION_RESOURCE, type EditionKind } from '../../contract/model/report.ts';
import { LISTINGS, type Listing, type ResourceName, type SyncReport } from '../../contract/model/item.ts';
import type { Story } from '../../contract/model/story.ts';
import {
  mergeTold,
  NoticeBook,
  readTold,
  storyMark,
  type FoundNotice,
  type ToldOfStory,
} from '../../store/notifications/notifications-table.ts';
import { NoticeSources, type ListedEdition } from '../../store/notifications/notification-sources.ts';
import { digestHash, freshIn, type StoryMark } from '../../store/stories/story-statuses-table.ts';
import type { StoreWriter } from '../../store/writer.ts';

/** What a round brought that is worth telling. */
export interface Finding {
  /** The least important first, and of one kind the oldest: the last one is the newest of the history. */
  notices: (FoundNotice & { late: boolean })[];
  /** Up to where each service has been looked through by it. Kept with the notices, all or nothing. */
  marks: { mirror: string; name: string; value: string }[];
}

interface FinderPorts {
  store: StoreWriter;
  /** The name of the configured gateway in the catalogue; null without one. */
  owner(): string | null;
}

const STORIES = 'story';

/**
 * Finds what is new since the last look. Where a service has no mark yet, it gets one, without a word, at what is stored when
 * the first run of the resource is through: a first copy is no news, nor is the archive that fills itself backwards.
 */
export class NoticeFinder {
  readonly #ports: FinderPorts;
  readonly #book: NoticeBook;
  readonly #sources: NoticeSources;
  readonly #mirror: string;

  constructor(ports: FinderPorts) {
    this.#ports = ports;
    this.#book = new NoticeBook(ports.store.database);
    this.#sources = new NoticeSources(ports.store.database);
    this.#mirror = ports.store.property('source') ?? '';
  }

  find(report: SyncReport['resources']): Finding {
    const isThrough = (name: ResourceName): boolean =>
      report[name].status === 'ok' || report[name].status === 'notModified';
    const parts = [
      ...LISTINGS.map((listing) => this.#changesOf(listing, isThrough(listing))),
      this.#growthOfStories(isThrough('stories')),
      ...EDITION_KINDS.toReversed().map((kind) => this.#editionsOf(kind, isThrough(EDITION_RESOURCE[kind]))),
    ];
    return { notices: parts.flatMap(({ notices }) => notices), marks: parts.flatMap(({ marks }) => marks) };
  }

  #editionsOf(kind: EditionKind, isThrough: boolean): Finding {
    const mirror = this.#mirror;
    const after = this.#book.mark(mirror, kind);
    if (after === null) return this.#begin(isThrough, mirror, kind, () => this.#sources.newestLabel(kind));
    const listed = this.#sources.editionsAfter(kind, after);
    const known = this.#book.latestLabel(mirror, kind) ?? '';
    const notices = listed
      .filter(({ stored }) => stored)
      .map(({ label }) => ({
        key: `${kind} ${mirror} ${label}`,
        mirror,
        kind,
        count: 1,
        target: { view: 'edition', kind, label } as const,
        late: label < known,
      }));
    return { notices, marks: [{ mirror, name: kind, value: endOfLook(listed, after) }] };
  }

  #changesOf(listing: Listing, isThrough: boolean): Finding {
    const owner = this.#ports.owner();
    if (owner === null) return NOTHING;
    const mark = this.#book.mark(owner, listing);
    const newest = (): string => String(this.#sources.newestRefresh(owner, listing));
    if (mark === null) return this.#begin(isThrough, owner, listing, newest);
    const { refresh, models } = this.#sources.listingAfter(owner, listing, Number(mark));
    // The log counts from the start again: it is another file than the one that was looked through.
    if (!refresh) return { notices: [], marks: [{ mirror: owner, name: listing, value: newest() }] };
    const [only] = models;
    const single = models.length === 1 && only !== undefined && this.#sources.isListed(owner, listing, only);
    const notice = {
      key: `models ${owner} ${listing} ${String(refresh.id)} ${String(refresh.at)}`,
      mirror: owner,
      kind: 'models' as const,
      count: models.length,
      target: single ? ({ view: 'model', listing, id: only } as const) : ({ view: 'modelChanges' } as const),
      late: false,
    };
    const marks = [{ mirror: owner, name: listing, value: String(refresh.id) }];
    return { notices: models.length === 0 ? [] : [notice], marks };
  }

  #growthOfStories(isThrough: boolean): Finding {
    const isFirst = this.#book.mark(this.#mirror, STORIES) === null;
    if (isFirst && !isThrough) return NOTHING;
    const found: Finding = { notices: [], marks: [{ mirror: this.#mirror, name: STORIES, value: '' }] };
    const { stories } = this.#ports.store;
    for (const [id, mark] of stories.marks.all()) {
      const stored = mark.followedAt === null ? null : stories.find(stories.resolve(id));
      if (!stored?.story || stored.goneAt !== null) continue;
      const growth = this.#growthOf(stored.story, mark);
      if (!growth) continue;
      found.marks.push(growth.mark);
      if (!isFirst && !growth.isFirstSight) found.notices.push(growth.notice);
    }
    return found;
  }

  /** What came to a followed story that was neither seen nor told; null where nothing did. */
  #growthOf(story: Story, mark: StoryMark) {
    const { publicId } = story;
    const kept = this.#book.mark(this.#mirror, storyMark(publicId));
    const told = readTold(kept);
    const news = newsOf(story, mark, told);
    if (news.reports.length === 0 && news.digest === null) return null;
    const value = JSON.stringify(mergeTold(told, news));
    return {
      // It was followed before its text was ever here: what comes first is not what came to it.
      isFirstSight: kept === null && mark.seen.length === 0 && mark.digestSeen === null,
      mark: { mirror: this.#mirror, name: storyMark(publicId), value },
      notice: {
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
    return isThrough ? { notices: [], marks: [{ mirror, name, value: value() }] } : NOTHING;
  }
}

const NOTHING: Finding = { notices: [], marks: [] };

function newsOf(story: Story, mark: StoryMark, told: ToldOfStory): ToldOfStory {
  const fresh = freshIn(story, mark);
  const known = new Set(told.reports);
  const digest = fresh.digest && story.digest !== null ? digestHash(story.digest) : null;
  return {
    reports: fresh.reportIds.filter((id) => !known.has(id)),
    digest: digest === told.digest ? null : digest,
  };
}

/** An edition that is listed and was not asked for yet comes with a later round: the next look begins before it. */
function endOfLook(listed: readonly ListedEdition[], after: string): string {
  const gap = listed.findIndex(({ missing }) => missing);
  return listed.slice(0, gap < 0 ? listed.length : gap).at(-1)?.label ?? after;
}
