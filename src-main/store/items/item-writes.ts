import type { Item } from '../../contract/model/item.ts';
import type { ValidatorsTable } from '../schedule/validators.ts';
import type { ItemsTable, Origin, Outcome, Stamp } from './items-table.ts';
import type { StatusesTable } from './statuses-table.ts';
import { keyAt, sortTime } from './time-key.ts';

/** What one transaction did to the items. */
export interface WriteSummary {
  added: number;
  revised: number;
  withdrawn: number;
  /** Of revised, completed and withdrawn items. */
  ids: string[];
}

/** Whether a transaction touched any item. */
export function changesItems({ added, ids }: WriteSummary): boolean {
  return added > 0 || ids.length > 0;
}

interface ItemWriteTables {
  items: ItemsTable;
  statuses: StatusesTable;
  validators: ValidatorsTable;
}

/** What one transaction writes to the items, counted. Each transaction has its own. */
export class ItemWrites {
  readonly summary: WriteSummary = { added: 0, revised: 0, withdrawn: 0, ids: [] };
  readonly #tables: ItemWriteTables;
  readonly #stamp: Stamp;

  constructor(tables: ItemWriteTables, stamp: Stamp) {
    this.#tables = tables;
    this.#stamp = stamp;
  }

  upsert(item: Item, origin: Origin): Outcome {
    const { items, statuses } = this.#tables;
    const outcome = items.upsert(item, origin, this.#stamp);
    if (outcome === 'added') statuses.inherit(item.id, item.links.original);
    this.#count(item.id, outcome);
    return outcome;
  }

  /** Oldest first: neighbours in time are neighbours in the tables. */
  upsertAll(items: readonly Item[], origin: Origin): void {
    for (const item of inOrder(items, this.#stamp.now)) this.upsert(item, origin);
  }

  withdraw(id: string): void {
    const { items, validators } = this.#tables;
    if (!items.withdraw(id, this.#stamp)) return;
    this.#count(id, 'withdrawn');
    // GET /items may go on listing it, unselected: the next answer has to be a whole one.
    validators.clear('items');
  }

  /** A stored member stays one under this generation, though its record could not be read. */
  keepMember(id: string, generation: number): void {
    this.#tables.items.keepMember(id, generation, this.#stamp);
  }

  /** Members that the snapshot of this generation did not name have left the set. */
  sweepBefore(generation: number): void {
    for (const id of this.#tables.items.membersBefore(generation)) this.withdraw(id);
  }

  /**
   * Removes up to `limit` unselected, unstarred items that are older than `horizon` (ms since 1970). Nobody withdrew them, so
   * they are not counted. `from` is where the last call stopped, 0 at first; `next` is where to go on, null at the end.
   */
  dropBefore(horizon: number, from: number, limit: number): { dropped: number; next: number | null } {
    return this.#tables.items.dropBefore(keyAt(horizon), from, limit);
  }

  #count(id: string, outcome: Outcome | 'withdrawn'): void {
    if (outcome === 'unchanged' || outcome === 'refused') return;
    if (outcome !== 'completed') this.summary[outcome] += 1;
    if (outcome !== 'added') this.summary.ids.push(id);
  }
}

/** Answers come newest first: turned round, so that of two items with one time the newer one gets the later key. */
function inOrder(items: readonly Item[], now: number): Item[] {
  return items
    .toReversed()
    .map((item) => ({ item, time: sortTime(item, now) }))
    .sort((a, b) => a.time - b.time)
    .map(({ item }) => item);
}
