import type { DemoRecord } from './record.ts';

/** Every item the service ever had, in the orders that its answers need. */
export class ItemIndex {
  readonly #byId = new Map<string, DemoRecord>();
  /** Oldest discovery first. */
  readonly #byDiscovery: DemoRecord[] = [];
  readonly #byEvent = new Map<number, DemoRecord[]>();
  #selected: DemoRecord[] | null = null;

  get(id: string): DemoRecord | undefined {
    return this.#byId.get(id);
  }

  put(record: DemoRecord): void {
    this.#byId.set(record.id, record);
    this.#byDiscovery.splice(this.#firstAfter(record.discoveredAt), 0, record);
    if (record.newsEvent !== null) {
      const reports = this.#byEvent.get(record.newsEvent);
      if (reports) reports.push(record);
      else this.#byEvent.set(record.newsEvent, [record]);
    }
    this.touch();
  }

  /** To be called when an item entered or left the selected set. */
  touch(): void {
    this.#selected = null;
  }

  /** The selected set, ordered by id. */
  selected(): readonly DemoRecord[] {
    this.#selected ??= this.#byDiscovery
      .filter((record) => record.selected && !record.withdrawn)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#selected;
  }

  /** What is public and was discovered from `from` on and before `to`, oldest first. Milliseconds since 1970. */
  discovered(from: number, to = Infinity): DemoRecord[] {
    const end = to === Infinity ? this.#byDiscovery.length : this.#firstAfter(to - 1);
    return this.#byDiscovery.slice(this.#firstAfter(from - 1), end).filter((record) => !record.withdrawn);
  }

  /** The public reports on a news event, oldest first. */
  reports(newsEvent: number): DemoRecord[] {
    return (this.#byEvent.get(newsEvent) ?? []).filter((record) => !record.withdrawn);
  }

  /** Numbers of the events that have reports, oldest first. */
  events(): number[] {
    return [...this.#byEvent.keys()];
  }

  /** Index of the first record discovered after a moment. Nearly always the end: content arrives in order. */
  #firstAfter(time: number): number {
    let low = 0;
    let high = this.#byDiscovery.length;
    if (high === 0 || (this.#byDiscovery[high - 1] as DemoRecord).discoveredAt <= time) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#byDiscovery[middle] as DemoRecord).discoveredAt <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
