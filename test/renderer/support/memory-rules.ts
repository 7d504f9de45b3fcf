import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { Counts } from '../../../src-main/contract/model/item.ts';
import type { MuteRule, RuleProgress, SavedSearch } from '../../../src-main/contract/model/search.ts';

export type RulesMethod = Extract<MethodName, `saved.${string}` | `mutes.${string}`>;

type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

/** Saved searches and mute rules of a core in memory. They match no rows: each mute rule counts as one hidden item. */
export class MemoryRules {
  searches: SavedSearch[] = [];
  mutes: MuteRule[] = [];
  /** How far saved items are matched. */
  progress: RuleProgress | null = null;
  readonly #emit: Emit;
  readonly #counts: () => Counts;
  #ids = 0;
  #hiddenBefore = 0;
  #run = 0;

  constructor(emit: Emit, counts: () => Counts) {
    this.#emit = emit;
    this.#counts = counts;
  }

  /** How many items count as hidden. A new rule hides once it is matched. */
  get hidden(): number {
    return this.progress === null ? this.mutes.length : this.#hiddenBefore;
  }

  readonly bodies: { [M in RulesMethod]: (args: Args<M>) => Result<M> } = {
    'saved.list': () => ({ searches: this.searches, progress: this.progress }),
    'saved.add': ({ name, query, notify = false, was }) => {
      const id = was?.id ?? this.#newId();
      const position = was?.position ?? this.searches.length;
      const search = { id, name, query, notify, position, count: { total: 0, unread: 0 }, problem: null };
      this.searches = [...this.searches, search].sort((a, b) => a.position - b.position);
      this.#match();
      return { id, ...this.#toldOfSearches() };
    },
    'saved.change': ({ id, ...change }) => {
      this.searches = this.searches.map((one) => (one.id === id ? { ...one, ...change } : one));
      if (change.query !== undefined) this.#match();
      return this.#toldOfSearches();
    },
    'saved.move': ({ id, to }) => {
      const [moved] = this.searches.filter((one) => one.id === id);
      const others = this.searches.filter((one) => one.id !== id);
      const ordered = moved ? others.toSpliced(to, 0, moved) : others;
      this.searches = ordered.map((one, position) => ({ ...one, position }));
      return this.#toldOfSearches();
    },
    'saved.remove': ({ id }) => {
      this.searches = this.searches.filter((one) => one.id !== id);
      this.#match();
      return this.#toldOfSearches();
    },
    'mutes.list': () => ({ rules: this.mutes, progress: this.progress }),
    'mutes.add': ({ query, was }) => {
      const same = this.mutes.find((one) => one.query === query);
      if (same) return { id: same.id, added: false, ...this.#toldOfMutes() };
      const id = was ?? this.#newId();
      this.#match();
      this.mutes = [{ id, query, createdAt: '2026-03-18T06:00:00Z', hides: 2, problem: null }, ...this.mutes];
      return { id, added: true, ...this.#toldOfMutes() };
    },
    'mutes.remove': ({ id }) => {
      this.#match();
      this.mutes = this.mutes.filter((one) => one.id !== id);
      return this.#toldOfMutes();
    },
  };

  #newId(): string {
    this.#ids += 1;
    return `rule${String(this.#ids)}`;
  }

  /** Matches saved items in the background: it ends after the reply. */
  #match(): void {
    if (this.progress === null) this.#hiddenBefore = this.mutes.length;
    this.progress = { done: 0 };
    void this.#end(++this.#run);
  }

  async #end(run: number): Promise<void> {
    for (let i = 0; i < 8; i += 1) await Promise.resolve();
    if (run !== this.#run) return;
    this.progress = null;
    this.#tell();
  }

  /** In the order of the engine. */
  #tell(): void {
    this.#emit('counts.changed', this.#counts());
    this.#emit('rules.changed', { progress: this.progress });
  }

  #toldOfSearches(): Result<'saved.list'> {
    this.#tell();
    return { searches: this.searches, progress: this.progress };
  }

  #toldOfMutes(): Result<'mutes.list'> {
    this.#tell();
    return { rules: this.mutes, progress: this.progress };
  }
}
