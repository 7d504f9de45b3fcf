import { PURPOSE, SeededRandom, drawId } from './random.ts';
import { SLOT, generateEvents, startOfHistory } from './event-generator.ts';
import type { ContentEvent } from './event-generator.ts';
import { ChangeLog } from './change-log.ts';
import type { DemoOptions, FixedContent, ItemPatch, ServedItem } from './options.ts';
import { createRecord, patchRecord, served } from './record.ts';
import type { DemoRecord } from './record.ts';
import { ItemIndex } from './item-index.ts';

const DAY = 86_400_000;

/** Everything the service knows: its items, the selected set and the changeLog of that set's changes. */
export class DemoState {
  readonly seed: number;
  readonly itemIndex = new ItemIndex();
  readonly changeLog: ChangeLog;
  /** Fields laid over a daily, by date. */
  readonly corrections = new Map<string, { [field: string]: unknown }>();
  /** When the oldest content was found, milliseconds since 1970. */
  readonly startsAt: number;
  readonly #clock: DemoOptions['clock'];
  readonly #events: Generator<ContentEvent, never> | null;
  #next: ContentEvent | null = null;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living' }: DemoOptions) {
    this.#clock = clock;
    this.seed = seed;
    if (content === 'living') {
      this.startsAt = startOfHistory(clock.now());
      this.changeLog = new ChangeLog(`living/${seed}/${this.startsAt}`);
      this.#events = generateEvents(seed, this.startsAt);
    } else {
      const { selected, unselected = Math.ceil(selected / 4), days = 30, until = clock.now() } = content;
      this.startsAt = until - days * DAY;
      this.changeLog = new ChangeLog(['fixed', seed, selected, unselected, days, until].join('/'));
      this.#events = null;
      this.#fill({ selected, unselected, days, until });
    }
  }

  now(): number {
    return this.#clock.now();
  }

  /** Lets everything happen that the clock says has happened. */
  advance(): void {
    if (this.#events === null) return;
    const now = this.now();
    this.#next ??= this.#events.next().value;
    while (this.#next.at <= now) {
      this.#apply(this.#next);
      this.#next = this.#events.next().value;
    }
  }

  /** An item as `/items` tells it. */
  served(record: DemoRecord): ServedItem {
    return served(this.seed, record);
  }

  /** Puts an item in that no slot brought. */
  add(fields: ItemPatch): DemoRecord {
    this.#added += 1;
    const { discoveredAt: given, selected = true } = fields;
    const discoveredAt = typeof given === 'string' ? Date.parse(given) : this.now();
    const record = createRecord(this.seed, -this.#added, discoveredAt, { selected: selected === true });
    record.id = typeof fields.id === 'string' ? fields.id : drawId(this.seed, this.#added, 1);
    record.timelineAt = discoveredAt;
    patchRecord(record, fields);
    this.itemIndex.put(record);
    if (record.selected) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: this.now() });
    return record;
  }

  /** Says in the changeLog what an item has become. */
  changed(record: DemoRecord, at: number = this.now()): void {
    record.written = null;
    this.itemIndex.touch();
    if (record.selected && !record.withdrawn) this.changeLog.append({ op: 'upsert', id: record.id, changedAt: at });
  }

  /** Takes an item away. The changeLog tells it even when the item is gone already or was never there. */
  withdraw(id: string, at: number = this.now()): void {
    const record = this.itemIndex.get(id);
    if (record) record.withdrawn = true;
    this.itemIndex.touch();
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
    this.itemIndex.put(record);
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
    // The editors take some items into the selected set only after they have seen them do well.
    if (!record.markedSelected && record.score >= 60) Object.assign(record, { markedSelected: true, selected: true });
    this.changed(record, at);
  }

  /** A public item of the latest slots, one of the selected set if a few throws find one: those changes are seen by everybody. */
  #recentRecord(random: SeededRandom, slot: number, reach: number): DemoRecord | undefined {
    const oldest = Math.ceil(this.startsAt / SLOT);
    const throws = Array.from({ length: 5 }, () =>
      this.itemIndex.get(drawId(this.seed, Math.max(oldest, slot - random.between(1, reach)))),
    );
    const present = throws.filter((record) => record !== undefined && !record.withdrawn);
    return present.find((record) => record?.selected) ?? present[0];
  }
}
