import { ChangeLog } from './change-log.ts';
import { PAGES, type Style } from './content/item-texts.ts';
import { HARSH_PACE, USUAL_PACE, generateEvents, startOfHistory, type ContentEvent } from './event-generator.ts';
import type { Failure } from './harsh/failure-kinds.ts';
import { OddAnswers } from './harsh/odd-answers.ts';
import { archive, backfilledBatch, harshRecord } from './harsh/records.ts';
import { ItemIndex } from './item-index.ts';
import type { DemoOptions, FixedContent, ItemPatch, ServedItem } from './options.ts';
import type { Pace } from './event-generator.ts';
import { PURPOSE, SeededRandom, drawId } from './random.ts';
import { createRecord, patchRecord, served, type DemoRecord } from './record.ts';
import { replay } from './replay.ts';

const DAY = 86_400_000;
/** Score from which an edited item enters the selected set. */
const PROMOTED_FROM = 60;
const PROMOTED_FROM_HARSH = 71;
const OTHER_PAGES = 'https://moved.broadsheet.example';

/** The news: all items, the selected set and the log of its changes. */
export class DemoState {
  readonly seed: number;
  readonly itemIndex = new ItemIndex();
  readonly changeLog: ChangeLog;
  /** Overridden fields of dailies, by date. */
  readonly corrections = new Map<string, { [field: string]: unknown }>();
  readonly odd: OddAnswers;
  /** How single paths fail, if not as usual; null for one that never does. */
  readonly failures = new Map<string, Failure | null>();
  /** When the oldest content was found, milliseconds since 1970. */
  readonly startsAt: number;
  /** As unkind as a real service. */
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

  /** Applies every event up to now. */
  advance(): void {
    for (const event of this.#dueEvents(this.now())) this.#apply(event);
  }

  /** An item as `/items` serves it. */
  served(record: DemoRecord): ServedItem {
    return served(this.seed, record, this.#style);
  }

  /** Start of the addresses of the service's pages. */
  get pages(): string {
    return this.#style.pages;
  }

  /** Moves the service's pages to another address: every link to them changes, and clients have to take a new snapshot. */
  movePages(pages: string): void {
    this.#style = { ...this.#style, pages };
    for (const record of this.itemIndex.discovered()) record.written = null;
    this.changeLog.startNewEpoch();
  }

  /** Takes an item out of the selected set. It stays public, and marked as selected if `marked`. */
  leaveSet(record: DemoRecord, marked: boolean, at: number = this.now()): void {
    Object.assign(record, { selected: false, markedSelected: marked, written: null });
    this.itemIndex.refreshSelected();
    this.changeLog.append({ op: 'remove', id: record.id, changedAt: at });
  }

  /** The number of the next item that belongs to no slot. */
  nextNumber(): number {
    return (this.#added += 1);
  }

  /** Adds an item that belongs to no slot. */
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

  /** Records in the change log that an item was edited. */
  changed(record: DemoRecord, at: number = this.now()): void {
    record.written = null;
    this.itemIndex.refreshSelected();
    if (record.selected && !record.withdrawn) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: at });
  }

  /** Withdraws an item. The change log records it even if the item is already gone or never existed. */
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

  /** Adds an item to those that are public, and to the selected set if it is selected. */
  insert(record: DemoRecord): void {
    if (this.harsh && record.selected) this.#takeSeat(record, record.discoveredAt);
    this.itemIndex.add(record);
    if (record.selected) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: record.discoveredAt });
  }

  /** A news event has one seat in the set. It goes to the best report; the others stay public. */
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
   * A public item of the latest slots. Usually one of the selected set if a few draws find one, because every reader sees those
   * changes; in the harsh service any, so most changes are to items that no list of changes names.
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
