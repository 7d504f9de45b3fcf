import type { Database } from 'better-sqlite3';
import type { Item } from '../../contract/model/item.ts';
import type { AddressesTable } from './addresses-table.ts';
import type { Countable, Counters } from './counters.ts';
import { SERVICE_COLUMNS, toColumns, type ServiceColumns } from './item-rows.ts';
import { SlotAllocator, keyAt, sortTime } from './time-key.ts';
import type { MentionsTable } from '../models/mentions/mentions-table.ts';
import { isRevisedColumn, type RevisionsTable } from './revisions-table.ts';
import { SearchRemoval } from '../search/search-index.ts';

/** Who brought an item: the selected set under a generation number, or GET /items. */
export type Origin = { kind: 'selected'; generation: number } | { kind: 'listed' };
/** `completed`: it entered a list, or what was not known before came to it; nothing that a reader has seen changed. */
export type Outcome = 'added' | 'revised' | 'completed' | 'unchanged' | 'refused';
type Column = (typeof SERVICE_COLUMNS)[number];

/** What differs between the two sources of one and the same version of an item. */
const SOURCE_COLUMNS = new Set<Column>(['selected', 'unknown']);

/** The number of the write that is going on, and its time in ms. */
export interface Stamp {
  sequence: number;
  now: number;
}

interface Stored extends ServiceColumns, Countable {
  key: number;
  listed: number;
  added: number;
  revised_at: number | null;
}

type Removable = Countable & Pick<Stored, 'key' | 'link_original'>;

/** What follows an item, and goes with it. */
interface ItemTables {
  counters: Counters;
  addresses: AddressesTable;
  revisions: RevisionsTable;
  mentions: MentionsTable;
}

/** The tables `item`, `item_index` and `withdrawal`: what is stored of the service's items. Writing is for transactions. */
export class ItemsTable {
  readonly #counters: Counters;
  readonly #addresses: AddressesTable;
  readonly #revisions: RevisionsTable;
  readonly #mentions: MentionsTable;
  readonly #slots = new SlotAllocator();
  readonly #insert;
  readonly #freeAbove;
  readonly #insertIndex;
  readonly #find;
  readonly #mark;
  readonly #update;
  readonly #updateIndex;
  readonly #delete;
  readonly #deleteIndex;
  readonly #withdrawal;
  readonly #isWithdrawn;
  readonly #swept;
  readonly #old;
  readonly #search: SearchRemoval;

  constructor(database: Database, { counters, addresses, revisions, mentions }: ItemTables) {
    this.#counters = counters;
    this.#addresses = addresses;
    this.#revisions = revisions;
    this.#mentions = mentions;
    const names = SERVICE_COLUMNS.join(', ');
    const values = SERVICE_COLUMNS.map(() => '?').join(', ');
    this.#insert = database.prepare(
      `INSERT INTO item (key, id, ${names}, changed) VALUES (?, ?, ${values}, ?) ON CONFLICT DO NOTHING`,
    );
    this.#freeAbove = database
      .prepare<[number], number>(
        `SELECT key + 1 FROM item_index AS taken
         WHERE key >= ? AND NOT EXISTS (SELECT 1 FROM item_index WHERE key = taken.key + 1) ORDER BY key LIMIT 1`,
      )
      .pluck();
    this.#insertIndex = database.prepare(
      'INSERT INTO item_index (key, category, generation, listed, unread, starred, added) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#find = database.prepare<[string], Stored>(
      `SELECT key, ${SERVICE_COLUMNS.map((name) => `item.${name}`).join(', ')}, revised_at, generation, listed,
              unread, starred, added
       FROM item JOIN item_index USING (key) WHERE id = ?`,
    );
    this.#mark = database.prepare<[string], { read_at: number | null; starred_at: number | null }>(
      'SELECT read_at, starred_at FROM user.item_status WHERE item_id = ?',
    );
    this.#update = database.prepare(
      `UPDATE item SET ${SERVICE_COLUMNS.map((name) => `${name} = ?`).join(', ')}, changed = ?, revised_at = ? WHERE key = ?`,
    );
    this.#updateIndex = database.prepare(
      'UPDATE item_index SET category = ?, generation = ?, listed = ?, added = ? WHERE key = ?',
    );
    this.#delete = database.prepare('DELETE FROM item WHERE key = ?');
    this.#deleteIndex = database.prepare('DELETE FROM item_index WHERE key = ?');
    this.#withdrawal = database.prepare('INSERT INTO withdrawal (sequence, key, id, at) VALUES (?, ?, ?, ?)');
    this.#isWithdrawn = database.prepare<[string], number>('SELECT 1 FROM withdrawal WHERE id = ?').pluck();
    this.#swept = database
      .prepare<[number], string>(
        'SELECT id FROM item_index JOIN item USING (key) WHERE generation > 0 AND generation < ?',
      )
      .pluck();
    this.#old = database.prepare<[number, number, number], Removable>(
      `SELECT key, link_original, item_index.category, generation, unread, starred FROM item_index CROSS JOIN item USING (key)
       WHERE key >= ? AND key < ? AND generation = 0 AND starred = 0 ORDER BY key LIMIT ?`,
    );
    this.#search = new SearchRemoval(database);
  }

  upsert(item: Item, origin: Origin, stamp: Stamp): Outcome {
    if (origin.kind === 'listed' && this.#comesTooLate(item)) return 'refused';
    const columns = toColumns(item);
    const wanted = keyAt(sortTime(item, stamp.now));
    let key = this.#slots.first(wanted);
    while (!this.#add(key, item.id, columns, stamp)) {
      const stored = this.#find.get(item.id);
      if (stored) return this.#revise(stored, columns, origin, stamp);
      key = this.#freeAbove.get(key) ?? key + 1;
      this.#slots.filled(wanted, key);
    }
    this.#list(key, item, origin, stamp);
    this.#addresses.add(key, item.links.original);
    return 'added';
  }

  /** Removes an item and keeps the fact. False where it was not there: the same removal may arrive twice. */
  withdraw(id: string, stamp: Stamp): boolean {
    const stored = this.#find.get(id);
    if (!stored) return false;
    this.#remove(stored);
    this.#withdrawal.run(stamp.sequence, stored.key, id, stamp.now);
    return true;
  }

  /**
   * Removes up to `limit` unselected items that nobody starred and whose keys are from `from` on and below `horizon`, without
   * a word: nobody withdrew them. `next` is where to go on; null at the end.
   */
  dropBefore(horizon: number, from: number, limit: number): { dropped: number; next: number | null } {
    const old = this.#old.all(from, horizon, limit);
    for (const stored of old) {
      this.#remove(stored);
      this.#search.remove(stored.key);
    }
    const last = old.at(-1);
    return { dropped: old.length, next: last && old.length === limit ? last.key + 1 : null };
  }

  keepMember(id: string, generation: number, stamp: Stamp): void {
    const stored = this.#find.get(id);
    if (stored && stored.generation > 0) this.#relist(stored, stored.category, { kind: 'selected', generation }, stamp);
  }

  /** The members that a snapshot of this generation did not name. */
  membersBefore(generation: number): string[] {
    return this.#swept.all(generation);
  }

  /**
   * A cache between us and the service may still list what the selected set has withdrawn, and GET /items never takes an
   * item back. So a withdrawn item comes in again by this way only when the list itself no longer calls it selected.
   */
  #comesTooLate(item: Item): boolean {
    return item.selected === true && this.#isWithdrawn.get(item.id) === 1 && this.#find.get(item.id) === undefined;
  }

  /** The item, and whatever goes with it. */
  #remove(stored: Removable): void {
    const { key, link_original: link } = stored;
    this.#counters.move(stored, -1);
    this.#delete.run(key);
    this.#deleteIndex.run(key);
    this.#revisions.remove(key);
    this.#mentions.remove(key);
    this.#addresses.remove(key, link);
  }

  /** False where the id or the key is taken. */
  #add(key: number, id: string, columns: ServiceColumns, stamp: Stamp): boolean {
    return this.#insert.run(key, id, ...boundOf(columns), stamp.sequence).changes === 1;
  }

  #list(key: number, item: Item, origin: Origin, stamp: Stamp): void {
    const mark = this.#mark.get(item.id);
    const row = {
      category: item.category,
      generation: origin.kind === 'selected' ? origin.generation : 0,
      unread: Number(!mark || mark.read_at === null),
      starred: Number(mark !== undefined && mark.starred_at !== null),
    };
    const listed = Number(origin.kind === 'listed');
    this.#insertIndex.run(key, row.category, row.generation, listed, row.unread, row.starred, stamp.sequence);
    this.#counters.move(row, 1);
  }

  #revise(stored: Stored, told: ServiceColumns, origin: Origin, stamp: Stamp): Outcome {
    const columns = merge(stored, told, origin);
    const enters = this.#relist(stored, columns.category, origin, stamp);
    const differing = SERVICE_COLUMNS.filter((name) => columns[name] !== stored[name]);
    if (differing.length === 0) return enters ? 'completed' : 'unchanged';
    // What a reader reads: a change here is told as a revision of the item.
    const read = differing.filter(isRevisedColumn);
    const revisedAt = read.length > 0 ? stamp.now : stored.revised_at;
    if (read.length > 0) {
      this.#revisions.add(stored.key, Object.fromEntries(read.map((name) => [name, stored[name]])), stamp);
    }
    this.#update.run(...boundOf(columns), stamp.sequence, revisedAt, stored.key);
    if (columns.link_original !== stored.link_original) {
      this.#addresses.move(stored.key, stored.link_original, columns.link_original);
    }
    return differing.every((name) => completes(name, stored)) ? 'completed' : 'revised';
  }

  /** True if the item enters a list by it: the selected set, or another category. To that list it is a new arrival. */
  #relist(stored: Stored, category: string | null, origin: Origin, stamp: Stamp): boolean {
    const generation = origin.kind === 'selected' ? origin.generation : stored.generation;
    const listed = origin.kind === 'listed' ? 1 : stored.listed;
    const enters = category !== stored.category || (generation > 0 && stored.generation === 0);
    if (!enters && generation === stored.generation && listed === stored.listed) return false;
    this.#updateIndex.run(category, generation, listed, enters ? stamp.sequence : stored.added, stored.key);
    if (enters) {
      this.#counters.move(stored, -1);
      this.#counters.move({ ...stored, category, generation }, 1);
    }
    return enters;
  }
}

function boundOf(columns: ServiceColumns): ServiceColumns[Column][] {
  return SERVICE_COLUMNS.map((name) => columns[name]);
}

/**
 * What the two sources know of one item. The selected set is told change by change and is never stale, so a list that some
 * cache held back does not overrule it; only `reason` comes from there. (Sheet 3: a later upsert must not erase it.)
 */
function merge(stored: Stored, told: ServiceColumns, origin: Origin): ServiceColumns {
  if (origin.kind === 'selected') return { ...told, reason: told.reason ?? stored.reason };
  if (stored.generation > 0) return { ...stored, reason: told.reason ?? stored.reason };
  return told;
}

function completes(name: Column, stored: Stored): boolean {
  return SOURCE_COLUMNS.has(name) || (name === 'reason' && stored.reason === null);
}
