import type { Args, MethodName, Result } from '../../../src-main/contract/api.ts';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { MuteRule, SavedSearch } from '../../../src-main/contract/model/rules.ts';

export type RulesMethod = Extract<MethodName, `saved.${string}` | `mutes.${string}`>;

type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

/** Saved searches and mute rules of a core in memory. They match nothing. */
export class MemoryRules {
  searches: SavedSearch[] = [];
  mutes: MuteRule[] = [];
  readonly #emit: Emit;
  #ids = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  readonly bodies: { [M in RulesMethod]: (args: Args<M>) => Result<M> } = {
    'saved.list': () => ({ searches: this.searches, progress: null }),
    'saved.add': ({ name, query, notify = false, was }) => {
      const id = was?.id ?? this.#newId();
      const position = was?.position ?? this.searches.length;
      const search = { id, name, query, notify, position, count: { total: 0, unread: 0 }, problem: null };
      this.searches = [...this.searches, search].sort((a, b) => a.position - b.position);
      return { id, ...this.#toldOfSearches() };
    },
    'saved.change': ({ id, ...change }) => {
      this.searches = this.searches.map((one) => (one.id === id ? { ...one, ...change } : one));
      return this.#toldOfSearches();
    },
    'saved.remove': ({ id }) => {
      this.searches = this.searches.filter((one) => one.id !== id);
      return this.#toldOfSearches();
    },
    'mutes.list': () => ({ rules: this.mutes, progress: null }),
    'mutes.add': ({ query, was }) => {
      const id = was ?? this.#newId();
      this.mutes = [{ id, query, createdAt: '2026-03-18T06:00:00Z', hides: 2, problem: null }, ...this.mutes];
      return { id, ...this.#toldOfMutes() };
    },
    'mutes.remove': ({ id }) => {
      this.mutes = this.mutes.filter((one) => one.id !== id);
      return this.#toldOfMutes();
    },
  };

  #newId(): string {
    this.#ids += 1;
    return `rule${String(this.#ids)}`;
  }

  #toldOfSearches(): Result<'saved.list'> {
    this.#emit('rules.changed', { progress: null });
    return { searches: this.searches, progress: null };
  }

  #toldOfMutes(): Result<'mutes.list'> {
    this.#emit('rules.changed', { progress: null });
    return { rules: this.mutes, progress: null };
  }
}
