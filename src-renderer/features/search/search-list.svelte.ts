import { createContext, tick } from 'svelte';
import type { Location } from '../../../src-main/contract/location.ts';
import { noteOfHit } from '../../../src-main/contract/model/note.ts';
import { REPORT_KINDS } from '../../../src-main/contract/model/report.ts';
import type { SearchHit } from '../../../src-main/contract/model/search.ts';
import { writeRef, type Ref } from '../../../src-main/contract/refs.ts';
import type { LiveAnswers } from '../../api/live.ts';
import type { FocusRegions } from '../../ui/focus-regions.ts';
import { ListCursor } from '../../ui/list-cursor.svelte.ts';
import type { Layout, PageHistory, PageSettings } from '../../ui/page-context.ts';
import { targetOfNote } from '../notes/index.ts';
import { searchRows, type SearchHeading, type SearchRow } from './search-rows.ts';
import { withSearch } from './search-text.ts';
import { SearchState } from './search.svelte.ts';

interface Ports {
  live: LiveAnswers;
  history: PageHistory;
  focus: FocusRegions;
  layout: Pick<Layout, 'panes'>;
  settings: Pick<PageSettings, 'current' | 'set'>;
  onall: (text: string, filters: boolean) => void;
  ononline: (text: string) => void;
  onitem: (id: string) => void;
  /** Called to open in full what is open beside the rows. */
  onagain: (ref: Ref) => void;
}

type HitRow = Extract<SearchRow, { type: 'hit' }>;

/** The search in place of the list: its text is that of its location, its rows are what was found, and one is open. */
export class SearchListState {
  readonly answers: SearchState;
  readonly cursor = new ListCursor();
  readonly #ports: Ports;
  /** Where the search was begun. */
  #before: Location | null = null;
  #opened = $state(-1);

  constructor(ports: Ports) {
    this.#ports = ports;
    this.answers = new SearchState(ports.live);
  }

  get text(): string {
    return this.#ports.history.in('search').text;
  }
  get isBlank(): boolean {
    return this.text.trim() === '';
  }
  readonly rows: readonly (SearchRow | SearchHeading)[] = $derived.by(() => {
    const { results, suggestions } = this.answers;
    const groups = (results?.groups ?? []).filter(({ count, hits }) => count > 0 && hits.length > 0);
    const recent = this.#ports.settings.current.recentSearches;
    return searchRows({ text: this.text, groups, suggestions, recent, isCompleting: this.isCompleting });
  });
  /** True if the suggestions complete what is being typed; others are offered where that finds nothing. */
  get isCompleting(): boolean {
    return !this.isBlank && this.answers.suggestions.some(({ from }) => from <= this.text.length);
  }
  get open(): Ref | null {
    return this.#ports.history.in('search').open[0] ?? null;
  }
  /** The index of the open row; -1 if the rows don't have it. */
  get place(): number {
    const { open } = this;
    if (open === null) return -1;
    const isOpen = (row: SearchRow | SearchHeading | undefined): boolean => {
      const ref = row?.type === 'hit' ? refOf(row.hit) : null;
      return ref !== null && writeRef(ref) === writeRef(open);
    };
    return isOpen(this.rows[this.#opened]) ? this.#opened : this.rows.findIndex(isOpen);
  }

  at(index: number): SearchRow | null | undefined {
    const row = this.rows[index];
    return row?.type === 'heading' ? null : row;
  }

  isUnread({ id, unread }: SearchHit): boolean {
    const readAt = unread === true ? null : '';
    return unread !== null && this.#ports.live.item({ id, state: { readAt, starredAt: null } }).state.readAt === null;
  }

  /** Reads what the location's text finds, unless it is there. */
  enter(): void {
    if (this.answers.text !== this.text || this.answers.busy) this.answers.type(this.text, this.text.length);
  }

  /** Searches for a text; `caret` is in UTF-16 units. The list goes back to its top. */
  type(text: string, caret = text.length): void {
    const { history } = this.#ports;
    const location = { view: 'search', text, open: [] } as const;
    if (history.view === 'search') history.amend(location);
    else {
      if (!this.#isSearched(history.location)) this.#before = history.location;
      history.go(location);
    }
    this.cursor.active = -1;
    this.cursor.scrollTo(0);
    this.answers.type(text, caret);
  }

  #isSearched(location: Location): boolean {
    return location.view === 'online' || (location.view === 'feed' && location.query.text !== undefined);
  }

  /** Shows again what was shown before the search. Returns false if that isn't known, or has another list of results. */
  leave(): boolean {
    const { focus, history } = this.#ports;
    const before = this.#before;
    this.#before = null;
    if (!before) return false;
    const isTyping = focus.holds('search', 'filter');
    history.go(before);
    // Only then the view takes the focus.
    if (isTyping) focus.element('search', 'filter')?.blur();
    return true;
  }

  async put(text: string, caret: number): Promise<void> {
    this.type(text, caret);
    await tick();
    this.#ports.focus.focus('search', 'filter');
    const box = this.#ports.focus.element('search', 'filter');
    if (box instanceof HTMLInputElement) box.setSelectionRange(caret, caret);
  }

  /** Completes what is being typed with the first suggestion. Returns false if there is none. */
  complete(): boolean {
    const first = this.rows.find((row) => row.type === 'suggestion');
    if (!this.isCompleting || !first) return false;
    this.choose(first);
    return true;
  }

  enterList(): void {
    this.#enterAt(this.rows.findIndex(({ type }) => type !== 'heading'));
  }

  /**
   * Opens the first result, or fills an empty box with the latest search. It neither completes what was typed nor asks
   * the service for it: that takes a key of its own.
   */
  async chooseFirst(): Promise<void> {
    const { text } = this;
    await this.answers.settled();
    await tick();
    if (this.text !== text || this.#ports.history.view !== 'search') return;
    const first = this.rows.findIndex(({ type }) => type === (this.isBlank ? 'recent' : 'hit'));
    const row = this.at(first);
    if (!row) return;
    // One pane would show the result in place of the others.
    if (this.isBlank || this.#ports.layout.panes !== 'one') this.choose(row, first);
    if (!this.isBlank) this.#enterAt(first);
  }

  #enterAt(index: number): void {
    this.cursor.moveTo(index);
    this.#ports.focus.focusList('search');
  }

  choose(row: SearchRow, index = this.rows.indexOf(row)): void {
    const { ononline, settings } = this.#ports;
    const wanted = this.text.trim();
    switch (row.type) {
      case 'hit':
        return this.#open(row, index);
      case 'more':
        return void this.answers.showMore(row.kind);
      case 'online':
        return ononline(wanted);
      case 'recent':
        return void this.put(row.name, row.name.length);
      case 'clear':
        return void settings.set({ recentSearches: [] });
      case 'suggestion': {
        const { insert, from, to } = row.suggestion;
        const before = this.text.slice(0, from).padEnd(from) + insert;
        void this.put(before + this.text.slice(to), before.length);
      }
    }
  }

  #open({ hit }: HitRow, index: number): void {
    const { history, onitem } = this.#ports;
    const ref = refOf(hit);
    if (!ref) return;
    this.#note(this.text);
    this.#opened = index;
    history.go({ ...history.in('search'), open: [ref] });
    if (ref.view === 'item') onitem(ref.id);
  }

  showAll(filters = false): void {
    this.#note(this.text);
    this.#ports.onall(this.text.trim(), filters);
  }

  openAgain(): void {
    if (this.open) this.#ports.onagain(this.open);
  }

  #note(text: string): void {
    const { current, set } = this.#ports.settings;
    const recentSearches = withSearch(current.recentSearches, text);
    if (recentSearches[0] !== current.recentSearches[0]) void set.call(this.#ports.settings, { recentSearches });
  }

  /** Opens the next (1) or previous (-1) result. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    return this.#openFrom(by, () => true);
  }

  stepUnread(): boolean {
    return this.#openFrom(1, ({ hit }) => this.isUnread(hit));
  }

  #openFrom(by: 1 | -1, isWanted: (row: HitRow) => boolean): boolean {
    for (let index = Math.max(-1, this.place) + by; index >= 0; index += by) {
      const row = this.rows[index];
      if (row === undefined) return false;
      if (row.type !== 'hit' || refOf(row.hit) === null || !isWanted(row)) continue;
      this.#open(row, index);
      return true;
    }
    return false;
  }
}

/** The page of a result; that of a note is its subject's. Null for a kind of report that this version doesn't know. */
export function refOf({ id, kind, model, report }: SearchHit): Ref | null {
  if (kind === 'items') return { view: 'item', id };
  if (kind === 'stories') return { view: 'story', publicId: id };
  if (kind === 'notes') {
    const key = noteOfHit(id);
    return key && targetOfNote(key);
  }
  if (report && REPORT_KINDS.includes(report.kind)) return { view: 'report', ...report };
  return model && { view: 'model', modelList: model.modelList, id: model.id };
}

export const [searchContext, setSearchContext] = createContext<SearchListState>();
