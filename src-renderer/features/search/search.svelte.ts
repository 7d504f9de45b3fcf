import type { Failure } from '../../../src-main/contract/errors.ts';
import type { SearchKind, SearchResults, SearchSuggestion } from '../../../src-main/contract/model/search.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** Results per kind while typing. */
const A_KIND = 5;
/** Step in which more results of a kind are added, up to the limit of a call. */
const A_STEP = 100;
export const MOST_HITS = 500;

/** Returns the next number of results of a kind. */
export function moreHits(shown: number): number {
  return Math.min(MOST_HITS, (Math.floor(shown / A_STEP) + 1) * A_STEP);
}

/** Concurrent searches. Of further texts only the latest is searched, so that typing costs no more. */
const AT_ONCE = 2;

interface Asked {
  text: string;
  caret: number;
  turn: number;
}

/** The search over everything saved, while a text is typed. A reply never replaces that of a later text. */
export class SearchState {
  readonly #wire: Wire;
  #text = $state('');
  #results = $state.raw<SearchResults | null>(null);
  #suggestions = $state.raw<readonly SearchSuggestion[]>([]);
  #failure = $state.raw<Failure | null>(null);
  /** The text that the results belong to. */
  #answered = $state('');
  #turn = 0;
  #shown = 0;
  #busy = $state(false);
  #suggested = 0;
  #underWay = 0;
  #waiting: Asked | null = null;
  #settling: (() => void)[] = [];

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get text(): string {
    return this.#text;
  }
  /** The results for {@link answered}; null for an empty text, and before the first reply. */
  get results(): SearchResults | null {
    return this.#results;
  }
  get answered(): string {
    return this.#answered;
  }
  /** True if the results are those of an earlier text. */
  get busy(): boolean {
    return this.#busy;
  }
  /** Completions at the caret. */
  get suggestions(): readonly SearchSuggestion[] {
    return this.#suggestions;
  }
  /** Why the search for the latest text failed. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** Prepares for a search: an empty one loads the data that the first key press needs. */
  prepare(): void {
    void this.#wire.call('search.find', { text: '', limit: A_KIND });
  }

  /** Searches for a text. `caret` is an offset in it, in UTF-16 units. */
  type(text: string, caret: number): void {
    this.#text = text;
    const asked = { text, caret, turn: ++this.#turn };
    this.#busy = true;
    if (text.trim() === '') this.#show(asked, null);
    if (this.#underWay < AT_ONCE) void this.#ask(asked);
    else this.#waiting = asked;
  }

  /** Adds more results of a kind. Typing resets them to the first ones. */
  async showMore(kind: SearchKind): Promise<void> {
    const turn = this.#shown;
    const shown = this.#results?.groups.find((group) => group.kind === kind)?.hits.length ?? 0;
    const limit = moreHits(shown);
    const reply = await this.#wire.call('search.find', { text: this.#answered, in: [kind], limit });
    if (turn !== this.#shown || this.#results === null) return;
    const [found] = reply.ok ? reply.value.groups : [];
    if (!reply.ok) this.#failure = reply.error;
    else if (found) {
      const groups = this.#results.groups.map((group) => (group.kind === kind ? found : group));
      this.#results = { ...this.#results, groups };
    }
  }

  clear(): void {
    this.#waiting = null;
    this.#text = '';
    this.#suggestions = [];
    this.#suggested = ++this.#turn;
    this.#show({ text: '', caret: 0, turn: this.#turn }, null);
  }

  /** Resolves when the results are those of the latest text, or its search failed. */
  settled(): Promise<void> {
    if (this.#shown === this.#turn) return Promise.resolve();
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  async #ask(asked: Asked): Promise<void> {
    this.#underWay += 1;
    await Promise.all([this.#suggest(asked), this.#find(asked)]);
    this.#underWay -= 1;
    const next = this.#waiting;
    this.#waiting = null;
    if (next) void this.#ask(next);
  }

  async #find(asked: Asked): Promise<void> {
    if (asked.text.trim() === '') return;
    const reply = await this.#wire.call('search.find', { text: asked.text, limit: A_KIND });
    if (reply.ok) this.#show(asked, reply.value);
    else if (asked.turn === this.#turn) this.#show(asked, null, reply.error);
  }

  async #suggest({ text, caret, turn }: Asked): Promise<void> {
    const reply = await this.#wire.call('search.suggest', { text, at: caret });
    if (turn <= this.#suggested) return;
    this.#suggested = turn;
    // An offset in another text means nothing.
    this.#suggestions = reply.ok && text === this.#text ? reply.value.suggestions : [];
  }

  #show({ text, turn }: Asked, results: SearchResults | null, failure: Failure | null = null): void {
    if (turn <= this.#shown) return;
    this.#shown = turn;
    this.#results = results;
    this.#answered = text;
    this.#failure = failure;
    if (turn !== this.#turn) return;
    this.#busy = false;
    for (const resolve of this.#settling.splice(0)) resolve();
  }
}
