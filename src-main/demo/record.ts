import { PURPOSE, SeededRandom, drawId } from './random.ts';
import type { ItemPatch, ServedItem } from './options.ts';
import { categoryOf, isCategory } from './content/subjects.ts';
import { writeItem, type ItemOutline, type Style } from './content/item-texts.ts';

/** One news event for every 40 slots: two hours of living content. */
const SLOTS_PER_EVENT = 40;

/** An item as the service stores it. */
export interface DemoRecord extends ItemOutline {
  /** Where it stands in `by=timeline`. */
  timelineAt: number;
  /** In the selected set. Two items on the same fact are both marked, but only one of them is in the set. */
  selected: boolean;
  withdrawn: boolean;
  patch: ItemPatch;
  /** Made when it is first needed. */
  written: ServedItem | null;
}

/** The item of a slot. The caller may decide `selected`, otherwise one in five is, and that it reports no shared event. */
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
  // A backfilled item keeps the time of its source in the timeline, although the service found it late.
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

/** Overrides fields of an item. Those that decide its place in lists and reports take effect there, too. */
export function patchRecord(record: DemoRecord, patch: ItemPatch): void {
  record.patch = { ...record.patch, ...patch };
  const { publishedAt, score, category } = patch;
  if (publishedAt === null) record.publishedAt = null;
  if (typeof publishedAt === 'string') record.publishedAt = Date.parse(publishedAt);
  if (typeof score === 'number') record.score = score;
  if (isCategory(category)) record.category = category;
}

/** The item as it is served. The same object until something about it changes. */
export function served(seed: number, record: DemoRecord, style: Style): ServedItem {
  record.written ??= { ...writeItem(seed, record, style), ...record.patch };
  return record.written;
}

/** Returns the event of a slot: of each 40 slots, 3 to 12 share one, and the first of these is among the first five. */
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
