import type { Failure } from '../../../src-main/contract/errors.ts';
import type { SearchKind, SearchResults, SearchSuggestion } from '../../../src-main/contract/model/search.ts';
import type { LiveAnswers } from '../../api/live.ts';

/** Results per kind while typing: few, so that the next kind is in view. */
const A_KIND = 3;
/** Step in which more results of a kind are added, up to the limit of a call. */
const A_STEP = 100;
export const MOST_HITS = 500;

export function moreHits(shown: number): number {
  return Math.min(MOST_HITS, (Math.floor(shown / A_STEP) + 1) * A_STEP);
}

/** Lets the core load what the first search needs. */
export function prepareSearch(live: Pick<LiveAnswers, 'call'>): void {
  void live.call('search.find', { text: '', limit: A_KIND });
}

interface Typed {
  readonly text: string;
  /** In UTF-16 units. */
  readonly caret: number;
}

interface Answer {
  readonly to: Typed | null;
  readonly results: SearchResults | null;
  readonly suggestions: readonly SearchSuggestion[];
  readonly failure: Failure | null;
}

/**
 * The search over everything saved, while a text is typed. One search at a time, and then one for the latest text: so none
 * overtakes another, and typing costs no more.
 */
export class SearchState {
  readonly #live: Pick<LiveAnswers, 'call'>;
  #typed = $state.raw<Typed>({ text: '', caret: 0 });
  #answer = $state.raw<Answer>({ to: null, results: null, suggestions: [], failure: null });
  #searching: Promise<void> | null = null;

  constructor(live: Pick<LiveAnswers, 'call'>) {
    this.#live = live;
  }

  get text(): string {
    return this.#typed.text;
  }
  /** The text that the results belong to. */
  get answered(): string {
    return this.#answer.to?.text ?? '';
  }
  /** Null for an empty text, before the first reply, and after a failure. */
  get results(): SearchResults | null {
    return isBlank(this.text) ? null : this.#answer.results;
  }
  /** True if the results are those of an earlier text. */
  get busy(): boolean {
    return this.#answer.to !== this.#typed;
  }
  get suggestions(): readonly SearchSuggestion[] {
    return this.#answer.suggestions;
  }
  get failure(): Failure | null {
    return this.#answer.failure;
  }

  /** Searches for a text. An empty one prepares the search for the first key. */
  type(text: string, caret: number): void {
    this.#typed = { text, caret };
    this.#searching ??= this.#search();
  }

  /** Resolves when the results are those of the latest text, or its search failed. */
  async settled(): Promise<void> {
    await this.#searching;
  }

  /** Adds more results of a kind. Typing resets them to the first ones. */
  async showMore(kind: SearchKind): Promise<void> {
    const { to, results } = this.#answer;
    const shown = results?.groups.find((group) => group.kind === kind)?.hits.length ?? 0;
    const reply = await this.#live.call('search.find', { text: this.answered, in: [kind], limit: moreHits(shown) });
    if (to !== this.#answer.to || !this.#answer.results) return;
    const [found] = reply.ok ? reply.value.groups : [];
    const groups = this.#answer.results.groups.map((group) => (found && group.kind === kind ? found : group));
    const failure = reply.ok ? null : reply.error;
    this.#answer = { ...this.#answer, results: { ...this.#answer.results, groups }, failure };
  }

  async #search(): Promise<void> {
    while (this.busy) {
      const to = this.#typed;
      const text = isBlank(to.text) ? '' : to.text;
      const [found, suggested] = await Promise.all([
        this.#live.call('search.find', { text, limit: A_KIND }),
        this.#live.call('search.suggest', { text: to.text, at: to.caret }),
      ]);
      const hasFound = found.ok && found.value.groups.some(({ count }) => count > 0);
      const isHelpless = text !== '' && !hasFound && suggested.ok && suggested.value.suggestions.length === 0;
      // Where words find nothing, other ways to ask do.
      const offered = isHelpless
        ? await this.#live.call('search.suggest', { text: `${text} `, at: text.length + 1 })
        : suggested;
      this.#answer = {
        to,
        results: found.ok && text !== '' ? found.value : null,
        failure: found.ok ? null : found.error,
        // Positions in another text mean nothing.
        suggestions: offered.ok && to === this.#typed ? offered.value.suggestions : [],
      };
    }
    this.#searching = null;
  }
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
