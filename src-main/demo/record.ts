import { PURPOSE, SeededRandom, drawId } from './random.ts';
import type { ItemPatch, ServedItem } from './options.ts';
import { categoryOf, isCategory, writeItem, type ItemOutline, type Style } from './content/item-texts.ts';

/** One news event for every 40 slots: two hours of living content. */
const SLOTS_PER_EVENT = 40;

export interface DemoRecord extends ItemOutline {
  timelineAt: number;
  /** Two items on the same fact are both marked, but only one of them is in the set. */
  selected: boolean;
  withdrawn: boolean;
  patch: ItemPatch;
  written: ServedItem | null;
}

/** Selects one in five by chance unless `decided`; a `single` item reports no shared event. */
export function createRecord(
  seed: number,
  slot: number,
  discoveredAt: number,
  decided?: { selected: boolean; single?: boolean },
): DemoRecord {
  const random = new SeededRandom(seed, PURPOSE.item, slot, 1);
  const newsEvent = decided?.single ? null : eventOf(seed, slot);
  const markedSelected = decided?.selected ?? random.chance(newsEvent === null ? 0.16 : 0.36);
  const publishedAt = random.chance(0.03)
    ? null
    : discoveredAt - random.between(1, 90) * 60_000 - random.between(0, 59) * 1000;
  // A backfilled item keeps the time of its source in the timeline.
  const backfilled = random.chance(0.02) && publishedAt !== null;
  const from = backfilled ? publishedAt - random.between(2, 30) * 3_600_000 : publishedAt;
  return {
    id: drawId(seed, slot),
    slot,
    newsEvent,
    category: categoryOf(seed, slot, newsEvent),
    discoveredAt,
    publishedAt: from,
    timelineAt: backfilled && from !== null ? from : discoveredAt,
    score: markedSelected ? random.between(66, 97) : random.between(18, 72),
    markedSelected,
    selected: markedSelected && (decided !== undefined || !random.chance(0.025)),
    withdrawn: false,
    titleRevision: 0,
    summaryRevision: 0,
    patch: {},
    written: null,
  };
}

export function patchRecord(record: DemoRecord, patch: ItemPatch): void {
  record.patch = { ...record.patch, ...patch };
  const { publishedAt, score, category } = patch;
  if (publishedAt === null) record.publishedAt = null;
  if (typeof publishedAt === 'string') record.publishedAt = Date.parse(publishedAt);
  if (typeof score === 'number') record.score = score;
  if (isCategory(category)) record.category = category;
}

/** Returns the same object until something about the item changes. */
export function serveItem(seed: number, record: DemoRecord, style: Style): ServedItem {
  record.written ??= { ...writeItem(seed, record, style), ...record.patch };
  return record.written;
}

/** Groups 3 to 12 of each 40 slots into an event, the first of these among the first five. */
function eventOf(seed: number, slot: number): number | null {
  const newsEvent = Math.floor(slot / SLOTS_PER_EVENT);
  return slotsOfEvent(seed, newsEvent).has(slot) ? newsEvent : null;
}

const lastEvent = { key: '', slots: new Set<number>() };

function slotsOfEvent(seed: number, newsEvent: number): Set<number> {
  const key = `${seed}:${newsEvent}`;
  if (lastEvent.key !== key) {
    const random = new SeededRandom(seed, PURPOSE.newsEvent, newsEvent, 1);
    const first = random.between(0, 4);
    const later = random.some(
      Array.from({ length: SLOTS_PER_EVENT - first - 1 }, (_, index) => first + 1 + index),
      random.between(2, 11),
    );
    lastEvent.key = key;
    lastEvent.slots = new Set([first, ...later].map((offset) => newsEvent * SLOTS_PER_EVENT + offset));
  }
  return lastEvent.slots;
}

export class ItemIndex {
  readonly #byId = new Map<string, DemoRecord>();
  /** Not in `#byId` yet: it costs as much as the rest of a history, and few items are requested by id. */
  readonly #unindexed: DemoRecord[] = [];
  readonly #bySlot = new Map<number, DemoRecord>();
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

  listSelected(): readonly DemoRecord[] {
    this.#selected ??= this.#byDiscovery
      .filter((record) => record.selected && !record.withdrawn)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#selected;
  }

  /** Returns public items discovered from `from` to before `to`, oldest first. */
  listDiscovered(from = -Infinity, to = Infinity): DemoRecord[] {
    return this.#byDiscovery
      .slice(this.#countUntil(from - 1), this.#countUntil(to - 1))
      .filter((record) => !record.withdrawn);
  }

  listOfEvent(newsEvent: number): DemoRecord[] {
    return (this.#byNewsEvent.get(newsEvent) ?? []).filter((record) => !record.withdrawn);
  }

  listEvents(): number[] {
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

/** Requires that all entries that are `isAfter` come last. */
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
