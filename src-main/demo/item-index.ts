import type { DemoRecord } from './record.ts';
import { firstIndex } from './sorted-list.ts';

/** Every item the service ever had, in the orders that its responses need. */
export class ItemIndex {
  readonly #byId = new Map<string, DemoRecord>();
  /** Oldest discovery first. */
  readonly #byDiscovery: DemoRecord[] = [];
  readonly #byNewsEvent = new Map<number, DemoRecord[]>();
  #selected: DemoRecord[] | null = null;

  get(id: string): DemoRecord | undefined {
    return this.#byId.get(id);
  }

  add(record: DemoRecord): void {
    this.#byId.set(record.id, record);
    this.#byDiscovery.splice(this.#countUntil(record.discoveredAt), 0, record);
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

  /** How many items were discovered up to a moment. */
  #countUntil(time: number): number {
    return firstIndex(this.#byDiscovery, (record) => record.discoveredAt > time);
  }
}
