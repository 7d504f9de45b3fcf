import type { DemoRecord } from './record.ts';
import { firstIndex } from './sorted-list.ts';

/** Every item the service ever had, in the orders that its responses need. */
export class ItemIndex {
  readonly #byId = new Map<string, DemoRecord>();
  /** Those that are not in `#byId` yet: it costs as much as the rest of a history, and few are asked for by id. */
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

  /** The item of a slot. */
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

  /** To be called when an item entered or left the selected set. */
  refreshSelected(): void {
    this.#selected = null;
  }

  /** The selected set, ordered by id. */
  selected(): readonly DemoRecord[] {
    this.#selected ??= this.#byDiscovery
      .filter((record) => record.selected && !record.withdrawn)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#selected;
  }

  /** The public items discovered at or after `from` and before `to` (milliseconds since 1970), oldest first. */
  discovered(from = -Infinity, to = Infinity): DemoRecord[] {
    return this.#byDiscovery
      .slice(this.#countUntil(from - 1), this.#countUntil(to - 1))
      .filter((record) => !record.withdrawn);
  }

  /** The public items about a news event, oldest first. */
  about(newsEvent: number): DemoRecord[] {
    return (this.#byNewsEvent.get(newsEvent) ?? []).filter((record) => !record.withdrawn);
  }

  /** Numbers of the news events that have items, oldest first. */
  newsEvents(): number[] {
    return [...this.#byNewsEvent.keys()];
  }

  /** From the end, because nearly all come in the order of their discovery. */
  #insert(record: DemoRecord): void {
    const list = this.#byDiscovery;
    let at = list.length;
    for (let before = list[at - 1]; before && before.discoveredAt > record.discoveredAt; before = list[at - 1]) {
      list[at] = before;
      at -= 1;
    }
    list[at] = record;
  }

  /** How many items were discovered up to a moment. */
  #countUntil(time: number): number {
    return firstIndex(this.#byDiscovery, (record) => record.discoveredAt > time);
  }
}
