const KEPT = 30 * 24 * 3_600_000;

interface NaiveStatus {
  followedAt: number | null;
  starredAt: number | null;
}

/** A story at the service: its title, which changes with each version, or the story it was merged into. */
export type ServedStory = { title: string } | { mergedInto: string } | null;

/** Saved stories and what a reader did with them (docs/decisions/011), as plain maps. Times are ms since 1970. */
export class NaiveStories {
  readonly saved = new Map<string, { title: string; fetchedAt: number }>();
  readonly statuses = new Map<string, NaiveStatus>();
  readonly #survivors = new Map<string, string>();
  readonly #gone = new Set<string>();

  /** A merged story is followed to the one that it was merged into, now or earlier. */
  resolve(id: string): string {
    return this.#survivors.get(id) ?? id;
  }

  fetch(of: string, served: (id: string) => ServedStory, now: number): void {
    const id = this.resolve(of);
    let last = id;
    let story = served(last);
    while (story && 'mergedInto' in story) {
      last = story.mergedInto;
      story = served(last);
    }
    if (!story) return void this.#gone.add(id);
    if (last !== id) this.#merge(id, last);
    const saved = this.saved.get(last);
    // "Not modified" is no download.
    const isSame = saved?.title === story.title && !this.#gone.has(last) && last === id;
    if (!isSame) this.saved.set(last, { title: story.title, fetchedAt: now });
    this.#gone.delete(last);
  }

  sync(ranked: readonly string[], served: (id: string) => ServedStory, now: number): void {
    const followed = [...this.statuses].filter(([, { followedAt }]) => followedAt !== null).map(([id]) => id);
    for (const id of new Set([...ranked, ...followed].map((one) => this.resolve(one)))) this.fetch(id, served, now);
    const kept = new Set([...ranked.map((id) => this.resolve(id)), ...this.statuses.keys()]);
    for (const [id, { fetchedAt }] of this.saved) {
      if (!kept.has(id) && fetchedAt < now - KEPT) this.saved.delete(id);
    }
  }

  mark(of: string, field: keyof NaiveStatus, value: number | null): void {
    const id = this.resolve(of);
    const status = this.#statusOf(id);
    if ((status[field] === null) !== (value === null)) this.#setStatus(id, { ...status, [field]: value });
  }

  list(field: keyof NaiveStatus): { id: string; title: string; at: number }[] {
    return [...this.saved]
      .flatMap(([id, { title }]) => {
        const at = this.#statusOf(id)[field];
        return at === null ? [] : [{ id, title, at }];
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #merge(id: string, survivor: string): void {
    this.#survivors.delete(survivor);
    for (const [merged, into] of this.#survivors) if (into === id) this.#survivors.set(merged, survivor);
    this.#survivors.set(id, survivor);
    this.saved.delete(id);
    this.#gone.delete(id);
    const [old, status] = [this.#statusOf(id), this.#statusOf(survivor)];
    this.statuses.delete(id);
    this.#setStatus(survivor, {
      followedAt: earlier(old.followedAt, status.followedAt),
      starredAt: earlier(old.starredAt, status.starredAt),
    });
  }

  #statusOf(id: string): NaiveStatus {
    return this.statuses.get(id) ?? { followedAt: null, starredAt: null };
  }

  #setStatus(id: string, status: NaiveStatus): void {
    if (status.followedAt === null && status.starredAt === null) this.statuses.delete(id);
    else this.statuses.set(id, status);
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
