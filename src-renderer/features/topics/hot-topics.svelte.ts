import { createContext } from 'svelte';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { RankedTopic } from '../../../src-main/contract/model/story.ts';
import type { Location } from '../../../src-main/contract/location.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import { Latest, type LiveAnswers } from '../../api/live.ts';
import type { PageHistory } from '../../ui/page-context.ts';

/** Returns the id of the open story, on its own page or from a topic. It differs from the story's if that was merged. */
export function storyIn({ open }: Location): string | null {
  return open.findLast((ref) => ref.view === 'story')?.publicId ?? null;
}

/**
 * Identifies a topic in a ranking: its id is that of its leading item, which can lead two topics with different
 * stories.
 */
export function topicKey({ id, storyId }: Pick<RankedTopic, 'id' | 'storyId'>): string {
  return `${id} ${storyId ?? ''}`;
}

/**
 * Returns nothing for a topic that kept its rank.
 *
 * @param moved ranks gained (positive) or lost since the previous ranking; null for a new entry
 */
export function moveText(moved: number | null): string {
  if (moved === null) return m.topics_entered();
  if (moved === 0) return '';
  return moved > 0 ? m.topics_up({ count: moved }) : m.topics_down({ count: -moved });
}

/** The ranking, the topic that is open, and the story that was opened from it. */
export class HotTopicsState {
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  readonly ranking: Latest<'hotTopics.list'>;
  #last: RankedTopic | null = null;

  constructor(live: LiveAnswers, history: PageHistory) {
    this.#live = live;
    this.#history = history;
    // Stories say how they are ranked.
    const isShown = (): boolean => ['hotTopics', 'stories'].includes(history.location.view);
    this.ranking = new Latest(() => (isShown() ? live.get('hotTopics.list', {}) : null));
  }

  get topics(): readonly RankedTopic[] {
    return this.ranking.value?.topics ?? [];
  }
  /** The open topic. It stays as it was after it has left the ranking. */
  get topic(): RankedTopic | null {
    const key = this.#key;
    if (key === null) return null;
    this.#last = this.topics.find((topic) => topicKey(topic) === key) ?? this.#last;
    return this.#last && topicKey(this.#last) === key ? this.#last : null;
  }
  /** The open topic, unless another story was opened from it. */
  get shown(): RankedTopic | null {
    return storyIn(this.#history.in('hotTopics')) === null ? this.topic : null;
  }
  /** The story of the open topic, or the one that was opened from it. */
  get storyId(): string | null {
    return storyIn(this.#history.in('hotTopics')) ?? this.topic?.storyId ?? null;
  }
  get place(): number {
    const key = this.#key;
    return this.topics.findIndex((topic) => topicKey(topic) === key);
  }
  /** True if there was an earlier ranking: in the first one every topic would be called new. */
  get compared(): boolean {
    return this.topics.some(({ moved }) => moved !== null);
  }
  isRanked(topic: RankedTopic): boolean {
    return this.topics.some((one) => topicKey(one) === topicKey(topic));
  }

  /** Returns the topic of a story, or with a {@link topicKey}; null if it isn't ranked. */
  topicOf(name: string | null): RankedTopic | null {
    return (name !== null && this.topics.find((topic) => topic.storyId === name || topicKey(topic) === name)) || null;
  }

  get #key(): string | null {
    const [topic] = this.#history.in('hotTopics').open;
    return topic?.view === 'topic' ? topic.id : null;
  }

  /** Opens a topic; its item counts as read from then on. */
  open(topic: RankedTopic): void {
    // Taking up the preview marks it.
    const marks = topic.readAt === null && !(this.#isPreview && topicKey(topic) === this.#key);
    this.#last = topic;
    this.#history.go({ view: 'hotTopics', open: [{ view: 'topic', id: topicKey(topic) }] });
    if (marks) void this.markRead(topic.id);
  }

  /** Opened while nothing is. */
  get first(): { ref: Ref; onopen: () => void } | undefined {
    const [topic] = this.topics;
    if (!topic) return undefined;
    const onopen = (): void => void (topic.readAt === null && this.markRead(topic.id));
    return { ref: { view: 'topic', id: topicKey(topic) }, onopen };
  }

  get #isPreview(): boolean {
    return this.#history.isPreview('hotTopics');
  }

  /**
   * Opens a topic of the shown ranking by its {@link topicKey}, or the first with this item's id.
   *
   * @returns false if there is none
   */
  async openBy(name: string): Promise<boolean> {
    await this.ranking.ready();
    const topic = this.topics.find((topic) => topicKey(topic) === name) ?? this.topics.find(({ id }) => id === name);
    if (topic && this.#history.location.view === 'hotTopics') this.open(topic);
    return topic !== undefined;
  }

  /** Opens the next (1) or previous (-1) topic. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const at = this.#from;
    return this.#openIf(this.topics[at < 0 ? 0 : at + by]);
  }

  stepUnread(): boolean {
    return this.#openIf(this.topics.slice(this.#from + 1).find(({ readAt }) => readAt === null));
  }

  /** The index from which steps go: a preview has not been opened yet. */
  get #from(): number {
    return this.#isPreview ? -1 : this.place;
  }

  #openIf(topic: RankedTopic | undefined): boolean {
    if (topic) this.open(topic);
    return topic !== undefined;
  }

  async markRead(id: string): Promise<void> {
    const readAt = new Date().toISOString();
    await this.#live.change(
      {
        'hotTopics.list': (shown) => ({
          ...shown,
          topics: shown.topics.map((topic) => (topic.id === id ? { ...topic, readAt: topic.readAt ?? readAt } : topic)),
        }),
      },
      'items.mark',
      { ids: [id], mark: 'read' },
    );
  }
}

export const [hotTopicsContext, setHotTopicsContext] = createContext<HotTopicsState>();
