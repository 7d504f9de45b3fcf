import { ChangeLog } from './change-log.ts';
import { SLOT, generateEvents, startOfHistory, type ContentEvent } from './event-generator.ts';
import { ItemIndex } from './item-index.ts';
import type { DemoOptions, FixedContent, ItemPatch, ServedItem } from './options.ts';
import { PURPOSE, SeededRandom, drawId } from './random.ts';
import { createRecord, patchRecord, served, type DemoRecord } from './record.ts';
import { replay } from './replay.ts';

const DAY = 86_400_000;

/** The news: all items, the selected set and the log of its changes. */
export class DemoState {
  readonly seed: number;
  readonly itemIndex = new ItemIndex();
  readonly changeLog: ChangeLog;
  /** Overridden fields of dailies, by date. */
  readonly corrections = new Map<string, { [field: string]: unknown }>();
  /** When the oldest content was found, milliseconds since 1970. */
  readonly startsAt: number;
  readonly #clock: DemoOptions['clock'];
  readonly #dueEvents: (now: number) => ContentEvent[];
  #added = 0;

  constructor({ clock, seed = 1, content = 'living' }: DemoOptions) {
    this.#clock = clock;
    this.seed = seed;
    if (content === 'living') {
      this.startsAt = startOfHistory(clock.now());
      this.changeLog = new ChangeLog(`living/${seed}/${this.startsAt}`);
      this.#dueEvents = replay(generateEvents(seed, this.startsAt));
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
    return served(this.seed, record);
  }

  /** Adds an item that belongs to no slot. */
  add(fields: ItemPatch): DemoRecord {
    this.#added += 1;
    const { discoveredAt: given, selected = true } = fields;
    const discoveredAt = typeof given === 'string' ? Date.parse(given) : this.now();
    const record = createRecord(this.seed, -this.#added, discoveredAt, { selected: selected === true });
    record.id = typeof fields.id === 'string' ? fields.id : drawId(this.seed, this.#added, 1);
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
      this.#insert(createRecord(this.seed, index, discoveredAt, { selected: isSelected }));
    }
  }

  #insert(record: DemoRecord): void {
    this.itemIndex.add(record);
    if (record.selected) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: record.discoveredAt });
  }

  #apply({ kind, slot, at }: ContentEvent): void {
    if (kind === 'item') this.#insert(createRecord(this.seed, slot, at));
    else if (kind === 'edit') this.#edit(slot, at);
    else {
      const record = this.#recentRecord(new SeededRandom(this.seed, PURPOSE.withdrawal, slot), slot, 240);
      if (record) this.withdraw(record.id, at);
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
    if (!record.markedSelected && record.score >= 60) Object.assign(record, { markedSelected: true, selected: true });
    this.changed(record, at);
  }

  /** A public item of the latest slots, one of the selected set if a few draws find one, because every reader sees those changes. */
  #recentRecord(random: SeededRandom, slot: number, reach: number): DemoRecord | undefined {
    const oldest = Math.ceil(this.startsAt / SLOT);
    const drawn = Array.from({ length: 5 }, () =>
      this.itemIndex.get(drawId(this.seed, Math.max(oldest, slot - random.between(1, reach)))),
    );
    const present = drawn.filter((record) => record !== undefined && !record.withdrawn);
    return present.find((record) => record?.selected) ?? present[0];
  }
}
