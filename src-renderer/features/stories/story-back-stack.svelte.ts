import type { StoredStory } from '../../../src-main/contract/model/story.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

type Fresh = StoredStory['fresh'];

/** The stories that were opened one from another, the last of them on the page. */
export class StoryBackStack {
  readonly #wire: Wire;
  readonly #reading = new AsyncResource<StoredStory>();
  #ids = $state.raw<readonly string[]>([]);
  #asking = $state(false);
  /** What was new at this look. It stays marked until another story is opened, though the core counts it as seen. */
  #fresh = $state.raw<Fresh>({ reportIds: [], digest: false });

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.#freshen(null));
    wire.on('stories.changed', ({ publicIds }) => void this.#freshen(publicIds));
  }

  /** The id that was asked for; the story's own differs where it was merged into another. */
  get id(): string | null {
    return this.#ids.at(-1) ?? null;
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
  /** Whether the service is being asked for a story that is shown as it was stored. */
  get asking(): boolean {
    return this.#asking;
  }
  get fresh(): Fresh {
    return this.#fresh;
  }
  /** Whether the story that was asked for was merged into the one that is shown. */
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

  /** Goes back by one story. Answers whether one is left. */
  back(): boolean {
    this.#ids = this.#ids.slice(0, -1);
    const id = this.id;
    if (id === null) this.close();
    else void this.#read(id);
    return id !== null;
  }

  close(): void {
    this.#ids = [];
    this.#asking = false;
    this.#reading.clear();
  }

  /** Puts what the app did with the open story, before the core was told. */
  patch(changes: Partial<Pick<StoredStory, 'followedAt' | 'starredAt'>>): void {
    if (this.story) this.#reading.put({ ...this.story, ...changes });
  }

  retry(): void {
    if (this.id !== null) void this.#read(this.id);
  }

  /** What is stored is there at once; then the service is asked, and the story freshens in place. */
  async #read(publicId: string): Promise<void> {
    this.#reading.clear();
    this.#fresh = { reportIds: [], digest: false };
    this.#asking = true;
    const stored = await this.#wire.call('stories.get', { publicId });
    if (this.id !== publicId) return;
    if (stored.ok) {
      this.#reading.put(stored.value);
      this.#remember(stored.value.fresh);
    }
    const opened = await this.#reading.read(this.#wire.call('stories.open', { publicId }));
    if (this.id !== publicId) return;
    this.#asking = false;
    if (opened) this.#remember(opened.fresh);
  }

  /** @param publicIds null where anything may have changed */
  async #freshen(publicIds: readonly string[] | null): Promise<void> {
    const id = this.id;
    if (id === null || this.#asking || !this.story) return;
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
