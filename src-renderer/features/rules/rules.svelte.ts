import { m } from '../../../src-main/common/i18n/messages.ts';
import { categoryName } from '../../../src-main/common/i18n/labels.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type {
  MuteRule,
  MuteRules,
  RuleProgress,
  SavedSearch,
  SavedSearches,
} from '../../../src-main/contract/model/search.ts';
import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type { ToastsState } from '../../ui/feedback/toasts.svelte.ts';
import { muteOfCategory, muteOfSource } from './mute-query.ts';
import { savedNames } from '../feed/index.ts';

interface Ports {
  wire: Wire;
  toasts: Pick<ToastsState, 'show' | 'complain' | 'complainIfFailed'>;
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

/** A menu has to fit on the screen: after a rule is removed the next one is offered. */
const MOST_RULES_OF_A_ROW = 8;

/** Saved searches and mute rules. The message about a removal offers to undo it. */
export class RulesState {
  readonly #ports: Ports;
  #searches = $state.raw<readonly SavedSearch[]>([]);
  #mutes = $state.raw<readonly MuteRule[]>([]);
  #progress = $state.raw<RuleProgress | null>(null);
  /** Discards replies to superseded requests. */
  #run = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    const { wire } = ports;
    wire.on('data.replaced', () => void this.load());
    wire.on('rules.changed', ({ progress }) => {
      this.#follow(progress);
      void this.load();
    });
  }

  get searches(): readonly SavedSearch[] {
    return this.#searches;
  }
  get mutes(): readonly MuteRule[] {
    return this.#mutes;
  }
  /** Progress of matching saved items; null if all are. */
  get progress(): RuleProgress | null {
    return this.#progress;
  }

  async load(): Promise<void> {
    const { wire } = this.#ports;
    const run = ++this.#run;
    const [searches, mutes] = await Promise.all([wire.call('saved.list', {}), wire.call('mutes.list', {})]);
    if (run !== this.#run) return;
    if (searches.ok) this.#showSearches(searches.value.searches);
    if (mutes.ok) this.#mutes = mutes.value.rules;
    // Only after the latest request.
    if (mutes.ok) this.#follow(mutes.value.progress);
    else if (searches.ok) this.#follow(searches.value.progress);
  }

  /** Saves a search as a view. Returns its id, or the failure. */
  async save(name: string, query: string, notify = false): Promise<{ id: string } | Failure> {
    const reply = await this.#ports.wire.call('saved.add', { name, query, notify });
    if (!reply.ok) return reply.error;
    this.#takeSearches(reply.value);
    return { id: reply.value.id };
  }

  /** Resolves to the failure, if any. */
  async rename(id: string, name: string): Promise<Failure | null> {
    const reply = await this.#ports.wire.call('saved.change', { id, name });
    if (reply.ok) this.#takeSearches(reply.value);
    return reply.ok ? null : reply.error;
  }

  async setNotify(id: string, notify: boolean): Promise<void> {
    this.#took(await this.#ports.wire.call('saved.change', { id, notify }), (value) => this.#takeSearches(value));
  }

  /** Moves a saved search up (-1) or down (1). Returns false if that failed. */
  async moveSearch(id: string, by: 1 | -1): Promise<boolean> {
    const to = this.#searches.findIndex((one) => one.id === id) + by;
    if (to < 0 || to >= this.#searches.length) return false;
    return this.#took(await this.#ports.wire.call('saved.move', { id, to }), (value) => this.#takeSearches(value));
  }

  removeSearch(search: SavedSearch): Promise<void> {
    return this.#ports.undo.during(this.#removeSearch(search));
  }

  async #removeSearch({ id, name, query, notify, position }: SavedSearch): Promise<void> {
    const reply = await this.#ports.wire.call('saved.remove', { id });
    if (!this.#took(reply, (value) => this.#takeSearches(value))) return;
    const was = { id, position };
    this.#offerUndo(m.rules_search_removed({ name }), async () => {
      const back = await this.#ports.wire.call('saved.add', { name, query, notify, was });
      return this.#took(back, (value) => this.#takeSearches(value));
    });
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

  /** Hides the matches of a query. Resolves to the failure, if any. */
  mute(query: string): Promise<Failure | null> {
    return this.#ports.undo.during(this.#mute(query));
  }

  async #mute(query: string): Promise<Failure | null> {
    const reply = await this.#ports.wire.call('mutes.add', { query });
    if (!reply.ok) return reply.error;
    this.#takeMutes(reply.value);
    const { id, added } = reply.value;
    const what = m.rules_muted({ query });
    // The same rule existed already: it stays.
    if (!added) this.#ports.toasts.show(what);
    else {
      this.#offerUndo(what, async () =>
        this.#took(await this.#ports.wire.call('mutes.remove', { id }), (value) => this.#takeMutes(value)),
      );
    }
    return null;
  }

  unmute(rule: Pick<MuteRule, 'id' | 'query'>): Promise<void> {
    return this.#ports.undo.during(this.#unmute(rule));
  }

  async #unmute({ id, query }: Pick<MuteRule, 'id' | 'query'>): Promise<void> {
    const reply = await this.#ports.wire.call('mutes.remove', { id });
    if (!this.#took(reply, (value) => this.#takeMutes(value))) return;
    this.#offerUndo(m.rules_mute_removed({ query }), async () =>
      this.#took(await this.#ports.wire.call('mutes.add', { query, was: id }), (value) => this.#takeMutes(value)),
    );
  }

  #muteOrComplain(query: string): Promise<void> {
    return this.#ports.toasts.complainIfFailed(m.rules_failed(), this.mute(query));
  }

  /** @param run undoes it; resolves to false if that could not be saved */
  #offerUndo(what: string, run: () => Promise<boolean>): void {
    const { toasts, undo } = this.#ports;
    const takeBack = async (): Promise<boolean> => {
      const isDone = await run();
      if (isDone) toasts.show(m.undo_done({ what }));
      return isDone;
    };
    const step: Step = { what, bulk: false, takeBack };
    undo.push(step);
    toasts.show(what, { action: { label: m.list_undo(), run: () => void undo.undo(step) } });
  }

  #took<T>(reply: Reply<T>, take: (value: T) => void): boolean {
    if (reply.ok) take(reply.value);
    else this.#ports.toasts.complain(m.rules_failed(), reply.error);
    return reply.ok;
  }

  #takeMutes({ rules, progress }: MuteRules): void {
    this.#mutes = rules;
    this.#takeProgress(progress);
  }

  #takeSearches({ searches, progress }: SavedSearches): void {
    this.#showSearches(searches);
    this.#takeProgress(progress);
  }

  /** Takes the progress of a reply to a change: a list that was read before is outdated. */
  #takeProgress(progress: RuleProgress | null): void {
    this.#run += 1;
    this.#follow(progress);
    // All items may be matched before the reply arrives.
    if (progress !== null) void this.load();
  }

  #follow(progress: RuleProgress | null): void {
    const matched = this.#progress !== null && progress === null;
    this.#progress = progress;
    if (matched) this.#ports.onmatched();
  }

  #showSearches(searches: readonly SavedSearch[]): void {
    this.#searches = searches;
    savedNames.clear();
    for (const { id, name } of searches) savedNames.set(id, name);
    this.#ports.onsearches(new Set(searches.map(({ id }) => id)));
  }
}
