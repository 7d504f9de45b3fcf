import { z } from 'zod';
import { PAGES, type Style } from './content/item-texts.ts';
import type { Language } from './content/texts.ts';
import { backfilledBatch, createArchive, harshRecord, OddAnswers } from './harsh.ts';
import { openToken, sealToken } from './http.ts';
import type { DemoOptions, Failure, FixedContent, ItemPatch, ServedItem } from './options.ts';
import { drawId, PURPOSE, SeededRandom } from './random.ts';
import { createRecord, type DemoRecord, ItemIndex, patchRecord, serveItem } from './record.ts';

const DAY = 86_400_000;
/** Score from which an edited item enters the selected set. */
const PROMOTED_FROM = 60;
const PROMOTED_FROM_HARSH = 71;
const OTHER_PAGES = 'https://moved.broadsheet.example';

export class DemoState {
  readonly seed: number;
  readonly itemIndex = new ItemIndex();
  readonly changeLog: ChangeLog;
  readonly corrections = new Map<string, { [field: string]: unknown }>();
  readonly odd: OddAnswers;
  /** By path; null for one that never fails. */
  readonly failures = new Map<string, Failure | null>();
  readonly startsAt: number;
  readonly harsh: boolean;
  readonly #clock: DemoOptions['clock'];
  readonly #dueEvents: (now: number) => ContentEvent[];
  #style: Style;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living', harsh = false, since, language }: DemoOptions) {
    this.#clock = clock;
    this.seed = seed;
    this.harsh = harsh;
    this.odd = new OddAnswers(harsh);
    this.#style = { pages: PAGES, raw: harsh, language };
    if (content === 'living') {
      this.startsAt = since ?? startOfHistory(clock.now());
      this.changeLog = new ChangeLog(
        [harsh ? 'harsh' : 'living', seed, this.startsAt, ...(language ? [language] : [])].join('/'),
      );
      if (harsh) for (const record of createArchive(seed, this.startsAt)) this.insert(record);
      this.#dueEvents = replay(generateEvents(seed, this.startsAt, harsh));
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

  serve(record: DemoRecord): ServedItem {
    return serveItem(this.seed, record, this.#style);
  }

  /** For headings and overviews. */
  get language(): Language {
    return this.#style.language ?? 'zh';
  }

  get pages(): string {
    return this.#style.pages;
  }

  /** Changes every link to the pages, so clients have to take a new snapshot. */
  movePages(pages: string): void {
    this.#style = { ...this.#style, pages };
    for (const record of this.itemIndex.listDiscovered()) record.written = null;
    this.changeLog.startNewEpoch();
  }

  leaveSet(record: DemoRecord, marked: boolean, at: number = this.now()): void {
    Object.assign(record, { selected: false, markedSelected: marked, written: null });
    this.itemIndex.refreshSelected();
    this.changeLog.append({ op: 'remove', id: record.id, changedAt: at });
  }

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

  recordChange(record: DemoRecord, at: number = this.now()): void {
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
    const rival = this.itemIndex.listOfEvent(record.newsEvent).find((other) => other.selected && other !== record);
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
    if (!record.markedSelected && record.score >= (this.harsh ? PROMOTED_FROM_HARSH : PROMOTED_FROM)) {
      Object.assign(record, { markedSelected: true, selected: true });
      if (this.harsh) this.#takeSeat(record, at);
    }
    this.recordChange(record, at);
  }

  /** Prefers selected items, whose changes every reader sees; not in the harsh service. */
  #recentRecord(random: SeededRandom, slot: number, reach: number): DemoRecord | undefined {
    const oldest = Math.ceil(this.startsAt / (this.harsh ? HARSH_SLOT_MS : SLOT_MS));
    const drawn = Array.from({ length: 5 }, () =>
      this.itemIndex.ofSlot(Math.max(oldest, slot - random.between(1, reach))),
    );
    const present = drawn.filter((record) => record !== undefined && !record.withdrawn);
    return (this.harsh ? undefined : present.find((record) => record?.selected)) ?? present[0];
  }
}

interface ContentEvent {
  kind: 'item' | 'edit' | 'withdrawal' | 'backfill' | 'rebuild' | 'move';
  at: number;
  slot: number;
}

/** Each slot brings an item. In the harsh service 968 a week, as seen on a real one. */
const SLOT_MS = 180_000;
const HARSH_SLOT_MS = 624_793;
const EDIT_EVERY = 5;
const WITHDRAWAL_EVERY = 30;
const BACKFILL_DAY = 2;
const REBUILD_DAY = 3;
const MOVE_DATE = 15;

function* generateEvents(seed: number, start: number, harsh: boolean): Generator<ContentEvent, never> {
  const length = harsh ? HARSH_SLOT_MS : SLOT_MS;
  for (let slot = Math.ceil(start / length); ; slot += 1) {
    const opens = slot * length;
    const span = length - 10_000;
    if (harsh) yield* upheavals(opens, length, slot);
    yield { kind: 'item', slot, at: opens + new SeededRandom(seed, PURPOSE.item, slot).between(0, span) };
    if (slot % EDIT_EVERY === 0) yield { kind: 'edit', slot, at: opens + span + 4000 };
    if (slot % WITHDRAWAL_EVERY === 0) yield { kind: 'withdrawal', slot, at: opens + span + 7000 };
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

export interface ChangeLogEntry {
  op: 'upsert' | 'remove';
  id: string;
  changedAt: number;
}

const cursorShape = z.tuple([z.literal('c'), z.string(), z.int().min(0)]);

/** The changes of the selected set in order. A cursor is a position in it, valid for one epoch. */
class ChangeLog {
  readonly #entries: ChangeLogEntry[] = [];
  readonly #origin: string;
  #generation = 0;

  /** Cursors are valid for all services with the same `origin`. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  get epoch(): string {
    return `${this.#origin}/${this.#generation}`;
  }

  get length(): number {
    return this.#entries.length;
  }

  append(entry: ChangeLogEntry): void {
    this.#entries.push(entry);
  }

  slice(from: number, count: number): ChangeLogEntry[] {
    return this.#entries.slice(from, from + count);
  }

  /** Returns when the change before a position happened, 0 before the first one. */
  timeAt(position: number): number {
    return this.#entries[position - 1]?.changedAt ?? 0;
  }

  startNewEpoch(): void {
    this.#generation += 1;
  }

  cursorAt(position: number): string {
    return sealToken(['c', this.epoch, position]);
  }

  positionOf(cursor: string): number | null {
    const opened = openToken(cursor, cursorShape);
    if (opened === null || opened[1] !== this.epoch || opened[2] > this.length) return null;
    return opened[2];
  }
}
