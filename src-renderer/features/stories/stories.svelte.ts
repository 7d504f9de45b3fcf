import type { Failure } from '../../../src-main/contract/errors.ts';
import type { StoryList } from '../../../src-main/contract/location.ts';
import type { StoredStory, StoryLine } from '../../../src-main/contract/model/story.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';
import { StoryBackStack } from './story-back-stack.svelte.ts';

/** The lists of stories, and the story that is open beside them. */
export class StoriesState {
  readonly #wire: Wire;
  readonly list = new AsyncResource<{ stories: StoryLine[] }>();
  readonly backStack: StoryBackStack;
  #which = $state<StoryList>('hot');
  /** Number of followed stories with news that was not seen yet. */
  #news = $state(0);

  constructor(wire: Wire) {
    this.#wire = wire;
    this.backStack = new StoryBackStack(wire);
    wire.on('data.replaced', () => void this.#reload());
    wire.on('stories.changed', () => void this.#reload());
    wire.on('hotTopics.changed', () => void this.#reload());
  }

  get which(): StoryList {
    return this.#which;
  }
  get lines(): readonly StoryLine[] {
    return this.list.value?.stories ?? [];
  }
  get news(): number {
    return this.#news;
  }

  async load(which: StoryList = this.#which): Promise<void> {
    if (which !== this.#which) this.list.clear();
    this.#which = which;
    await this.list.read(this.#wire.call('stories.list', { which }));
  }

  async countNews(): Promise<void> {
    const reply = await this.#wire.call('stories.list', { which: 'followed' });
    if (reply.ok) this.#news = reply.value.stories.filter(({ freshReports }) => freshReports > 0).length;
  }

  async open(publicId: string): Promise<void> {
    await this.backStack.open(publicId);
    await this.#reload();
  }

  /** Opens the next (1) or previous (-1) story of the list. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const at = this.#place;
    return this.#openIf(this.lines[at < 0 ? 0 : at + by]);
  }

  /** Opens the next story with news that were not seen. Returns false if there is none. */
  stepUnread(): boolean {
    return this.#openIf(this.lines.slice(this.#place + 1).find(({ freshReports }) => freshReports > 0));
  }

  get #place(): number {
    const shown = this.backStack.story?.publicId ?? this.backStack.id;
    return this.lines.findIndex(({ publicId }) => publicId === shown);
  }

  #openIf(line: StoryLine | undefined): boolean {
    if (line) void this.open(line.publicId);
    return line !== undefined;
  }

  /** Follows or unfollows the open story at once on the page, then in the core. Resolves to the failure, if any. */
  async toggleFollow(backStack: StoryBackStack = this.backStack): Promise<Failure | null> {
    const { story } = backStack;
    if (!story) return null;
    const follow = story.followedAt === null;
    return this.#change(backStack, story, { followedAt: follow ? new Date().toISOString() : null }, () =>
      this.#wire.call('stories.follow', { publicId: story.publicId, follow }),
    );
  }

  async toggleStar(backStack: StoryBackStack = this.backStack): Promise<Failure | null> {
    const { story } = backStack;
    if (!story) return null;
    const star = story.starredAt === null;
    return this.#change(backStack, story, { starredAt: star ? new Date().toISOString() : null }, () =>
      this.#wire.call('stories.star', { publicId: story.publicId, star }),
    );
  }

  async #change(
    backStack: StoryBackStack,
    { publicId, followedAt, starredAt }: StoredStory,
    changes: Partial<Pick<StoredStory, 'followedAt' | 'starredAt'>>,
    send: () => Promise<{ ok: true } | { ok: false; error: Failure }>,
  ): Promise<Failure | null> {
    backStack.patch(changes);
    const reply = await send();
    if (!reply.ok && backStack.story?.publicId === publicId) backStack.patch({ followedAt, starredAt });
    await this.#reload();
    return reply.ok ? null : reply.error;
  }

  async #reload(): Promise<void> {
    await Promise.all([this.list.value ? this.load() : undefined, this.countNews()]);
  }
}
