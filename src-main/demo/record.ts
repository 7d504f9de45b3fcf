import { PURPOSE, Dice, drawId } from './dice.ts';
import type { ItemPatch, ServedItem } from './options.ts';
import { categoryOf, isCategory } from './content/facts.ts';
import type { Category } from './content/template.ts';
import { writeItem } from './content/writing.ts';

/** How many slots share one big event: two hours of them in living content. */
const SLOTS_AN_EVENT = 40;

/** An item as the service keeps it. Its words are written when somebody asks for them. */
export interface DemoRecord {
  id: string;
  /** Whence everything about it follows. */
  slot: number;
  /** Number of the event it reports on together with others; null when it stands alone. */
  event: number | null;
  category: Category;
  /** Milliseconds since 1970, as are the two below. */
  discoveredAt: number;
  publishedAt: number | null;
  /** Where it stands in `by=timeline`. */
  timelineAt: number;
  score: number;
  selected: boolean;
  /** Whether the selected set holds it: a fact told twice is flagged twice and has one seat. */
  seated: boolean;
  withdrawn: boolean;
  /** How often its title and its summary were rewritten. */
  titleRevision: number;
  summaryRevision: number;
  patch: ItemPatch;
  written: ServedItem | null;
}

/** The item of a slot. In fixed content the caller decides `selected`; otherwise one in five is. */
export function createRecord(
  seed: number,
  slot: number,
  discoveredAt: number,
  decided?: { selected: boolean },
): DemoRecord {
  const dice = new Dice(seed, PURPOSE.item, slot, 1);
  const event = eventOf(seed, slot);
  const selected = decided?.selected ?? dice.chance(event === null ? 0.16 : 0.36);
  const publishedAt = dice.chance(0.03)
    ? null
    : discoveredAt - dice.between(1, 90) * 60_000 - dice.between(0, 59) * 1000;
  // A backfilled item keeps the time of its source in the timeline, although the service found it late.
  const backfilled = dice.chance(0.02) && publishedAt !== null;
  const from = backfilled ? publishedAt - dice.between(2, 30) * 3_600_000 : publishedAt;
  return {
    id: drawId(seed, slot),
    slot,
    event,
    category: categoryOf(seed, slot, event),
    discoveredAt,
    publishedAt: from,
    timelineAt: backfilled && from !== null ? from : discoveredAt,
    score: selected ? dice.between(66, 97) : dice.between(18, 72),
    selected,
    seated: selected && (decided !== undefined || !dice.chance(0.025)),
    withdrawn: false,
    titleRevision: 0,
    summaryRevision: 0,
    patch: {},
    written: null,
  };
}

/** Lays fields over an item, and lets its place in orders and reports follow those that matter to it. */
export function patchRecord(record: DemoRecord, patch: ItemPatch): void {
  record.patch = { ...record.patch, ...patch };
  const { publishedAt, score, category } = patch;
  if (publishedAt === null) record.publishedAt = null;
  if (typeof publishedAt === 'string') record.publishedAt = Date.parse(publishedAt);
  if (typeof score === 'number') record.score = score;
  if (isCategory(category)) record.category = category;
}

/** The item's public face. The same object until something about it changes. */
export function served(seed: number, record: DemoRecord): ServedItem {
  record.written ??= { ...writeItem(seed, record), ...record.patch };
  return record.written;
}

/** Three to twelve slots of each forty report on the same event; the first of them is among the first five. */
function eventOf(seed: number, slot: number): number | null {
  const event = Math.floor(slot / SLOTS_AN_EVENT);
  return slotsOfEvent(seed, event).has(slot) ? event : null;
}

const lastAsked = { key: '', slots: new Set<number>() };

function slotsOfEvent(seed: number, event: number): Set<number> {
  const key = `${seed}:${event}`;
  if (lastAsked.key !== key) {
    const dice = new Dice(seed, PURPOSE.event, event, 1);
    const first = dice.between(0, 4);
    const later = dice.some(
      Array.from({ length: SLOTS_AN_EVENT - first - 1 }, (_, index) => first + 1 + index),
      dice.between(2, 11),
    );
    lastAsked.key = key;
    lastAsked.slots = new Set([first, ...later].map((offset) => event * SLOTS_AN_EVENT + offset));
  }
  return lastAsked.slots;
}
