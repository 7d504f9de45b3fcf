import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import type { ModelListName } from '../../../../src-main/contract/model/resource.ts';
import type { ModelRefresh, StoredModel } from '../../../../src-main/contract/model/model.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../../api/async-resource.svelte.ts';

export const MOST_NEWS = 30;
const MOST_REFRESHES = 1000;

/** The model whose page is open, its changes, and the news that seem to mention it. */
export class ModelPageState {
  readonly #wire: Wire;
  readonly resource = new AsyncResource<StoredModel>();
  readonly news = new AsyncResource<{ rows: ItemRow[] }>();
  #history = $state.raw<readonly ModelRefresh[]>([]);
  #open: { modelList: ModelListName; id: string } | null = null;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get model(): StoredModel | null {
    return this.resource.value;
  }
  /** Newest first. */
  get history(): readonly ModelRefresh[] {
    return this.#history;
  }

  /** Reloads the page when its data changes. Returns the function that stops it. */
  follow(): () => void {
    const ends = [
      this.#wire.on('data.replaced', () => void this.load()),
      this.#wire.on('models.changed', ({ modelLists }) => {
        if (this.#open && modelLists.includes(this.#open.modelList)) void this.load();
      }),
      this.#wire.on('items.changed', () => void this.#readNews()),
    ];
    return () => ends.forEach((end) => end());
  }

  async open(modelList: ModelListName, id: string): Promise<void> {
    this.#open = { modelList, id };
    this.resource.clear();
    this.news.clear();
    this.#history = [];
    await this.load();
  }

  async load(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    await Promise.all([
      this.resource.read(this.#wire.call('models.get', open)),
      this.#readNews(),
      this.#readHistory(open),
    ]);
  }

  /** Shows a change before the core has saved it. */
  #patch(changes: Pick<StoredModel, 'aliases'>): void {
    if (this.model) this.resource.put({ ...this.model, ...changes });
  }

  /** Resolves to the failure, if any. */
  async setAliases(aliases: string[]): Promise<Failure | null> {
    const { model } = this;
    if (!model) return null;
    const before = model.aliases;
    this.#patch({ aliases });
    const reply = await this.#wire.call('models.setAliases', { id: model.id, aliases });
    if (!reply.ok && this.model?.id === model.id) this.#patch({ aliases: before });
    if (reply.ok) await this.#readNews();
    return reply.ok ? null : reply.error;
  }

  async #readNews(): Promise<void> {
    if (this.#open) await this.news.read(this.#wire.call('models.news', { id: this.#open.id, limit: MOST_NEWS }));
  }

  async #readHistory(open: { modelList: ModelListName; id: string }): Promise<void> {
    const reply = await this.#wire.call('models.changes', { limit: MOST_REFRESHES, model: open });
    if (reply.ok && this.#open === open) this.#history = reply.value.refreshes;
  }
}
