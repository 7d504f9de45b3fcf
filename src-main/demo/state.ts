import { PURPOSE, Dice, drawId } from './dice.ts';
import { SLOT, happeningsFrom, startOfHistory } from './happenings.ts';
import type { Happening } from './happenings.ts';
import { Ledger } from './ledger.ts';
import type { DemoOptions, FixedContent, ItemPatch, ServedItem } from './options.ts';
import { createRecord, patchRecord, served } from './record.ts';
import type { DemoRecord } from './record.ts';
import { Shelf } from './shelf.ts';

const DAY = 86_400_000;

/** Everything the service knows: its items, the selected set and the ledger of that set's changes. */
export class World {
  readonly seed: number;
  readonly shelf = new Shelf();
  readonly ledger: Ledger;
  /** Fields laid over a daily, by date. */
  readonly corrections = new Map<string, { [field: string]: unknown }>();
  /** When the oldest content was found, milliseconds since 1970. */
  readonly startsAt: number;
  readonly #clock: DemoOptions['clock'];
  readonly #happenings: Generator<Happening, never> | null;
  #next: Happening | null = null;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living' }: DemoOptions) {
    this.#clock = clock;
    this.seed = seed;
    if (content === 'living') {
      this.startsAt = startOfHistory(clock.now());
      this.ledger = new Ledger(`living/${seed}/${this.startsAt}`);
      this.#happenings = happeningsFrom(seed, this.startsAt);
    } else {
      const { selected, unselected = Math.ceil(selected / 4), days = 30, until = clock.now() } = content;
      this.startsAt = until - days * DAY;
      this.ledger = new Ledger(['fixed', seed, selected, unselected, days, until].join('/'));
      this.#happenings = null;
      this.#fill({ selected, unselected, days, until });
    }
  }

  now(): number {
    return this.#clock.now();
  }

  /** Lets everything happen that the clock says has happened. */
  advance(): void {
    if (this.#happenings === null) return;
    const now = this.now();
    this.#next ??= this.#happenings.next().value;
    while (this.#next.at <= now) {
      this.#happen(this.#next);
      this.#next = this.#happenings.next().value;
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
    this.shelf.put(record);
    if (record.seated) this.ledger.write({ op: 'upsert', id: record.id, changedAt: this.now() });
    return record;
  }

  /** Says in the ledger what an item has become. */
  changed(record: DemoRecord, at: number = this.now()): void {
    record.written = null;
    this.shelf.touch();
    if (record.seated && !record.withdrawn) this.ledger.write({ op: 'upsert', id: record.id, changedAt: at });
  }

  /** Takes an item away. The ledger tells it even when the item is gone already or was never there. */
  withdraw(id: string, at: number = this.now()): void {
    const record = this.shelf.get(id);
    if (record) record.withdrawn = true;
    this.shelf.touch();
    if (!record || record.seated) this.ledger.write({ op: 'remove', id, changedAt: at });
  }

  #fill({ selected, unselected, days, until }: Required<FixedContent>): void {
    const total = selected + unselected;
    for (let index = 0; index < total; index += 1) {
      const discoveredAt = Math.round(until - (days * DAY * (total - 1 - index)) / total);
      // Spreads the selected ones evenly among the others, to the last one exactly.
      const isSelected = Math.floor(((index + 1) * selected) / total) > Math.floor((index * selected) / total);
      this.#shelve(createRecord(this.seed, index, discoveredAt, { selected: isSelected }));
    }
  }

  #shelve(record: DemoRecord): void {
    this.shelf.put(record);
    if (record.seated) this.ledger.write({ op: 'upsert', id: record.id, changedAt: record.discoveredAt });
  }

  #happen({ kind, slot, at }: Happening): void {
    if (kind === 'item') this.#shelve(createRecord(this.seed, slot, at));
    else if (kind === 'edit') this.#edit(slot, at);
    else {
      const record = this.#recentRecord(new Dice(this.seed, PURPOSE.withdrawal, slot), slot, 240);
      if (record) this.withdraw(record.id, at);
    }
  }

  #edit(slot: number, at: number): void {
    const dice = new Dice(this.seed, PURPOSE.edit, slot);
    const record = this.#recentRecord(dice, slot, 60);
    if (!record) return;
    const what = dice.between(0, 9);
    if (what < 3) record.titleRevision += 1;
    else if (what < 7) record.summaryRevision += 1;
    else record.score = Math.max(0, Math.min(100, record.score + (dice.chance(0.7) ? 1 : -1) * dice.between(1, 6)));
    // The editors take some items into the selected set only after they have seen them do well.
    if (!record.selected && record.score >= 60) Object.assign(record, { selected: true, seated: true });
    this.changed(record, at);
  }

  /** A public item of the latest slots, one of the selected set if a few throws find one: those changes are seen by everybody. */
  #recentRecord(dice: Dice, slot: number, reach: number): DemoRecord | undefined {
    const oldest = Math.ceil(this.startsAt / SLOT);
    const throws = Array.from({ length: 5 }, () =>
      this.shelf.get(drawId(this.seed, Math.max(oldest, slot - dice.between(1, reach)))),
    );
    const present = throws.filter((record) => record !== undefined && !record.withdrawn);
    return present.find((record) => record?.seated) ?? present[0];
  }
}
