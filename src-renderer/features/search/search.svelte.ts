import type { Failure } from '../../../src-main/contract/errors.ts';
import type { SearchKind, SearchResults, SearchSuggestion } from '../../../src-main/contract/model/search.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** Results of one kind that are shown while typing. */
const A_KIND = 5;
/** More results of a kind come in such steps, up to the limit of a call. */
const A_STEP = 100;
export const MOST_HITS = 500;

/** How many results of a kind are shown next. */
export function moreHits(shown: number): number {
  return Math.min(MOST_HITS, (Math.floor(shown / A_STEP) + 1) * A_STEP);
}

/** Searches under way at once. A further text waits, and only the latest of those is searched: typing costs no more. */
const AT_ONCE = 2;

interface Asked {
  text: string;
  caret: number;
  turn: number;
}

/**
 * The search over everything that is saved, while its text is being typed. It is asked at once; an answer never takes the
 * place of that of a later text.
 */
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
  /** What was found for {@link answered}; null for an empty text, and before the first answer. */
  get results(): SearchResults | null {
    return this.#results;
  }
  get answered(): string {
    return this.#answered;
  }
  /** Whether the results are those of an earlier text. */
  get busy(): boolean {
    return this.#busy;
  }
  /** What could be typed at the caret. */
  get suggestions(): readonly SearchSuggestion[] {
    return this.#suggestions;
  }
  /** Why the latest text could not be searched for. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** A search may follow: one for nothing reads what the first key is compared with. */
  prepare(): void {
    void this.#wire.call('search.find', { text: '', limit: A_KIND });
  }

  /** Searches for a text. `caret` is a place in it, in UTF-16 units. */
  type(text: string, caret: number): void {
    this.#text = text;
    const asked = { text, caret, turn: ++this.#turn };
    this.#busy = true;
    if (text.trim() === '') this.#show(asked, null);
    if (this.#underWay < AT_ONCE) void this.#ask(asked);
    else this.#waiting = asked;
  }

  /** Adds more results of a kind to those that are shown. Typing goes back to the first ones. */
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

  /** Forgets the results. */
  clear(): void {
    this.#waiting = null;
    this.#text = '';
    this.#suggestions = [];
    this.#suggested = ++this.#turn;
    this.#show({ text: '', caret: 0, turn: this.#turn }, null);
  }

  /** Ends when the results are those of the latest text, or it could not be searched for. */
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
    // A place in another text means nothing.
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
