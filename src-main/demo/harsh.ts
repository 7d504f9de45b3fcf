import { PURPOSE, SeededRandom } from './random.ts';
import { createRecord, type DemoRecord } from './record.ts';

const DAY = 86_400_000;
/** About 22 of 968 items a week are in the selected set. Several on one event may be marked; one of them has the seat. */
const MARKED_SINGLE = 0.005;
const MARKED_OF_EVENT = 0.3;
const BACKFILLED = 0.03;
const OLDEST = Date.UTC(2017, 0, 1);
const ARCHIVE_SLOTS = 2_000_000_000;
const BATCH_SLOTS = 1_000_000_000;
const BATCH = 60;

const ARCHIVED = 1200;
const ARCHIVE_DAYS = 1096;

/** Makes an item as a real service has it: rarely selected, sometimes found years after its publication. */
export function harshRecord(seed: number, slot: number, discoveredAt: number): DemoRecord {
  const random = new SeededRandom(seed, PURPOSE.harsh, slot);
  const record = createRecord(seed, slot, discoveredAt, { selected: false });
  const selected = random.chance(record.newsEvent === null ? MARKED_SINGLE : MARKED_OF_EVENT);
  if (selected) Object.assign(record, { selected, markedSelected: true, score: random.between(66, 97) });
  if (random.chance(BACKFILLED)) publishEarlier(record, random);
  return record;
}

/** Makes the items of a new source: found at one moment, published over the years since 2017. */
export function backfilledBatch(seed: number, slot: number, at: number): DemoRecord[] {
  return Array.from({ length: BATCH }, (_, index) => backfilledRecord(seed, BATCH_SLOTS + slot * BATCH + index, at));
}

export function backfilledRecord(seed: number, number: number, at: number): DemoRecord {
  const random = new SeededRandom(seed, PURPOSE.harsh, number);
  const record = createRecord(seed, number, at, { selected: number % 3 === 0, single: true });
  publishEarlier(record, random);
  return record;
}

/** Returns selected items from the three years before the living content, oldest first. */
export function createArchive(seed: number, until: number): DemoRecord[] {
  return Array.from({ length: ARCHIVED }, (_, index) => {
    const discoveredAt = Math.round(until - ((ARCHIVED - index) * ARCHIVE_DAYS * DAY) / ARCHIVED);
    return createRecord(seed, ARCHIVE_SLOTS + index, discoveredAt, { selected: true, single: true });
  });
}

/** Publishes a third a few days earlier, so that they enter lists below newer items, the others years earlier. */
function publishEarlier(record: DemoRecord, random: SeededRandom): void {
  const { discoveredAt } = record;
  const recent = random.chance(1 / 3);
  const newest = discoveredAt - (recent ? 3.5 : 30) * DAY;
  const publishedAt = random.between(recent ? discoveredAt - 6 * DAY : OLDEST, newest);
  const keepsTime = recent || random.chance(0.5);
  Object.assign(record, { publishedAt, timelineAt: keepsTime ? publishedAt : discoveredAt, written: null });
}

interface Due<T> {
  value: T;
  left: number;
}

interface Refusal {
  status: 429 | 503;
  retryAfter: number;
}

const MINUTE = 60_000;
/** While its ledger is being rebuilt, the harsh service has nothing at first, then a third of everything. */
const NOTHING_FOR = 10 * MINUTE;
const LITTLE_FOR = 20 * MINUTE;
const LITTLE = 1 / 3;
/** Each day at 20:00 UTC the harsh service refuses requests for four minutes. */
const BUSY_FROM = 20 * 60 * MINUTE;
const BUSY_UNTIL = BUSY_FROM + 4 * MINUTE;

/** Makes answers that are well-formed and wrong: on demand, and in the harsh service at fixed times. */
export class OddAnswers {
  rebuiltAt = -Infinity;
  /** Shares, from 0 to 1. */
  snapshots?: Due<number>;
  refusals?: Due<Refusal>;
  readonly #harsh: boolean;

  constructor(harsh: boolean) {
    this.#harsh = harsh;
  }

  snapshotShare(now: number): number {
    return use(this.snapshots) ?? this.shareWhileRebuilt(now);
  }

  refusal(now: number): Refusal | null {
    const given = use(this.refusals);
    if (given) return given;
    const time = now % DAY;
    if (!this.#harsh || time < BUSY_FROM || time >= BUSY_UNTIL) return null;
    return { status: 429, retryAfter: Math.ceil((BUSY_UNTIL - time) / 1000) };
  }

  /** From 0 to 1: the share of everything that is there. */
  shareWhileRebuilt(now: number): number {
    const since = now - this.rebuiltAt;
    if (since >= LITTLE_FOR) return 1;
    return since < NOTHING_FOR ? 0 : LITTLE;
  }
}

function use<T>(due: Due<T> | undefined): T | undefined {
  if (!due || due.left <= 0) return undefined;
  due.left -= 1;
  return due.value;
}
