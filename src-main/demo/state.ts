import { ChangeLog } from './change-log.ts';
import { PAGES, type Style } from './content/item-texts.ts';
import { archive, backfilledBatch, harshRecord, OddAnswers } from './harsh.ts';
import { ItemIndex } from './item-index.ts';
import type { DemoOptions, Failure, FixedContent, ItemPatch, ServedItem } from './options.ts';
import { drawId, PURPOSE, SeededRandom } from './random.ts';
import { createRecord, type DemoRecord, patchRecord, serveItem } from './record.ts';

const DAY = 86_400_000;
/** Score from which an edited item enters the selected set. */
const PROMOTED_FROM = 60;
const PROMOTED_FROM_HARSH = 71;
const OTHER_PAGES = 'https://moved.broadsheet.example';

export class DemoState {
  readonly seed: number;
  readonly itemIndex = new ItemIndex();
  readonly changeLog: ChangeLog;
  /** By date. */
  readonly corrections = new Map<string, { [field: string]: unknown }>();
  readonly odd: OddAnswers;
  /** By path; null for one that never fails. */
  readonly failures = new Map<string, Failure | null>();
  /** In ms since 1970. */
  readonly startsAt: number;
  readonly harsh: boolean;
  readonly #clock: DemoOptions['clock'];
  readonly #dueEvents: (now: number) => ContentEvent[];
  readonly #pace: Pace;
  #style: Style;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living', harsh = false, since }: DemoOptions) {
    this.#clock = clock;
    this.seed = seed;
    this.harsh = harsh;
    this.odd = new OddAnswers(harsh);
    this.#style = { pages: PAGES, raw: harsh };
    this.#pace = harsh ? HARSH_PACE : USUAL_PACE;
    if (content === 'living') {
      this.startsAt = since ?? startOfHistory(clock.now());
      this.changeLog = new ChangeLog(`${harsh ? 'harsh' : 'living'}/${seed}/${this.startsAt}`);
      if (harsh) for (const record of archive(seed, this.startsAt)) this.insert(record);
      this.#dueEvents = replay(generateEvents(seed, this.startsAt, this.#pace));
    } else {
      const { selected, unselected = Math.ceil(selected / 4), days = 30, until = clock.now() } = content;
      this.startsAt = until - days * DAY;
      this.changeLog = new ChangeLog(['fixed', seed, selected, unselected, days, until].join('/'));
      this.#dueEvents = () => [];
      this.#fill({ selected, unselected, days, until });
    }
  }

  now(): number {
    return this.#clock.now();
  }

  advance(): void {
    for (const event of this.#dueEvents(this.now())) this.#apply(event);
  }

  served(record: DemoRecord): ServedItem {
    return serveItem(this.seed, record, this.#style);
  }

  get pages(): string {
    return this.#style.pages;
  }

  /** Changes every link to the pages, so clients have to take a new snapshot. */
  movePages(pages: string): void {
    this.#style = { ...this.#style, pages };
    for (const record of this.itemIndex.discovered()) record.written = null;
    this.changeLog.startNewEpoch();
  }

  /** Keeps the item public, and marked as selected if `marked`. */
  leaveSet(record: DemoRecord, marked: boolean, at: number = this.now()): void {
    Object.assign(record, { selected: false, markedSelected: marked, written: null });
    this.itemIndex.refreshSelected();
    this.changeLog.append({ op: 'remove', id: record.id, changedAt: at });
  }

  /** Numbers items that belong to no slot. */
  nextNumber(): number {
    return (this.#added += 1);
  }

  add(fields: ItemPatch): DemoRecord {
    const number = this.nextNumber();
    const { discoveredAt: given, selected = true } = fields;
    const discoveredAt = typeof given === 'string' ? Date.parse(given) : this.now();
    const record = createRecord(this.seed, -number, discoveredAt, { selected: selected === true });
    record.id = typeof fields.id === 'string' ? fields.id : drawId(this.seed, number, 1);
    record.timelineAt = discoveredAt;
    patchRecord(record, fields);
    this.itemIndex.add(record);
    if (record.selected) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: this.now() });
    return record;
  }

  changed(record: DemoRecord, at: number = this.now()): void {
    record.written = null;
    this.itemIndex.refreshSelected();
    if (record.selected && !record.withdrawn) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: at });
  }

  /** Logs the removal even if the item is already gone or never existed. */
  withdraw(id: string, at: number = this.now()): void {
    const record = this.itemIndex.get(id);
    if (record) record.withdrawn = true;
    this.itemIndex.refreshSelected();
    if (!record || record.selected) this.changeLog.append({ op: 'remove', id, changedAt: at });
  }

  #fill({ selected, unselected, days, until }: Required<FixedContent>): void {
    const total = selected + unselected;
    for (let index = 0; index < total; index += 1) {
      const discoveredAt = Math.round(until - (days * DAY * (total - 1 - index)) / total);
      // Spreads the selected ones evenly among the others, to the last one exactly.
      const isSelected = Math.floor(((index + 1) * selected) / total) > Math.floor((index * selected) / total);
      this.insert(createRecord(this.seed, index, discoveredAt, { selected: isSelected }));
    }
  }

  insert(record: DemoRecord): void {
    if (this.harsh && record.selected) this.#takeSeat(record, record.discoveredAt);
    this.itemIndex.add(record);
    if (record.selected) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: record.discoveredAt });
  }

  /** Gives the one seat of a news event in the set to the best report; the others stay public. */
  #takeSeat(record: DemoRecord, at: number): void {
    if (record.newsEvent === null) return;
    const rival = this.itemIndex.about(record.newsEvent).find((other) => other.selected && other !== record);
    if (!rival) return;
    if (record.score <= rival.score) record.selected = false;
    else this.leaveSet(rival, rival.slot % 5 !== 0, at);
  }

  #apply({ kind, slot, at }: ContentEvent): void {
    switch (kind) {
      case 'item':
        return this.insert((this.harsh ? harshRecord : createRecord)(this.seed, slot, at));
      case 'edit':
        return this.#edit(slot, at);
      case 'withdrawal': {
        const record = this.#recentRecord(new SeededRandom(this.seed, PURPOSE.withdrawal, slot), slot, 240);
        return record && this.withdraw(record.id, at);
      }
      case 'backfill':
        return backfilledBatch(this.seed, slot, at).forEach((record) => this.insert(record));
      case 'rebuild':
        this.odd.rebuiltAt = at;
        return this.changeLog.startNewEpoch();
      case 'move':
        // There and back, so that a move lies ahead of every reader.
        return this.movePages(new Date(at).getUTCMonth() % 2 === 0 ? OTHER_PAGES : PAGES);
    }
  }

  #edit(slot: number, at: number): void {
    const random = new SeededRandom(this.seed, PURPOSE.edit, slot);
    const record = this.#recentRecord(random, slot, 60);
    if (!record) return;
    const what = random.between(0, 9);
    if (what < 3) record.titleRevision += 1;
    else if (what < 7) record.summaryRevision += 1;
    else record.score = Math.max(0, Math.min(100, record.score + (random.chance(0.7) ? 1 : -1) * random.between(1, 6)));
    // Some items enter the selected set only after their score has risen.
    if (!record.markedSelected && record.score >= (this.harsh ? PROMOTED_FROM_HARSH : PROMOTED_FROM)) {
      Object.assign(record, { markedSelected: true, selected: true });
      if (this.harsh) this.#takeSeat(record, at);
    }
    this.changed(record, at);
  }

  /**
   * Prefers selected items, because every reader sees their changes; not in the harsh service, whose changes few see.
   */
  #recentRecord(random: SeededRandom, slot: number, reach: number): DemoRecord | undefined {
    const oldest = Math.ceil(this.startsAt / this.#pace.slot);
    const drawn = Array.from({ length: 5 }, () =>
      this.itemIndex.ofSlot(Math.max(oldest, slot - random.between(1, reach))),
    );
    const present = drawn.filter((record) => record !== undefined && !record.withdrawn);
    return (this.harsh ? undefined : present.find((record) => record?.selected)) ?? present[0];
  }
}

interface ContentEvent {
  kind: 'item' | 'edit' | 'withdrawal' | 'backfill' | 'rebuild' | 'move';
  /** Milliseconds since 1970. */
  at: number;
  /** Counted since 1970. */
  slot: number;
}

export interface Pace {
  /** In ms. Each slot brings an item. */
  slot: number;
  /** In slots, like `withdrawalEvery`. */
  editEvery: number;
  withdrawalEvery: number;
  /** Adds sources with all they ever published, rebuilds the ledger, and moves the service. */
  harsh: boolean;
}

const USUAL_PACE: Pace = { slot: 180_000, editEvery: 5, withdrawalEvery: 30, harsh: false };
/** 968 items a week, as seen on a real service. */
const HARSH_PACE: Pace = { slot: 624_793, editEvery: 5, withdrawalEvery: 30, harsh: true };

/** Weekdays in UTC. */
const BACKFILL_DAY = 2;
const REBUILD_DAY = 3;
const MOVE_DATE = 15;

/** Generates events in order of time, without end. */
function* generateEvents(seed: number, start: number, pace = USUAL_PACE): Generator<ContentEvent, never> {
  for (let slot = Math.ceil(start / pace.slot); ; slot += 1) {
    const opens = slot * pace.slot;
    const span = pace.slot - 10_000;
    if (pace.harsh) yield* upheavals(opens, pace.slot, slot);
    yield { kind: 'item', slot, at: opens + new SeededRandom(seed, PURPOSE.item, slot).between(0, span) };
    if (slot % pace.editEvery === 0) yield { kind: 'edit', slot, at: opens + span + 4000 };
    if (slot % pace.withdrawalEvery === 0) yield { kind: 'withdrawal', slot, at: opens + span + 7000 };
  }
}

/** Yields only in the slot in which a day begins (UTC). */
function* upheavals(opens: number, length: number, slot: number): Generator<ContentEvent> {
  const day = new Date(opens);
  if (opens % DAY >= length) return;
  if (day.getUTCDay() === BACKFILL_DAY) yield { kind: 'backfill', slot, at: opens };
  if (day.getUTCDay() === REBUILD_DAY) yield { kind: 'rebuild', slot, at: opens };
  if (day.getUTCDate() === MOVE_DATE) yield { kind: 'move', slot, at: opens };
}

function startOfHistory(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
}

/** Returns on each call the events that have come due since the last one. */
export function replay<E extends { at: number }>(events: Generator<E, never>): (now: number) => E[] {
  let next: E | undefined;
  return (now) => {
    const due: E[] = [];
    next ??= events.next().value;
    while (next.at <= now) {
      due.push(next);
      next = events.next().value;
    }
    return due;
  };
}
