import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ItemContext, ItemStory } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

const NOTHING: ItemContext = { stories: [], topic: null, sameSource: [] };

/** The stories and topics of the open item. Nothing of them is shown until they are loaded, nor if that fails. */
export class ItemContextState {
  readonly #wire: Wire;
  #id: string | null = null;
  #context = $state.raw<ItemContext>(NOTHING);

  constructor(wire: Wire) {
    this.#wire = wire;
    const reload = (): void => void this.#read();
    wire.on('data.replaced', reload);
    wire.on('items.changed', reload);
    wire.on('stories.changed', reload);
    wire.on('hotTopics.changed', reload);
    wire.on('marks.changed', ({ ids }) => {
      if (ids === null || this.#context.sameSource.some(({ id }) => ids.includes(id))) reload();
    });
  }

  get stories(): readonly ItemStory[] {
    return this.#context.stories;
  }
  get topic(): ItemContext['topic'] {
    return this.#context.topic;
  }
  get sameSource(): ItemContext['sameSource'] {
    return this.#context.sameSource;
  }

  /** Null for no item. */
  async load(id: string | null): Promise<void> {
    if (id === this.#id) return;
    this.#id = id;
    this.#context = NOTHING;
    await this.#read();
  }

  /** Follows or unfollows a story of the item, at once on the page. Resolves to the failure, if any. */
  async toggleFollow({ publicId, followedAt }: ItemStory): Promise<Failure | null> {
    const follow = followedAt === null;
    this.#patch(publicId, follow ? new Date().toISOString() : null);
    const reply = await this.#wire.call('stories.follow', { publicId, follow });
    if (reply.ok) return null;
    this.#patch(publicId, followedAt);
    return reply.error;
  }

  #patch(publicId: string, followedAt: string | null): void {
    const stories = this.#context.stories.map((story) =>
      story.publicId === publicId ? { ...story, followedAt } : story,
    );
    this.#context = { ...this.#context, stories };
  }

  async #read(): Promise<void> {
    const id = this.#id;
    if (id === null) return;
    const reply = await this.#wire.call('items.context', { id });
    if (reply.ok && id === this.#id) this.#context = reply.value;
  }
}
