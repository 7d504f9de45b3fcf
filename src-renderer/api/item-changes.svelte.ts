import type { MethodName, Result } from '../../src-main/contract/methods.ts';
import type { FoldedReports, ItemStatus } from '../../src-main/contract/model/item.ts';

/** Keeps the latest ones: rows of an online search are never read again, and stay as they were changed. */
const MAX_LAYERS = 200;

export interface ChangeableItem {
  readonly id: string;
  readonly state: ItemStatus;
  readonly folded?: FoldedReports;
}

/** How items look before they are read again, wherever they are. Returns others as they are. */
export type ItemChange = <T extends ChangeableItem>(item: T) => T;

interface Layer {
  readonly changes: { readonly item?: ItemChange };
  /** The tick at which it was saved; null until then. */
  readonly savedAt: number | null;
}

const ITEMS_IN: { readonly [M in MethodName]?: (value: Result<M>) => readonly (object | null)[] } = {
  'items.context': ({ sameSource }) => sameSource,
  'items.folded': ({ rows }) => rows,
  'items.get': (item) => [item],
  'items.page': ({ rows }) => rows,
  'items.rows': ({ rows }) => rows,
  'items.searchOnline': ({ items }) => items,
  'models.news': ({ rows }) => rows,
  'visits.list': ({ rows }) => rows,
};

/** Changes over items, as layers: one shows on each item that was asked for before it was saved. */
export class ItemChanges {
  #layers = $state.raw<readonly Layer[]>([]);
  readonly #askedAt = new WeakMap<object, number>();
  /** The same object for the same item and layers, so that a row is drawn once. */
  readonly #shown = new WeakMap<object, { layers: readonly Layer[]; item: unknown }>();

  add(layer: Layer): void {
    this.#layers = [...this.#layers, layer].slice(-MAX_LAYERS);
  }

  remove(layer: Layer): void {
    this.#layers = this.#layers.filter((one) => one !== layer);
  }

  /** Takes when the items of a reply were asked for. */
  note<M extends MethodName>(method: M, value: Result<M>, askedAt: number): void {
    for (const item of ITEMS_IN[method]?.(value) ?? []) if (item) this.#askedAt.set(item, askedAt);
  }

  over<T extends ChangeableItem>(item: T): T {
    const layers = this.#layers;
    const known = this.#shown.get(item);
    if (known?.layers === layers) return known.item as T;
    const askedAt = this.#askedAt.get(item) ?? 0;
    const shown = layers
      .filter(({ savedAt }) => savedAt === null || askedAt <= savedAt)
      .reduce((seen, { changes }) => changes.item?.(seen) ?? seen, item);
    this.#shown.set(item, { layers, item: shown });
    if (shown !== item) this.#askedAt.set(shown, askedAt);
    return shown;
  }
}
