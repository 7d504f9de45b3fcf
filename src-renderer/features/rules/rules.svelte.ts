import { m } from '../../../src-main/common/i18n/messages.ts';
import { categoryName } from '../../../src-main/common/i18n/names.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import type { Reply } from '../../../src-main/contract/api.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type {
  MuteRule,
  MuteRules,
  RuleProgress,
  SavedSearch,
  SavedSearches,
} from '../../../src-main/contract/model/rules.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { ToastsState } from '../../ui/feedback/toasts.svelte.ts';
import { muteOfCategory, muteOfSource } from './mute-query.ts';
import { savedNames } from '../feed/index.ts';

interface Ports {
  wire: Wire;
  toasts: Pick<ToastsState, 'show' | 'complain' | 'complainIfFailed'>;
  /** Lists may have other items than before. */
  onmatched: () => void;
}

/** Saved searches and mute rules. What is removed can be brought back from the message that says so. */
export class RulesState {
  readonly #ports: Ports;
  #searches = $state.raw<readonly SavedSearch[]>([]);
  #mutes = $state.raw<readonly MuteRule[]>([]);
  #progress = $state.raw<RuleProgress | null>(null);

  constructor(ports: Ports) {
    this.#ports = ports;
    const { wire } = ports;
    wire.on('data.replaced', () => void this.load());
    wire.on('rules.changed', ({ progress }) => {
      const matched = this.#progress !== null && progress === null;
      this.#progress = progress;
      void this.load();
      if (matched) ports.onmatched();
    });
  }

  get searches(): readonly SavedSearch[] {
    return this.#searches;
  }
  get mutes(): readonly MuteRule[] {
    return this.#mutes;
  }
  /** How far saved items are matched; null if all are. */
  get progress(): RuleProgress | null {
    return this.#progress;
  }

  async load(): Promise<void> {
    const { wire } = this.#ports;
    const [searches, mutes] = await Promise.all([wire.call('saved.list', {}), wire.call('mutes.list', {})]);
    if (searches.ok) this.#takeSearches(searches.value);
    if (mutes.ok) this.#mutes = mutes.value.rules;
  }

  /** Saves a search as a view. Answers its id, or why it could not be saved. */
  async save(name: string, query: string): Promise<{ id: string } | Failure> {
    const reply = await this.#ports.wire.call('saved.add', { name, query });
    if (!reply.ok) return reply.error;
    this.#takeSearches(reply.value);
    return { id: reply.value.id };
  }

  /** Answers why it could not be changed. */
  async rename(id: string, name: string): Promise<Failure | null> {
    const reply = await this.#ports.wire.call('saved.change', { id, name });
    if (reply.ok) this.#takeSearches(reply.value);
    return reply.ok ? null : reply.error;
  }

  async removeSearch({ id, name, query, notify, position }: SavedSearch): Promise<void> {
    const reply = await this.#ports.wire.call('saved.remove', { id });
    if (!this.#took(reply, (value) => this.#takeSearches(value))) return;
    const was = { id, position };
    this.#offerUndo(m.rules_search_removed({ name }), async () => {
      const back = await this.#ports.wire.call('saved.add', { name, query, notify, was });
      this.#took(back, (value) => this.#takeSearches(value));
    });
  }

  /** What of an item can be muted at once. */
  actionsFor({ source, category }: Pick<StoredItem, 'source' | 'category'>): { label: string; run: () => void }[] {
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

  /** Hides what a source publishes. */
  muteSource(name: string): void {
    void this.#muteOrComplain(muteOfSource(name));
  }

  /** Hides what a query matches. Answers why it could not be done. */
  async mute(query: string): Promise<Failure | null> {
    const reply = await this.#ports.wire.call('mutes.add', { query });
    if (!reply.ok) return reply.error;
    this.#takeMutes(reply.value);
    const { id } = reply.value;
    this.#offerUndo(m.rules_muted({ query }), async () => {
      this.#took(await this.#ports.wire.call('mutes.remove', { id }), (value) => this.#takeMutes(value));
    });
    return null;
  }

  async unmute({ id, query }: Pick<MuteRule, 'id' | 'query'>): Promise<void> {
    const reply = await this.#ports.wire.call('mutes.remove', { id });
    if (!this.#took(reply, (value) => this.#takeMutes(value))) return;
    this.#offerUndo(m.rules_mute_removed({ query }), async () => {
      this.#took(await this.#ports.wire.call('mutes.add', { query, was: id }), (value) => this.#takeMutes(value));
    });
  }

  #muteOrComplain(query: string): Promise<void> {
    return this.#ports.toasts.complainIfFailed(m.rules_failed(), this.mute(query));
  }

  #offerUndo(text: string, run: () => Promise<void>): void {
    this.#ports.toasts.show(text, { action: { label: m.list_undo(), run: () => void run() } });
  }

  #took<T>(reply: Reply<T>, take: (value: T) => void): boolean {
    if (reply.ok) take(reply.value);
    else this.#ports.toasts.complain(m.rules_failed(), reply.error);
    return reply.ok;
  }

  #takeMutes({ rules, progress }: MuteRules): void {
    this.#mutes = rules;
    this.#progress = progress;
  }

  #takeSearches({ searches }: SavedSearches): void {
    this.#searches = searches;
    savedNames.clear();
    for (const { id, name } of searches) savedNames.set(id, name);
  }
}
