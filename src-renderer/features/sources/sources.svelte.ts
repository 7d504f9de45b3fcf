import { createContext } from 'svelte';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { cachedFormat } from '../../../src-main/common/numbers.ts';
import type { SourcesPanel } from '../../../src-main/contract/location.ts';
import { FREQUENCY_DAYS, type SourceLine, type SourceSort } from '../../../src-main/contract/model/source.ts';
import type { LiveAnswers } from '../../api/live.ts';
import type { PageHistory } from '../../ui/page-context.ts';
import { ListCursor } from '../../ui/list-cursor.svelte.ts';

export const SOURCES_A_READ = 100;
/** The time that the statistics begin with. */
export const FIRST_DAYS = 30;
/** The limit of the contract. */
const LONGEST_TEXT = 200;

/** The order and the search of the list of sources, and the place in it. */
export class SourcesState {
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  readonly cursor = new ListCursor();
  #sort = $state<SourceSort>('unread');
  #text = $state('');

  constructor(live: LiveAnswers, history: PageHistory) {
    this.#live = live;
    this.#history = history;
    this.cursor.active = 0;
  }

  get panel(): SourcesPanel {
    return this.#history.in('sources').panel;
  }
  get sort(): SourceSort {
    return this.#sort;
  }
  get text(): string {
    return this.#text;
  }

  show(panel: SourcesPanel): void {
    this.#history.go({ view: 'sources', panel, open: [] });
  }

  /** Resolves when the shown panel can be drawn. */
  async ready(): Promise<void> {
    await (this.panel === 'list' ? this.part(0) : this.#live.get('statistics.get', { days: FIRST_DAYS })).ready();
  }

  part(offset: number) {
    const text = this.#text === '' ? {} : { text: this.#text };
    return this.#live.get('sources.list', { sort: this.#sort, offset, limit: SOURCES_A_READ, ...text });
  }

  sortBy(sort: SourceSort): void {
    this.#sort = sort;
    this.#toTop();
  }

  search(text: string): void {
    const wanted = text.trim().slice(0, LONGEST_TEXT);
    if (wanted === this.#text) return;
    this.#text = wanted;
    this.#toTop();
  }

  /** Moves to the next (1) or previous (-1) source of the list. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    if (this.panel !== 'list') return false;
    const before = this.cursor.active;
    this.cursor.moveTo(before + by);
    return this.cursor.active !== before;
  }

  #toTop(): void {
    this.cursor.active = 0;
    this.cursor.scrollTo(0);
  }
}

/** Formats "4.5 a week", over the last weeks. */
export function frequencyText({ recent }: SourceLine, locale: string): string {
  const amount = (recent * 7) / FREQUENCY_DAYS;
  const options = { maximumFractionDigits: amount < 10 ? 1 : 0 };
  return m.sources_a_week({
    amount: cachedFormat(`week ${options.maximumFractionDigits}`, locale, options).format(amount),
  });
}

/** Formats "34% selected". */
export function selectedText({ selected, items }: SourceLine, locale: string): string {
  const share = cachedFormat('share', locale, { style: 'percent', maximumFractionDigits: 0 });
  return m.sources_selected({ share: share.format(selected / items) });
}

/** Formats "First in 3 of 9 stories"; null if it was first in none. */
export function firstText({ first, stories }: SourceLine): string | null {
  return first === 0 ? null : m.sources_first({ first, count: stories });
}

export const [sourcesContext, setSourcesContext] = createContext<SourcesState>();
