import type { DemoRecord } from './record.ts';

/** Every item the service ever had. */
export class ItemIndex {
  readonly #byId = new Map<string, DemoRecord>();
  /** Not in `#byId` yet: it costs as much as the rest of a history, and few items are requested by id. */
  readonly #unindexed: DemoRecord[] = [];
  readonly #bySlot = new Map<number, DemoRecord>();
  /** Oldest discovery first. */
  readonly #byDiscovery: DemoRecord[] = [];
  readonly #byNewsEvent = new Map<number, DemoRecord[]>();
  #selected: DemoRecord[] | null = null;

  get(id: string): DemoRecord | undefined {
    for (const record of this.#unindexed.splice(0)) this.#byId.set(record.id, record);
    return this.#byId.get(id);
  }

  ofSlot(slot: number): DemoRecord | undefined {
    return this.#bySlot.get(slot);
  }

  add(record: DemoRecord): void {
    this.#unindexed.push(record);
    this.#bySlot.set(record.slot, record);
    this.#insert(record);
    if (record.newsEvent !== null) {
      const items = this.#byNewsEvent.get(record.newsEvent);
      if (items) items.push(record);
      else this.#byNewsEvent.set(record.newsEvent, [record]);
    }
    this.refreshSelected();
  }

  /** Call it when an item enters or leaves the selected set. */
  refreshSelected(): void {
    this.#selected = null;
  }

  /** Returns the set ordered by id. */
  selected(): readonly DemoRecord[] {
    this.#selected ??= this.#byDiscovery
      .filter((record) => record.selected && !record.withdrawn)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#selected;
  }

  /** Returns public items discovered from `from` to before `to` (ms since 1970), oldest first. */
  discovered(from = -Infinity, to = Infinity): DemoRecord[] {
    return this.#byDiscovery
      .slice(this.#countUntil(from - 1), this.#countUntil(to - 1))
      .filter((record) => !record.withdrawn);
  }

  about(newsEvent: number): DemoRecord[] {
    return (this.#byNewsEvent.get(newsEvent) ?? []).filter((record) => !record.withdrawn);
  }

  newsEvents(): number[] {
    return [...this.#byNewsEvent.keys()];
  }

  /** Searches from the end, because nearly all come in the order of their discovery. */
  #insert(record: DemoRecord): void {
    const list = this.#byDiscovery;
    let at = list.length;
    for (let before = list[at - 1]; before && before.discoveredAt > record.discoveredAt; before = list[at - 1]) {
      list[at] = before;
      at -= 1;
    }
    list[at] = record;
  }

  #countUntil(time: number): number {
    return firstIndex(this.#byDiscovery, (record) => record.discoveredAt > time);
  }
}

/** Requires that all entries that are `isAfter` come last. Returns the length of the list if there is none. */
export function firstIndex<T>(list: readonly T[], isAfter: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
