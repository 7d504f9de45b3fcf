import { createContext, untrack } from 'svelte';
import {
  categoryName,
  errorMessages,
  failureReasons,
  filtersWindows,
  messageFor,
  viewNames,
} from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { operatorText, precedeEach, QUOTES } from '../../../src-main/common/query.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Args, Reply, Result } from '../../../src-main/contract/methods.ts';
import type { ItemRow, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import {
  LONGEST_RULE_NAME,
  type MuteRule,
  type RuleProblem,
  type RuleProgress,
  type SavedSearch,
  type SavedSearches,
} from '../../../src-main/contract/model/search.ts';
import type { Live, LiveAnswers } from '../../api/live.ts';
import type { Act, Toasts } from '../../ui/page-context.ts';
import { queryName, ruleName } from '../../ui/text/query-name.ts';
import { savedNames } from '../feed/index.ts';

interface Ports {
  live: LiveAnswers;
  act: Act;
  toasts: Toasts;
  /** Returns the open item; `leave` closes it. */
  open: () => Mutable | null;
  leave: () => void;
  /** Called when lists may have other items than before. */
  onmatched: () => void;
  /** Called with the ids of the existing saved searches. */
  onsearches: (ids: ReadonlySet<string>) => void;
}

type Mutable = Pick<ItemRow, 'source' | 'category' | 'state'>;

interface RuleAction {
  label: string;
  run: () => void;
}

type Change = 'saved.add' | 'saved.change' | 'saved.move' | 'saved.remove' | 'mutes.add' | 'mutes.remove';

/** Longest name of a source, in UTF-16 units: queries have a maximum length. */
const LONGEST_SOURCE = 300;

const QUOTED = new RegExp(`[${QUOTES}]`, 'u');
const BREAKS = new RegExp(`[\\s,;，。、；！？（）()${QUOTES}]+`, 'u');

/** A menu has to fit on the screen: after a rule is removed the next one is offered. */
const MOST_RULES_OF_A_ROW = 8;

/** Saved searches and mute rules. The message about a removal offers to undo it. */
export class RulesState {
  readonly #ports: Ports;
  readonly #saved: Live<'saved.list'>;
  readonly #muted: Live<'mutes.list'>;
  #progress = $state.raw<RuleProgress | null>(null);
  /** Events may have been missed. Otherwise they are newer than an answer on its way. */
  #isBehind = true;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#saved = ports.live.get('saved.list', {});
    this.#muted = ports.live.get('mutes.list', {});
    ports.live.on('rules.changed', ({ progress }) => this.#follow(progress));
    ports.live.on('data.replaced', () => (this.#isBehind = true));
  }

  get searches(): readonly SavedSearch[] {
    return this.#saved.value?.searches ?? [];
  }
  get mutes(): readonly MuteRule[] {
    return this.#muted.value?.rules ?? [];
  }
  /** Progress of matching saved items; null if all are. */
  get progress(): RuleProgress | null {
    return this.#progress;
  }

  follow(): void {
    $effect.root(() => {
      $effect(() => {
        const answer = this.#saved.value;
        if (answer) untrack(() => this.#showSearches(answer.searches));
      });
      $effect(() => {
        const answer = this.#muted.value;
        if (answer && this.#isBehind) untrack(() => this.#follow(answer.progress));
      });
    });
  }

  save(name: string, query: string, notify = false): Promise<Reply<{ id: string }>> {
    return this.#change('saved.add', { name, query, notify });
  }

  change(id: string, change: Partial<Pick<SavedSearch, 'name' | 'notify' | 'marks'>>): Promise<Reply<SavedSearches>> {
    return this.#change('saved.change', { id, ...change });
  }

  /** Moves a saved search to a position, counted from 0. */
  moveSearch(id: string, to: number): Promise<Reply<SavedSearches>> {
    return this.#change('saved.move', { id, to });
  }

  removeSearch({ id, name, query, notify, marks, position }: SavedSearch): Promise<void> {
    const was = { id, position };
    return this.#remove(m.rules_search_removed({ name }), ['saved.remove', { id }], () =>
      this.#change('saved.add', { name, query, notify, marks, was }),
    );
  }

  /** Returns actions that mute parts of an item; in the list of hidden items, actions that remove rules. */
  actionsFor({ source, category, mutedBy }: Pick<ItemRow, 'source' | 'category' | 'mutedBy'>): RuleAction[] {
    if (mutedBy) {
      return mutedBy.slice(0, MOST_RULES_OF_A_ROW).map((rule) => ({
        label: m.rules_unmute({ query: oneLine(ruleName(rule.query), 60) }),
        run: () => void this.unmute(rule),
      }));
    }
    const label = sourceLabel(source.name, 40);
    return [
      ...(label === ''
        ? []
        : [{ label: m.rules_mute_source({ source: label }), run: () => this.muteSource(source.name ?? '') }]),
      ...(category === null
        ? []
        : [
            {
              label: m.rules_mute_category({ category: categoryName(category) }),
              run: () => void this.#muteAll(muteOfCategory(category), (item) => item.category === category),
            },
          ]),
    ];
  }

  muteOf(source: string): MuteRule | undefined {
    const query = muteOfSource(source);
    return this.mutes.find((rule) => rule.query === query);
  }

  /** True for an item that was read, and whose source or category is muted. Items with a star are never hidden. */
  hides(id: string): boolean {
    const item = this.#ports.live.get('items.get', { id }).value;
    if (item === null || item.state.starredAt !== null) return false;
    const queries = [muteOfSource(item.source.name ?? ''), muteOfCategory(item.category ?? '')];
    return this.mutes.some(({ query }) => queries.includes(query));
  }

  muteSource(name: string): void {
    void this.#muteAll(muteOfSource(name), ({ source }) => source.name === name);
  }

  /** @param before a rule that it replaces */
  async mute(query: string, before: MuteRule | null = null): Promise<Reply<unknown>> {
    const { act, toasts } = this.#ports;
    const what = m.rules_muted({ query: ruleName(query) });
    const reply = await act({
      // The same rule existed already: it stays.
      what: ({ added }) => (added ? what : null),
      call: async () => {
        const added = await this.#change('mutes.add', { query });
        if (!added.ok || !before || before.id === added.value.id) return added;
        const removed = await this.#change('mutes.remove', { id: before.id });
        return removed.ok ? added : removed;
      },
      takeBack: async ({ id }) => {
        const back = before && (await this.#change('mutes.add', { query: before.query, was: before.id }));
        return back?.ok === false ? back : this.#change('mutes.remove', { id });
      },
      failed: m.rules_failed(),
      complains: false,
      tell: 'toast',
    });
    if (reply.ok && !reply.value.added) toasts.show(what);
    return reply;
  }

  unmute({ id, query }: Pick<MuteRule, 'id' | 'query'>): Promise<void> {
    return this.#remove(m.rules_mute_removed({ query: ruleName(query) }), ['mutes.remove', { id }], () =>
      this.#change('mutes.add', { query, was: id }),
    );
  }

  async #muteAll(query: string, isOf: (item: Mutable) => boolean): Promise<void> {
    const muting = this.mute(query);
    void this.#ports.toasts.complainIfFailed(m.rules_failed(), muting);
    if (!(await muting).ok) return;
    const open = this.#ports.open();
    // Items with a star are never hidden.
    if (open && isOf(open) && open.state.starredAt === null) this.#ports.leave();
  }

  async #change<M extends Change>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    const reply = await this.#ports.live.call(method, args);
    if (!reply.ok) return reply;
    // All items may be matched before the lists are read.
    this.#follow(reply.value.progress);
    await Promise.all([this.#saved.read(), this.#muted.read()]);
    return reply;
  }

  async #remove<M extends Change>(
    what: string,
    [method, args]: [M, Args<M>],
    takeBack: () => Promise<Reply<unknown>>,
  ): Promise<void> {
    const call = (): Promise<Reply<unknown>> => this.#change(method, args);
    await this.#ports.act({ what, call, takeBack, failed: m.rules_failed(), tell: 'toast' });
  }

  #follow(progress: RuleProgress | null): void {
    this.#isBehind = false;
    const matched = this.#progress !== null && progress === null;
    this.#progress = progress;
    if (matched) this.#ports.onmatched();
  }

  #showSearches(searches: readonly SavedSearch[]): void {
    savedNames.clear();
    for (const search of searches) savedNames.set(search.id, search);
    this.#ports.onsearches(new Set(searches.map(({ id }) => id)));
  }
}

export const [rulesContext, setRulesContext] = createContext<RulesState>();

/** Explains in the reader's language why a rule was refused. A reason of a newer core keeps its own text. */
export function ruleFailure(failure: Failure | RuleProblem): string {
  const reason = messageFor(failureReasons, failure.reason ?? '');
  return reason ?? ('code' in failure ? errorMessages[failure.code]() : failure.message);
}

/**
 * Returns the query that mutes a source by its name as rows show it. A name with quotes can't be quoted in the query
 * language: the query then has its words one by one.
 */
export function muteOfSource(whole: string): string {
  const name = sourceLabel(whole, LONGEST_SOURCE);
  if (!QUOTED.test(name)) return `source:"${name.trim()}"`;
  const words = name.split(BREAKS).filter((word) => word !== '');
  return words.map((word) => `source:${word}`).join(' ');
}

export function muteOfCategory(category: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(category) ? `category:${category}` : `category:"${category}"`;
}

/** Suggests a name for a search: what is searched for, and the filters of its list. */
export function savedNameOf({ text = '', scope, window, state, category, source }: ItemsQuery): string {
  const names = [
    queryName(text),
    scope === 'selected' && viewNames.selected(),
    state !== 'any' && viewNames[state](),
    category !== undefined && categoryName(category),
    source !== undefined && sourceLabel(source, LONGEST_RULE_NAME),
    window !== 'any' && filtersWindows[window](),
  ];
  // A text that is cut gets an ellipsis on top.
  return oneLine(names.filter(Boolean).join(m.list_name_comma()), LONGEST_RULE_NAME - 1);
}

/** Returns the query to save for a search: the text with the filters of its list. */
export function savedQueryOf({ text = '', scope, window, state, category, source }: ItemsQuery): string {
  const filters = [
    ...(scope === 'selected' ? ['is:selected'] : []),
    ...(state === 'any' ? [] : [`is:${state}`]),
    ...(category === undefined ? [] : [operatorText('category', category).trim()]),
    ...(source === undefined ? [] : [muteOfSource(source)]),
    ...(window === 'any' ? [] : [`after:${window}`]),
  ];
  return precedeEach(text, filters);
}
