import type { HotTopics, RankedTopic } from '../../../src-main/contract/model/story.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';
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
  readonly #wire: Wire;
  readonly ranking = new AsyncResource<HotTopics>();
  readonly backStack: StoryBackStack;
  #topic = $state.raw<RankedTopic | null>(null);
  #item = $state.raw<StoredItem | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    this.backStack = new StoryBackStack(wire);
    const reload = (): void => {
      if (this.ranking.value) void this.load();
    };
    wire.on('data.replaced', reload);
    wire.on('hotTopics.changed', reload);
    // Topics include the availability of their stories.
    wire.on('stories.changed', reload);
  }

  /** The open topic. It stays as it was after it has left the ranking. */
  get topic(): RankedTopic | null {
    return this.#topic;
  }
  /** The saved item of the open topic, if there is one. */
  get item(): StoredItem | null {
    return this.#item;
  }
  /** True if the open topic is still ranked. */
  get ranked(): boolean {
    return this.place >= 0;
  }
  /** The index of the open topic in the ranking; -1 if it is not ranked. */
  get place(): number {
    return this.ranking.value?.topics.findIndex((topic) => this.isOpen(topic)) ?? -1;
  }
  /** True if there was an earlier ranking: in the first one every topic would be called new. */
  get compared(): boolean {
    return this.ranking.value?.topics.some(({ moved }) => moved !== null) ?? false;
  }
  get opened(): boolean {
    return this.#topic !== null;
  }

  isOpen(topic: RankedTopic): boolean {
    return this.#topic !== null && topicKey(topic) === topicKey(this.#topic);
  }

  async load(): Promise<void> {
    const ranking = await this.ranking.read(this.#wire.call('hotTopics.list', {}));
    const open = ranking?.topics.find((topic) => this.isOpen(topic));
    if (open) this.#topic = open;
  }

  /** Opens a topic; its item counts as read from then on. */
  async open(topic: RankedTopic): Promise<void> {
    this.backStack.close();
    this.#topic = topic;
    this.#item = null;
    const reply = await this.#wire.call('items.get', { id: topic.id });
    if (this.isOpen(topic)) this.#item = reply.ok ? reply.value : null;
    if (topic.readAt === null) void this.#markRead(topic.id);
  }

  /** Opens a topic of the ranking, if it is still ranked; see {@link find}. */
  async openBy(name: string): Promise<void> {
    await this.load();
    const topic = this.find(name);
    if (topic) await this.open(topic);
  }

  /** Finds a topic of the ranking by its {@link topicKey}, or the first with this item's id. */
  find(name: string | null): RankedTopic | undefined {
    const topics = this.ranking.value?.topics ?? [];
    return topics.find((topic) => topicKey(topic) === name) ?? topics.find(({ id }) => id === name);
  }

  /** Goes back from the story to the topic, or from the topic to the ranking. */
  back(): void {
    if (this.backStack.id !== null) this.backStack.back();
    else this.close();
  }

  close(): void {
    this.backStack.close();
    this.#topic = null;
    this.#item = null;
  }

  /** Opens the next (1) or previous (-1) topic. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const topics = this.ranking.value?.topics ?? [];
    const at = this.place;
    return this.#openIf(topics[at < 0 ? 0 : at + by]);
  }

  /** Opens the next unread topic. Returns false if there is none. */
  stepUnread(): boolean {
    const topics = this.ranking.value?.topics ?? [];
    return this.#openIf(topics.slice(this.place + 1).find(({ readAt }) => readAt === null));
  }

  #openIf(topic: RankedTopic | undefined): boolean {
    if (topic) void this.open(topic);
    return topic !== undefined;
  }

  async #markRead(id: string): Promise<void> {
    const reply = await this.#wire.call('items.mark', { ids: [id], mark: 'read' });
    const ranking = this.ranking.value;
    if (!reply.ok || !ranking) return;
    const readAt = new Date().toISOString();
    this.ranking.put({
      ...ranking,
      topics: ranking.topics.map((topic) => (topic.id === id ? { ...topic, readAt: topic.readAt ?? readAt } : topic)),
    });
  }
}
