const KEPT = 30 * 24 * 3_600_000;

type Field = 'followedAt' | 'starredAt';

interface Act {
  at: number;
  on: boolean;
}

/** A story at the service: its title, which changes with each version, or the story it was merged into. */
export type ServedStory = { title: string } | { mergedInto: string } | null;

/** Saved stories and what a reader did with them (docs/decisions/011), as plain maps. Times are ms since 1970. */
export class NaiveStories {
  readonly saved = new Map<string, { title: string; fetchedAt: number }>();
  readonly #acts: Readonly<Record<Field, Map<string, Act>>> = { followedAt: new Map(), starredAt: new Map() };
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
    const known = [...ranked, ...this.#turnedOn('followedAt')];
    for (const id of new Set(known.map((one) => this.resolve(one)))) this.fetch(id, served, now);
    const marked = [...this.#turnedOn('followedAt'), ...this.#turnedOn('starredAt')];
    const kept = new Set([...ranked.map((id) => this.resolve(id)), ...marked]);
    for (const [id, { fetchedAt }] of this.saved) {
      if (!kept.has(id) && fetchedAt < now - KEPT) this.saved.delete(id);
    }
  }

  mark(of: string, field: Field, on: boolean, now: number): void {
    const id = this.resolve(of);
    const before = this.#acts[field].get(id);
    if ((before?.on ?? false) !== on) this.#acts[field].set(id, { at: now, on });
  }

  list(field: Field): { id: string; title: string; at: number }[] {
    return [...this.saved]
      .flatMap(([id, { title }]) => {
        const act = this.#acts[field].get(id);
        return act?.on ? [{ id, title, at: act.at }] : [];
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #merge(id: string, survivor: string): void {
    this.#survivors.delete(survivor);
    for (const [merged, into] of this.#survivors) if (into === id) this.#survivors.set(merged, survivor);
    this.#survivors.set(id, survivor);
    this.saved.delete(id);
    this.#gone.delete(id);
    // The later act of both stays, and the merged story keeps its own, should it be one again (docs/decisions/187).
    for (const acts of Object.values(this.#acts)) {
      const [old, own] = [acts.get(id), acts.get(survivor)];
      if (old && (!own || old.at > own.at)) acts.set(survivor, old);
    }
  }

  #turnedOn(field: Field): string[] {
    return [...this.#acts[field]].flatMap(([id, { on }]) => (on && !this.#survivors.has(id) ? [id] : []));
  }
}
