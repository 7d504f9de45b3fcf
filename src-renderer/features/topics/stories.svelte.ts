import { createContext } from 'svelte';
import { marksDone } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { StoryList } from '../../../src-main/contract/location.ts';
import { instant } from '../../../src-main/common/time.ts';
import type { RankedTopic, StoredStory, StoryLine } from '../../../src-main/contract/model/story.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import { Latest, type Changes, type LiveAnswers } from '../../api/live.ts';
import type { PageContext, PageHistory } from '../../ui/page-context.ts';
import { storyIn, topicKey, type HotTopicsState } from './hot-topics.svelte.ts';

export class StoriesState {
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  readonly #topics: HotTopicsState;
  readonly list: Latest<'stories.list'>;
  readonly #lines = $derived.by(() => this.#withHot(this.list.value?.stories ?? []));

  constructor(live: LiveAnswers, history: PageHistory, topics: HotTopicsState) {
    this.#live = live;
    this.#history = history;
    this.#topics = topics;
    const isShown = (): boolean => history.location.view === 'stories';
    this.list = new Latest(() => (isShown() ? live.get('stories.list', { which: this.which }) : null));
  }

  get which(): StoryList {
    return this.#history.in('stories').list;
  }
  get id(): string | null {
    return storyIn(this.#history.in('stories'));
  }
  /** The open topic, if it has no story. */
  get topic(): RankedTopic | null {
    const ref = this.#history.in('stories').open.at(-1);
    return ref?.view === 'topic' ? this.#topics.topicOf(ref.id) : null;
  }
  get lines(): readonly StoryLine[] {
    return this.#lines;
  }
  /** The index of what is open in the list; -1 if it isn't there. */
  get place(): number {
    const id = this.id ?? (this.topic && topicKey(this.topic));
    const shown = id === null ? null : (this.#live.get('stories.get', { publicId: id }).value?.publicId ?? id);
    return this.lines.findIndex(({ publicId }) => publicId === shown);
  }

  /** Opened while nothing is. The list before stays on the page until this one is read. */
  get first(): { ref: Ref } | undefined {
    const stories = this.#live.get('stories.list', { which: this.which }).value?.stories;
    const [line] = stories ? this.#withHot(stories) : [];
    return line && { ref: this.#refOf(line.publicId) };
  }

  /** Hot topics are unread here as in their ranking. */
  isUnread({ freshReports, publicId }: StoryLine): boolean {
    return freshReports > 0 || this.#topics.topicOf(publicId)?.readAt === null;
  }

  /** Shows a list: another one with nothing open. */
  choose(list: StoryList): void {
    const before = this.#history.in('stories');
    this.#history.go(before.list === list ? before : { view: 'stories', list, open: [] });
  }

  open(publicId: string, list = this.which): void {
    const ref = this.#refOf(publicId);
    if (ref.view === 'topic' && this.#topics.topicOf(ref.id)?.readAt === null) {
      void this.#topics.markRead(this.#topics.topicOf(ref.id)?.id ?? '');
    }
    this.#history.go({ view: 'stories', list, open: [ref] });
  }

  /** Opens the next (1) or previous (-1) story of the list. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const at = this.#from;
    return this.#openIf(this.lines[at < 0 ? 0 : at + by]);
  }

  stepUnread(): boolean {
    return this.#openIf(this.lines.slice(this.#from + 1).find((line) => this.isUnread(line)));
  }

  /** The index from which steps go: a preview has not been opened yet. */
  get #from(): number {
    return this.#history.isPreview('stories') ? -1 : this.place;
  }

  /** Adds the hot topics whose story isn't saved, or that have none, to the list of all. */
  #withHot(lines: readonly StoryLine[]): readonly StoryLine[] {
    const known = new Set(lines.map(({ publicId }) => publicId));
    const others = this.which === 'all' ? this.#topics.topics.filter(({ storyId }) => !known.has(storyId ?? '')) : [];
    if (others.length === 0) return lines;
    const timeOf = ({ latestAt }: StoryLine): number => instant(latestAt) ?? -Infinity;
    return [...lines, ...others.map(lineOf)].sort((a, b) => timeOf(b) - timeOf(a));
  }

  #refOf(publicId: string): Ref {
    const topic = this.#topics.topicOf(publicId);
    return topic && topic.storyId === null ? { view: 'topic', id: publicId } : { view: 'story', publicId };
  }

  #openIf(line: StoryLine | undefined): boolean {
    if (line) this.open(line.publicId);
    return line !== undefined;
  }
}

function lineOf(topic: RankedTopic): StoryLine {
  const { title, latestAt, sourceCount } = topic;
  const none = { status: null, latest: null, reportCount: null, followedAt: null, starredAt: null, goneAt: null };
  return {
    publicId: topic.storyId ?? topicKey(topic),
    title,
    latestAt,
    sourceCount,
    ...none,
    freshReports: 0,
    hot: true,
  };
}

export const [storiesContext, setStoriesContext] = createContext<StoriesState>();

type Marks = Pick<StoredStory, 'followedAt' | 'starredAt'>;
type Page = Pick<PageContext, 'act' | 'live' | 'toasts'>;

/** Follows or unfollows a story: at once on the page, then in the core. */
export async function toggleFollow(
  { live, toasts }: Page,
  { publicId, followedAt: before }: Pick<StoredStory, 'publicId' | 'followedAt'>,
): Promise<void> {
  const follow = before === null;
  const followedAt = follow ? new Date().toISOString() : null;
  const changes: Changes = {
    ...withMarks(publicId, { followedAt }),
    'items.context': (shown) => ({
      ...shown,
      stories: shown.stories.map((story) => (story.publicId === publicId ? { ...story, followedAt } : story)),
    }),
  };
  const reply = await live.change(changes, 'stories.follow', { publicId, follow });
  if (!reply.ok) toasts.complain(m.failure_mark_failed(), reply.error);
}

/** Stars or unstars a story (document 1 section 4.3): at once on the page, then in the core. */
export function toggleStar({ act, live }: Page, { publicId, starredAt }: StoredStory): void {
  const change = (star: boolean) =>
    live.change(withMarks(publicId, { starredAt: star ? new Date().toISOString() : null }), 'stories.star', {
      publicId,
      star,
    });
  const star = starredAt === null;
  void act({
    what: marksDone[star ? 'star' : 'unstar'](),
    call: () => change(star),
    takeBack: () => change(!star),
  });
}

function withMarks(publicId: string, marks: Partial<Marks>): Changes {
  const withThem = <S extends Marks & { publicId: string }>(story: S): S =>
    story.publicId === publicId ? { ...story, ...marks } : story;
  return { 'stories.get': withThem, 'stories.list': ({ stories }) => ({ stories: stories.map(withThem) }) };
}
