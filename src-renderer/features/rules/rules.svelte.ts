import { untrack } from 'svelte';
import { categoryName, errorMessages, failureReasons, messageFor } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Args, Reply, Result } from '../../../src-main/contract/methods.ts';
import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type {
  MuteRule,
  RuleProblem,
  RuleProgress,
  SavedSearch,
  SavedSearches,
} from '../../../src-main/contract/model/search.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Live, LiveAnswers } from '../../api/live.ts';
import type { Toasts } from '../../ui/page-context.ts';
import { savedNames } from '../feed/index.ts';
import { muteOfCategory, muteOfSource } from './mute-query.ts';

interface Ports {
  wire: Pick<Wire, 'on'>;
  live: LiveAnswers;
  toasts: Toasts;
  /** Registers an undo step. */
  undo: {
    push(step: Step): void;
    undo(step: Step): Promise<boolean>;
    /** Registers an action that is being saved: an undo meanwhile is for it. */
    during<T>(action: Promise<T>): Promise<T>;
  };
  /** Called when lists may have other items than before. */
  onmatched: () => void;
  /** Called with the ids of the existing saved searches. */
  onsearches: (ids: ReadonlySet<string>) => void;
}

interface Step {
  what: string;
  bulk: boolean;
  takeBack: () => Promise<boolean>;
}

interface RuleAction {
  label: string;
  run: () => void;
}

type Change = 'saved.add' | 'saved.change' | 'saved.move' | 'saved.remove' | 'mutes.add' | 'mutes.remove';

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
    ports.wire.on('rules.changed', ({ progress }) => this.#follow(progress));
    ports.wire.on('data.replaced', () => (this.#isBehind = true));
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

  /** Follows the rules as long as the page is open. */
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

  /** Saves a search as a view. */
  save(name: string, query: string, notify = false): Promise<Reply<{ id: string }>> {
    return this.#change('saved.add', { name, query, notify });
  }

  change(id: string, change: { name: string } | { notify: boolean }): Promise<Reply<SavedSearches>> {
    return this.#change('saved.change', { id, ...change });
  }

  /** Moves a saved search to a position, counted from 0. */
  moveSearch(id: string, to: number): Promise<Reply<SavedSearches>> {
    return this.#change('saved.move', { id, to });
  }

  removeSearch({ id, name, query, notify, position }: SavedSearch): Promise<void> {
    const was = { id, position };
    return this.#withUndo(m.rules_search_removed({ name }), ['saved.remove', { id }], () =>
      this.#change('saved.add', { name, query, notify, was }),
    );
  }

  /** Returns actions that mute parts of an item; in the list of hidden items, actions that remove rules. */
  actionsFor({ source, category, mutedBy }: Pick<ItemRow, 'source' | 'category' | 'mutedBy'>): RuleAction[] {
    if (mutedBy) {
      return mutedBy.slice(0, MOST_RULES_OF_A_ROW).map((rule) => ({
        label: m.rules_unmute({ query: oneLine(rule.query, 60) }),
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
              run: () => void this.#muteOrComplain(muteOfCategory(category)),
            },
          ]),
    ];
  }

  muteSource(name: string): void {
    void this.#muteOrComplain(muteOfSource(name));
  }

  /** Hides the matches of a query. */
  mute(query: string): Promise<Reply<unknown>> {
    return this.#ports.undo.during(this.#mute(query));
  }

  async #mute(query: string): Promise<Reply<unknown>> {
    const reply = await this.#change('mutes.add', { query });
    if (!reply.ok) return reply;
    const { id, added } = reply.value;
    const what = m.rules_muted({ query });
    // The same rule existed already: it stays.
    if (!added) this.#ports.toasts.show(what);
    else this.#offerUndo(what, () => this.#change('mutes.remove', { id }));
    return reply;
  }

  unmute({ id, query }: Pick<MuteRule, 'id' | 'query'>): Promise<void> {
    return this.#withUndo(m.rules_mute_removed({ query }), ['mutes.remove', { id }], () =>
      this.#change('mutes.add', { query, was: id }),
    );
  }

  #muteOrComplain(query: string): Promise<void> {
    return this.#ports.toasts.complainIfFailed(m.rules_failed(), this.mute(query));
  }

  async #change<M extends Change>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    const reply = await this.#ports.live.call(method, args);
    if (!reply.ok) return reply;
    // All items may be matched before the lists are read.
    this.#follow(reply.value.progress);
    await Promise.all([this.#saved.read(), this.#muted.read()]);
    return reply;
  }

  /** Removes a rule, and offers to bring it back. */
  #withUndo<M extends Change>(
    what: string,
    [method, args]: [M, Args<M>],
    undo: () => Promise<Reply<unknown>>,
  ): Promise<void> {
    const removal = this.#change(method, args).then((reply) => {
      if (reply.ok) this.#offerUndo(what, undo);
      else this.#ports.toasts.complain(m.rules_failed(), reply.error);
    });
    return this.#ports.undo.during(removal);
  }

  #offerUndo(what: string, run: () => Promise<Reply<unknown>>): void {
    const { toasts, undo } = this.#ports;
    const takeBack = async (): Promise<boolean> => {
      const reply = await run();
      if (reply.ok) toasts.show(m.undo_done({ what }));
      else toasts.complain(m.rules_failed(), reply.error);
      return reply.ok;
    };
    const step: Step = { what, bulk: false, takeBack };
    undo.push(step);
    toasts.show(what, { action: { label: m.list_undo(), run: () => void undo.undo(step) } });
  }

  #follow(progress: RuleProgress | null): void {
    this.#isBehind = false;
    const matched = this.#progress !== null && progress === null;
    this.#progress = progress;
    if (matched) this.#ports.onmatched();
  }

  #showSearches(searches: readonly SavedSearch[]): void {
    savedNames.clear();
    for (const { id, name } of searches) savedNames.set(id, name);
    this.#ports.onsearches(new Set(searches.map(({ id }) => id)));
  }
}

/** Explains in the reader's language why a rule was refused. A reason of a newer core keeps its own text. */
export function ruleFailure(failure: Failure | RuleProblem): string {
  const reason = messageFor(failureReasons, failure.reason ?? '');
  return reason ?? ('code' in failure ? errorMessages[failure.code]() : failure.message);
}
