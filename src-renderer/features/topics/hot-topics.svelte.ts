import type { RankedTopic } from '../../../src-main/contract/model/story.ts';
import type { LiveAnswers } from '../../api/live.ts';
import { StoryBackStack } from '../stories/index.ts';

/**
 * Identifies a topic in a ranking: its id is that of its leading item, which can lead two topics with different
 * stories.
 */
export function topicKey({ id, storyId }: Pick<RankedTopic, 'id' | 'storyId'>): string {
  return `${id} ${storyId ?? ''}`;
}

/** The ranking, the topic that is open, and the stories that were opened from it. */
export class HotTopicsState {
  readonly #live: LiveAnswers;
  readonly backStack = new StoryBackStack();
  #key = $state<string | null>(null);
  /** The open topic as it was last ranked. */
  #last: RankedTopic | null = null;

  constructor(live: LiveAnswers) {
    this.#live = live;
  }

  get ranking() {
    return this.#live.get('hotTopics.list', {});
  }
  get topics(): readonly RankedTopic[] {
    return this.ranking.value?.topics ?? [];
  }
  /** The open topic. It stays as it was after it has left the ranking. */
  get topic(): RankedTopic | null {
    const ranked = this.topics.find((topic) => this.isOpen(topic));
    if (ranked) this.#last = ranked;
    return this.opened ? this.#last : null;
  }
  get ranked(): boolean {
    return this.place >= 0;
  }
  /** The index of the open topic in the ranking; -1 if it is not ranked. */
  get place(): number {
    return this.topics.findIndex((topic) => this.isOpen(topic));
  }
  /** True if there was an earlier ranking: in the first one every topic would be called new. */
  get compared(): boolean {
    return this.topics.some(({ moved }) => moved !== null);
  }
  get opened(): boolean {
    return this.#key !== null;
  }

  isOpen(topic: RankedTopic): boolean {
    return this.opened && topicKey(topic) === this.#key;
  }

  /** Opens a topic; its item counts as read from then on. */
  open(topic: RankedTopic): void {
    this.backStack.close();
    this.#last = topic;
    this.#key = topicKey(topic);
    if (topic.readAt === null) void this.#markRead(topic.id);
  }

  /** Opens a topic of the ranking, if it is still ranked; see {@link find}. */
  async openBy(name: string): Promise<void> {
    await this.ranking.ready();
    const topic = this.find(name);
    if (topic) this.open(topic);
  }

  /** Finds a topic of the ranking by its {@link topicKey}, or the first with this item's id. */
  find(name: string | null): RankedTopic | undefined {
    return this.topics.find((topic) => topicKey(topic) === name) ?? this.topics.find(({ id }) => id === name);
  }

  /** Goes back from the story to the topic, or from the topic to the ranking. */
  back(): void {
    if (this.backStack.id !== null) this.backStack.back();
    else this.close();
  }

  close(): void {
    this.backStack.close();
    this.#key = null;
  }

  /** Opens the next (1) or previous (-1) topic. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const at = this.place;
    return this.#openIf(this.topics[at < 0 ? 0 : at + by]);
  }

  stepUnread(): boolean {
    return this.#openIf(this.topics.slice(this.place + 1).find(({ readAt }) => readAt === null));
  }

  #openIf(topic: RankedTopic | undefined): boolean {
    if (topic) this.open(topic);
    return topic !== undefined;
  }

  async #markRead(id: string): Promise<void> {
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
