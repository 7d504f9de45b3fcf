import type { ItemStatus, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** The open item. It stays open when the list around it changes; changes of the item itself appear in place. */
export class ReadingState {
  readonly #wire: Wire;
  #item = $state.raw<StoredItem | null>(null);
  #withdrawn = $state(false);
  #stored = $state(true);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.#update(null));
    wire.on('items.changed', ({ ids }) => void this.#update(ids));
    wire.on('marks.changed', ({ ids }) => void this.#update(ids));
  }

  get item(): StoredItem | null {
    return this.#item;
  }
  get withdrawn(): boolean {
    return this.#withdrawn;
  }

  /** True if the open item is saved; a result of an online search need not be. */
  get stored(): boolean {
    return this.#stored;
  }

  open(item: StoredItem, stored = true): void {
    this.#item = item;
    this.#withdrawn = item.withdrawnAt !== null;
    this.#stored = stored;
  }

  close(): void {
    this.#item = null;
    this.#withdrawn = false;
  }

  patchState(id: string, state: ItemStatus): void {
    if (this.#item?.id === id) this.#item = { ...this.#item, state };
  }

  async #update(ids: readonly string[] | null): Promise<void> {
    const id = this.#item?.id;
    if (id === undefined || (ids !== null && !ids.includes(id))) return;
    const reply = await this.#wire.call('items.get', { id });
    if (this.#item?.id !== id) return;
    if (reply.ok) this.open(reply.value);
    else if (reply.error.code === 'not_found') this.#withdrawn = this.#stored;
  }
}
