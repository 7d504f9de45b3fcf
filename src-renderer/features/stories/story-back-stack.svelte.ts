import type { StoredStory } from '../../../src-main/contract/model/story.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

type Fresh = StoredStory['fresh'];

/** The stories that were opened one from another, the last of them on the page. */
export class StoryBackStack {
  readonly #wire: Wire;
  readonly #reading = new AsyncResource<StoredStory>();
  #ids = $state.raw<readonly string[]>([]);
  #refreshing = $state(false);
  /** The news of the story when it was opened. Marked until another story is opened, though they count as seen. */
  #fresh = $state.raw<Fresh>({ reportIds: [], digest: false });

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.#update(null));
    wire.on('stories.changed', ({ publicIds }) => void this.#update(publicIds));
  }

  /** The id that was opened. The story's own id differs if it was merged into another. */
  get id(): string | null {
    return this.#ids.at(-1) ?? null;
  }
  /** The last one is on the page. */
  get ids(): readonly string[] {
    return this.#ids;
  }
  get depth(): number {
    return this.#ids.length;
  }
  get story(): StoredStory | null {
    return this.#reading.value;
  }
  get reading(): AsyncResource<StoredStory> {
    return this.#reading;
  }
  /** True if the saved story is shown while a newer version is being fetched. */
  get refreshing(): boolean {
    return this.#refreshing;
  }
  get fresh(): Fresh {
    return this.#fresh;
  }
  /** True if the opened story was merged into the one that is shown. */
  get merged(): boolean {
    return this.story !== null && this.story.publicId !== this.id;
  }

  /** Opens a story as the first of a new back stack. */
  open(publicId: string): Promise<void> {
    this.#ids = [];
    return this.follow(publicId);
  }

  /** Opens a story that the shown one names; `back` returns. */
  follow(publicId: string): Promise<void> {
    this.#ids = [...this.#ids, publicId];
    return this.#read(publicId);
  }

  /** Goes back by one story. Returns false if none is left. */
  back(): boolean {
    this.#ids = this.#ids.slice(0, -1);
    const id = this.id;
    if (id === null) this.close();
    else void this.#read(id);
    return id !== null;
  }

  /** Shows a stack again; an empty one closes it. */
  show(ids: readonly string[]): void {
    const id = ids.at(-1);
    if (id === undefined) return this.close();
    const isOpen = id === this.id;
    this.#ids = ids;
    if (!isOpen) void this.#read(id);
  }

  close(): void {
    this.#ids = [];
    this.#refreshing = false;
    this.#reading.clear();
  }

  /** Shows a change of the open story before it is saved. */
  patch(changes: Partial<Pick<StoredStory, 'followedAt' | 'starredAt'>>): void {
    if (this.story) this.#reading.put({ ...this.story, ...changes });
  }

  retry(): void {
    if (this.id !== null) void this.#read(this.id);
  }

  /** Shows the saved story at once, then fetches it and updates it in place. */
  async #read(publicId: string): Promise<void> {
    this.#reading.clear();
    this.#fresh = { reportIds: [], digest: false };
    this.#refreshing = true;
    const stored = await this.#wire.call('stories.get', { publicId });
    if (this.id !== publicId) return;
    if (stored.ok) {
      this.#reading.put(stored.value);
      this.#remember(stored.value.fresh);
    }
    const opened = await this.#reading.read(this.#wire.call('stories.open', { publicId }));
    if (this.id !== publicId) return;
    this.#refreshing = false;
    if (opened) this.#remember(opened.fresh);
  }

  /** @param publicIds null if anything may have changed */
  async #update(publicIds: readonly string[] | null): Promise<void> {
    const id = this.id;
    if (id === null || this.#refreshing || !this.story) return;
    if (publicIds !== null && !publicIds.includes(this.story.publicId)) return;
    const reply = await this.#wire.call('stories.get', { publicId: id });
    if (!reply.ok || this.id !== id) return;
    this.#reading.put(reply.value);
    this.#remember(reply.value.fresh);
  }

  #remember(fresh: Fresh): void {
    this.#fresh = {
      reportIds: [...new Set([...this.#fresh.reportIds, ...fresh.reportIds])],
      digest: this.#fresh.digest || fresh.digest,
    };
  }
}
