import { PURPOSE, SeededRandom, drawId } from './random.ts';
import type { ItemPatch, ServedItem } from './options.ts';
import { categoryOf, isCategory } from './content/subjects.ts';
import { writeItem, type ItemOutline, type Style } from './content/item-texts.ts';

/** One news event for every 40 slots: two hours of living content. */
const SLOTS_PER_EVENT = 40;

export interface DemoRecord extends ItemOutline {
  /** In ms since 1970, for `by=timeline`. */
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

/** Moves the item in lists and reports if a field decides its place there. */
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
