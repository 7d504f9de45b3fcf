import type { Item } from '../../contract/model/item.ts';
import type { DeparturesTable } from './departures-table.ts';
import type { ItemsTable, Origin, Outcome, Stamp } from './items-table.ts';
import type { ParkedItems, Parking } from './parked-items.ts';
import type { StatusesTable } from './statuses-table.ts';
import { keyAt, LONGEST_DELAY, sortTime } from './time-key.ts';

/** The changes of one transaction to items. */
export interface WriteSummary {
  added: number;
  /** How many of the added items have a time more than 72 hours ago. */
  older: number;
  revised: number;
  withdrawn: number;
  /** Ids of items that were revised or completed, left the selected set or were withdrawn. */
  ids: string[];
}

/** Whether a transaction changed any item. */
export function changesItems({ added, ids }: WriteSummary): boolean {
  return added > 0 || ids.length > 0;
}

/** Changes with one sequence number at most. */
const CHANGES_A_NUMBER = 1000;

interface ItemWriteTables {
  items: ItemsTable;
  statuses: StatusesTable;
  departures: DeparturesTable;
  parkedItems: ParkedItems;
}

/** Writes and counts the item changes of one transaction. Each transaction has a new instance. */
export class ItemWrites {
  readonly summary: WriteSummary = { added: 0, older: 0, revised: 0, withdrawn: 0, ids: [] };
  readonly #tables: ItemWriteTables;
  /** True if there may be parked items: usually there are none. */
  #anyParked: boolean;
  #stamp: Stamp;
  #changes = 0;

  constructor(tables: ItemWriteTables, stamp: Stamp) {
    this.#tables = tables;
    this.#anyParked = tables.parkedItems.any;
    this.#stamp = stamp;
  }

  /** The last sequence number of this transaction: a large one has several, for followers that work in steps. */
  get sequence(): number {
    return this.#stamp.sequence;
  }

  /** @param time the time to sort by, in ms since 1970 */
  upsert(item: Item, origin: Origin, time = sortTime(item, this.#stamp.now)): Outcome {
    const { items, statuses, parkedItems } = this.#tables;
    this.#number();
    const outcome = items.upsert(item, origin, this.#stamp, time);
    if (this.#anyParked && outcome !== 'refused') {
      if (origin.kind === 'selected') parkedItems.take(item.id);
      else parkedItems.seen(item.id);
    }
    if (outcome === 'added') {
      statuses.inherit(item.id, item.links.original);
      if (time < this.#stamp.now - LONGEST_DELAY) this.summary.older += 1;
    }
    this.#count(item.id, outcome);
    return outcome;
  }

  /**
   * Inserts the oldest first: items that are close in time are then close in the tables. Returns false if one was
   * refused: a list from a cache may still have what was withdrawn since.
   */
  upsertAll(items: readonly Item[], origin: Origin): boolean {
    const outcomes = inOrder(items, this.#stamp.now).map(({ item, time }) => this.upsert(item, origin, time));
    return !outcomes.includes('refused');
  }

  /** An item left the selected set: see `ItemsTable.leave`. `expiryTime` is by default the time of the write. */
  leave(id: string, expiryTime = this.#stamp.now): void {
    if (this.#take(id) === 'old') this.#withdrawUnkept(id);
    else this.#leave(id, { expiryTime, isSaid: true });
  }

  /** The item list still has this item, which had left the selected set. */
  confirmDeparture(id: string): void {
    this.#tables.departures.confirm(id);
  }

  /** Adds a reason to a saved item. */
  complete(id: string, reason: string): void {
    this.#count(id, this.#tables.items.complete(id, reason, this.#stamp));
  }

  withdraw(id: string): void {
    this.#take(id);
    this.#withdrawn(id, (stamp) => this.#tables.items.withdraw(id, stamp));
  }

  /** Keeps a saved item in the selected set although its new record was unreadable. */
  keepMember(id: string, generation: number): void {
    this.#tables.items.keepMember(id, generation, this.#stamp);
    this.#take(id);
  }

  /** The number of members that the snapshot of this generation didn't contain. */
  missingIn(generation: number): number {
    return this.#tables.items.membersBefore(generation).length;
  }

  /**
   * The members that the snapshot of this generation didn't contain leave the selected set. None is withdrawn before
   * {@link confirmLosses}.
   */
  sweepBefore(generation: number, expiryTime = this.#stamp.now): void {
    for (const id of this.#tables.items.membersBefore(generation)) {
      const outcome = this.#leave(id, { expiryTime, isSaid: false });
      this.#park(id, outcome === 'outOfReach' ? 'old' : 'left');
    }
  }

  /** The members that the snapshot of this generation didn't contain stay in the selected set, and are parked. */
  parkBefore(generation: number): void {
    for (const id of this.#tables.items.membersBefore(generation)) this.#park(id, 'member');
  }

  /**
   * Confirms that items which left the selected set without a removal have left it. The list of all items shows which of them
   * were withdrawn.
   */
  confirmLosses(): void {
    for (const id of this.#tables.parkedItems.ids('left')) this.#take(id);
  }

  /** Withdraws those that are too old for that list. */
  confirmOldLosses(): void {
    for (const id of this.#tables.parkedItems.ids('old')) this.leave(id);
  }

  /** The item list lacks exactly these of the items that it should have. They stay, and are parked. */
  parkListed(ids: readonly string[]): void {
    for (const id of this.#tables.parkedItems.ids('listed')) this.#take(id);
    for (const id of ids) this.#park(id, 'listed');
  }

  /** The reader accepts that the parked members left the selected set, or that the parked items were withdrawn. */
  acceptLosses(list: 'selected' | 'items', expiryTime: number): void {
    const { parkedItems } = this.#tables;
    if (list === 'items') {
      for (const id of parkedItems.ids('listed')) this.withdraw(id);
      return;
    }
    for (const id of parkedItems.ids('member')) this.leave(id, expiryTime);
    this.confirmLosses();
    this.confirmOldLosses();
  }

  /**
   * Removes up to `limit` unselected items without star and note that are older than `horizon` (ms since 1970). They were
   * not withdrawn, so they are not counted. `from` is 0 at first, then `next` of the previous call, which is null at the end.
   */
  dropBefore(horizon: number, from: number, limit: number): { dropped: number; next: number | null } {
    return this.#tables.items.dropBefore(keyAt(horizon), from, limit);
  }

  #leave(id: string, options: Parameters<ItemsTable['leave']>[2]): ReturnType<ItemsTable['leave']> {
    this.#number();
    const outcome = this.#tables.items.leave(id, this.#stamp, options);
    if (outcome !== null) this.#count(id, outcome === 'outOfReach' ? 'left' : outcome);
    return outcome;
  }

  #withdrawUnkept(id: string): void {
    this.#withdrawn(id, (stamp) => this.#tables.items.withdrawUnkept(id, stamp));
  }

  #withdrawn(id: string, withdraw: (stamp: Stamp) => boolean): void {
    this.#number();
    if (withdraw(this.#stamp)) this.#count(id, 'withdrawn');
  }

  #park(id: string, parking: Parking): void {
    this.#anyParked = true;
    this.#tables.parkedItems.put(id, parking);
  }

  #take(id: string): Parking | undefined {
    return this.#anyParked ? this.#tables.parkedItems.take(id) : undefined;
  }

  /** Begins the next sequence number if the present one has enough changes. */
  #number(): void {
    if (this.#changes < CHANGES_A_NUMBER) return;
    this.#changes = 0;
    this.#stamp = { ...this.#stamp, sequence: this.#stamp.sequence + 1 };
  }

  #count(id: string, outcome: Outcome | 'left' | 'withdrawn'): void {
    if (outcome === 'unchanged' || outcome === 'refused') return;
    this.#changes += 1;
    if (outcome !== 'completed' && outcome !== 'left') this.summary[outcome] += 1;
    if (outcome !== 'added') this.summary.ids.push(id);
  }
}

/**
 * Responses list the newest items first. They are reversed, so that of two items with the same time the newer one gets
 * the later key.
 */
function inOrder(items: readonly Item[], now: number): { item: Item; time: number }[] {
  return items
    .toReversed()
    .map((item) => ({ item, time: sortTime(item, now) }))
    .sort((a, b) => a.time - b.time);
}
