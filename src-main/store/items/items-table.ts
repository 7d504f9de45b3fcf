import type { Database } from 'better-sqlite3';
import type { Item } from '../../contract/model/item.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import { ITEM_HAS_NOTE } from '../user-data/notes.ts';
import type { AddressesTable } from './addresses-table.ts';
import type { Countable, Counters } from './counters.ts';
import { SERVICE_COLUMNS, toColumns, type ServiceColumns } from './item-rows.ts';
import { SlotAllocator, correctedTime, keyAt, latestTime } from './time-key.ts';
import type { CoverageTable } from '../stories/coverage-table.ts';
import type { MentionsTable } from '../models/mentions/mentions-table.ts';
import type { DeparturesTable } from './departures-table.ts';
import { isUnread, type ReadingStart } from './reading-start.ts';
import type { WithdrawnStars } from './withdrawn-stars.ts';
import { isOtherAddressOnly, revisedColumns, type RevisionsTable } from './revisions-table.ts';
import type { SourcesTable } from '../sources/sources-table.ts';
import { SearchDrops } from '../search/search-drops.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import { FoldedFacts } from '../rules/rule-query.ts';

/** Where an item came from: the selected set with its generation number, or GET /items. */
/** `lifetime`: for how many ms a cache may have kept the list (default 60 s). */
export type Origin = { kind: 'selected'; generation: number } | { kind: 'listed'; lifetime?: number };
/** `completed`: it entered a list, a missing field was filled in, or an address changed; no visible text changed. */
export type Outcome = 'added' | 'revised' | 'completed' | 'unchanged' | 'refused';
type Column = (typeof SERVICE_COLUMNS)[number];

/** Columns that differ between the two sources of the same version of an item. */
const SOURCE_COLUMNS = new Set<Column>(['selected', 'unknown']);

/** The sequence number of the current write, and its time in ms. */
export interface Stamp {
  sequence: number;
  now: number;
}

/** The list covers the last seven days (document 1 section 4.1). */
const LISTED_WINDOW = 7 * 24 * 3_600_000;
/** For how long caches keep the list, if it didn't say (observed-7-items). */
const LIST_LIFETIME = 60_000;

interface Stored extends ServiceColumns, Countable {
  id: string;
  arrival: number;
  key: number;
  listed: number;
  added: number;
  revised_at: number | null;
}

interface Status {
  read_at: number | null;
  marked_at: number | null;
  starred_at: number | null;
}

/** As of a write. */
interface Past {
  stamp: Stamp;
  /** Whether a new item may have a status, or was withdrawn. */
  statuses: boolean;
  withdrawals: boolean;
  /** See {@link ReadingStart.key}. */
  startKey: number;
}

interface NewItem {
  item: Item;
  columns: ServiceColumns;
}

type Removable = Countable & Pick<Stored, 'id' | 'arrival' | 'key' | 'link_original'>;

/** Tables with data derived from items, which is deleted with them. */
interface ItemTables {
  counters: Counters;
  addresses: AddressesTable;
  revisions: RevisionsTable;
  mentions: MentionsTable;
  coverage: CoverageTable;
  departures: DeparturesTable;
  readingStart: ReadingStart;
  withdrawnStars: WithdrawnStars;
  sources: SourcesTable;
  appliedRules: AppliedRules;
}

/**
 * The tables `item`, `item_index` and `withdrawal`: the saved items of the service (docs/decisions/005). Write within a
 * transaction.
 */
export class ItemsTable {
  readonly #counters: Counters;
  readonly #addresses: AddressesTable;
  readonly #revisions: RevisionsTable;
  readonly #mentions: MentionsTable;
  readonly #coverage: CoverageTable;
  readonly #departures: DeparturesTable;
  readonly #start: ReadingStart;
  readonly #stars: WithdrawnStars;
  readonly #sources: SourcesTable;
  readonly #rules: AppliedRules;
  readonly #slots = new SlotAllocator();
  readonly #insert;
  readonly #freeAbove;
  readonly #insertIndex;
  readonly #setKey;
  readonly #rekey;
  readonly #find;
  readonly #status;
  readonly #update;
  readonly #touch;
  readonly #updateIndex;
  readonly #setSource;
  readonly #delete;
  readonly #deleteIndex;
  readonly #withdrawal;
  readonly #setMuted;
  readonly #withdrawn;
  readonly #swept;
  readonly #old;
  readonly #hasNote;
  readonly #searchDrops: SearchDrops;
  readonly #anyStatus;
  readonly #anyWithdrawal;
  /** What is looked up once for all new items of a write; null if that is not known. */
  #past: Past | null = null;

  constructor(
    database: Database,
    {
      counters,
      addresses,
      revisions,
      mentions,
      coverage,
      departures,
      readingStart,
      withdrawnStars,
      sources,
      appliedRules,
    }: ItemTables,
  ) {
    this.#rules = appliedRules;
    this.#departures = departures;
    this.#start = readingStart;
    this.#stars = withdrawnStars;
    this.#sources = sources;
    this.#counters = counters;
    this.#addresses = addresses;
    this.#revisions = revisions;
    this.#mentions = mentions;
    this.#coverage = coverage;
    const names = SERVICE_COLUMNS.join(', ');
    const values = SERVICE_COLUMNS.map(() => '?').join(', ');
    this.#insert = database.prepare(
      `INSERT INTO item (key, id, ${names}, changed) VALUES (?, ?, ${values}, ?) ON CONFLICT (id) DO NOTHING`,
    );
    this.#freeAbove = database
      .prepare<[number], number>(
        `SELECT key + 1 FROM item_index AS taken
         WHERE key >= ? AND NOT EXISTS (SELECT 1 FROM item_index WHERE key = taken.key + 1) ORDER BY key LIMIT 1`,
      )
      .pluck();
    this.#insertIndex = database.prepare(
      `INSERT INTO item_index (key, arrival, category, generation, listed, unread, starred, added, source, muted)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
    );
    this.#setKey = database.prepare<[number, number]>('UPDATE item SET key = ? WHERE arrival = ?');
    this.#rekey = database.prepare<[number, number, number]>(
      'UPDATE OR IGNORE item_index SET key = ?, unread = ? WHERE key = ?',
    );
    this.#find = database.prepare<[string], Stored>(
      `SELECT item.arrival, item.id, key, ${SERVICE_COLUMNS.map((name) => `item.${name}`).join(', ')}, revised_at, generation, listed,
              unread, starred, added, muted
       FROM item JOIN item_index USING (key) WHERE id = ?`,
    );
    this.#status = database.prepare<[string], Status>(
      `SELECT read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
       WHERE mirror = ${THIS_MIRROR} AND item_id = ?`,
    );
    this.#update = database.prepare(
      `UPDATE item SET ${SERVICE_COLUMNS.map((name) => `${name} = ?`).join(', ')}, changed = ?, revised_at = ? WHERE arrival = ?`,
    );
    this.#touch = database.prepare<[number, number]>('UPDATE item SET changed = ? WHERE arrival = ?');
    this.#updateIndex = database.prepare(
      'UPDATE item_index SET category = ?, generation = ?, listed = ?, added = ? WHERE key = ?',
    );
    this.#setSource = database.prepare<[number, number]>('UPDATE item_index SET source = ? WHERE key = ?');
    this.#delete = database.prepare('DELETE FROM item WHERE arrival = ?');
    this.#deleteIndex = database.prepare('DELETE FROM item_index WHERE key = ?');
    this.#withdrawal = database.prepare(
      'INSERT INTO withdrawal (sequence, key, id, at, added, muted) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#setMuted = database.prepare<[number, number]>('UPDATE item_index SET muted = ? WHERE key = ?');
    // Sorting takes five times as long as the search, which is made for every new item.
    this.#withdrawn = database.prepare<[string], { sequence: number; at: number; added: number }>(
      'SELECT sequence, at, added FROM withdrawal WHERE id = ?',
    );
    this.#anyStatus = database
      .prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM user.item_status WHERE mirror = ${THIS_MIRROR})`)
      .pluck();
    this.#anyWithdrawal = database.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM withdrawal)').pluck();
    this.#swept = database
      .prepare<[number], string>(
        'SELECT id FROM item_index JOIN item USING (arrival) WHERE generation > 0 AND generation < ?',
      )
      .pluck();
    this.#old = database.prepare<[number, number, number], Removable>(
      `SELECT item.id, arrival, item_index.key, link_original, item_index.category, generation, unread, starred, muted
       FROM item_index CROSS JOIN item USING (arrival)
       WHERE item_index.key >= ? AND item_index.key < ? AND generation = 0 AND starred = 0 AND NOT ${ITEM_HAS_NOTE}
         AND NOT EXISTS (SELECT 1 FROM parked_item WHERE parked_item.id = item.id)
       ORDER BY item_index.key LIMIT ?`,
    );
    this.#hasNote = database.prepare<[number], number>(`SELECT ${ITEM_HAS_NOTE} FROM item WHERE arrival = ?`).pluck();
    this.#searchDrops = new SearchDrops(database);
  }

  /** @param time the time to sort by, in ms since 1970 */
  upsert(item: Item, origin: Origin, stamp: Stamp, time: number): Outcome {
    if (origin.kind === 'listed' && this.#comesTooLate(item.id, origin, stamp)) return 'refused';
    const columns = toColumns(item);
    const wanted = keyAt(time);
    const added = this.#insert.run(this.#slots.first(wanted), item.id, ...boundOf(columns), stamp.sequence);
    if (added.changes === 0) {
      const stored = this.#find.get(item.id);
      return stored ? this.#revise(stored, columns, origin, stamp) : 'refused';
    }
    const arrival = Number(added.lastInsertRowid);
    const key = this.#list(arrival, wanted, { item, columns }, origin, stamp);
    this.#coverage.itemAdded({ key, id: item.id, link: item.links.original });
    return 'added';
  }

  /**
   * Removes an item and records its withdrawal. Returns false if it was not saved: the same withdrawal may arrive
   * twice.
   */
  withdraw(id: string, stamp: Stamp): boolean {
    const stored = this.#find.get(id);
    if (!stored) return false;
    this.#remove(stored);
    this.#past = null;
    const added = this.#departures.end(id)?.added ?? stored.added;
    this.#withdrawal.run(stamp.sequence, stored.key, id, stamp.now, added, stored.muted);
    if (stored.starred) this.#stars.add(id, stored.key, stamp.now);
    return true;
  }

  /**
   * Takes an item out of the selected set. It may still be public: within the window of the list it stays as unselected,
   * until the list shows whether it does. An older one can't be looked up, and is withdrawn, unless the reader starred it
   * or wrote a note about it. `expiryTime` (ms since 1970) decides what is older. Nothing happens to an item that is not
   * in the set: the same removal may arrive twice. If the service didn't say that it was removed (`isSaid`), it stays
   * anyway: `outOfReach` if it would have been withdrawn.
   */
  leave(
    id: string,
    stamp: Stamp,
    { expiryTime, isSaid }: { expiryTime: number; isSaid: boolean },
  ): 'left' | 'outOfReach' | 'withdrawn' | null {
    const stored = this.#find.get(id);
    if (!stored || stored.generation === 0) return null;
    const isOutOfReach = latestTime(timesOf(stored), stamp.now) < expiryTime - LISTED_WINDOW;
    const isLost = isOutOfReach && !this.#isKept(stored);
    if (isLost && isSaid) return this.withdraw(id, stamp) ? 'withdrawn' : null;
    this.#departures.add(id, stamp.now, stored.added);
    if (isOutOfReach) this.#departures.confirm(id);
    this.#counters.leave(stored);
    this.#updateIndex.run(stored.category, 0, stored.listed, stored.added, stored.key);
    this.#coverage.itemMoved(stored.key);
    this.#enterAgain({ ...stored, generation: 0 }, stamp);
    return isLost ? 'outOfReach' : 'left';
  }

  /** Withdraws an item that left the selected set, unless the reader starred it or wrote a note about it. */
  withdrawUnkept(id: string, stamp: Stamp): boolean {
    const stored = this.#find.get(id);
    return stored?.generation === 0 && !this.#isKept(stored) && this.withdraw(id, stamp);
  }

  /** Adds a reason from a list of selected items to a saved item; nothing else of the list is taken. */
  complete(id: string, reason: string, stamp: Stamp): Outcome {
    const stored = this.#find.get(id);
    if (!stored) return 'unchanged';
    const columns = Object.fromEntries(
      SERVICE_COLUMNS.map((name) => [name, stored[name]]),
    ) as unknown as ServiceColumns;
    return this.#revise(stored, { ...columns, reason }, { kind: 'selected', generation: stored.generation }, stamp);
  }

  /**
   * Removes up to `limit` unselected items without star and note with `from` <= key < `horizon`, without recording withdrawals.
   * `next` is where to continue; null at the end.
   */
  dropBefore(horizon: number, from: number, limit: number): { dropped: number; next: number | null } {
    const old = this.#old.all(from, horizon, limit);
    if (old.length > 0) this.#searchDrops.prune();
    for (const stored of old) {
      this.#remove(stored);
      this.#searchDrops.add(stored.key);
      this.#departures.end(stored.id);
    }
    const last = old.at(-1);
    return { dropped: old.length, next: last && old.length === limit ? last.key + 1 : null };
  }

  keepMember(id: string, generation: number, stamp: Stamp): void {
    const stored = this.#find.get(id);
    if (stored && stored.generation > 0) this.#relist(stored, stored, { kind: 'selected', generation }, stamp);
  }

  /** The members that the snapshot of this generation didn't contain. */
  membersBefore(generation: number): string[] {
    return this.#swept.all(generation);
  }

  #isKept({ starred, arrival }: Stored): boolean {
    return starred === 1 || this.#hasNote.get(arrival) === 1;
  }

  /** A cache may still list what has just been withdrawn: a list brings it back only once it must be newer. */
  #comesTooLate(id: string, { lifetime = LIST_LIFETIME }: { lifetime?: number }, { now }: Stamp): boolean {
    const withdrawal = this.#lastWithdrawal(id);
    return withdrawal !== undefined && Math.abs(now - withdrawal.at) < lifetime && this.#find.get(id) === undefined;
  }

  #lastWithdrawal(id: string): { at: number; added: number } | undefined {
    const all = this.#withdrawn.all(id);
    return all.length > 1 ? all.sort((a, b) => a.sequence - b.sequence).at(-1) : all[0];
  }

  /** A first load has neither statuses nor withdrawals, so that it need not look for those of each item. */
  #pastAt(stamp: Stamp): Past {
    if (this.#past?.stamp === stamp) return this.#past;
    this.#past = {
      stamp,
      statuses: this.#anyStatus.get() === 1,
      withdrawals: this.#anyWithdrawal.get() === 1,
      startKey: this.#start.key,
    };
    return this.#past;
  }

  /** Removes the item and its derived data. */
  #remove(stored: Removable): void {
    const { arrival, key, link_original: link } = stored;
    this.#counters.leave(stored);
    if (this.#rules.any) this.#rules.remove(key);
    this.#delete.run(arrival);
    this.#deleteIndex.run(key);
    this.#revisions.remove(key);
    this.#mentions.remove(key);
    this.#addresses.remove(arrival, link);
    this.#coverage.itemRemoved(key);
  }

  /** Adds a new item to the index, under the preferred key or the next free one, which is returned. */
  #list(arrival: number, wanted: number, { item, columns }: NewItem, origin: Origin, stamp: Stamp): number {
    const past = this.#pastAt(stamp);
    const status = past.statuses ? this.#status.get(item.id) : undefined;
    const row = {
      category: item.category,
      generation: origin.kind === 'selected' ? origin.generation : 0,
      unread: 0,
      starred: Number(status !== undefined && status.starred_at !== null),
      muted: 0,
    };
    const matches = this.#rules.any
      ? this.#rules.match(new FoldedFacts({ ...columns, key: wanted, generation: row.generation }))
      : [];
    row.muted = Number(matches.some(({ rule }) => rule.kind === 'mute'));
    const listed = Number(origin.kind === 'listed');
    // An item that was withdrawn and returned is not new: readers saw it before.
    const added = (past.withdrawals ? this.#lastWithdrawal(item.id)?.added : undefined) ?? stamp.sequence;
    const source = this.#sources.idOf(item.source.name);
    const first = this.#slots.first(wanted);
    const key = this.#findFree(wanted, (one) => {
      row.unread = Number(isUnread(status, one < past.startKey));
      const bound = [row.category, row.generation, listed, row.unread, row.starred, added, source, row.muted];
      return this.#insertIndex.run(one, arrival, ...bound).changes > 0;
    });
    if (key !== first) this.#setKey.run(key, arrival);
    for (const match of matches) this.#rules.put(key, match, stamp.sequence);
    this.#counters.enter({ ...row, key });
    return key;
  }

  /** The preferred key or the next free one: the first that `take` accepts. */
  #findFree(wanted: number, take: (key: number) => boolean): number {
    let key = this.#slots.first(wanted);
    while (!take(key)) {
      key = this.#freeAbove.get(key) ?? key + 1;
      this.#slots.filled(wanted, key);
    }
    return key;
  }

  /**
   * Moves an item whose time was corrected, with everything that refers to its key, and returns it as it is stored now.
   * The caller saves the times. It is not new, whatever its time is.
   */
  #move(stored: Stored, received: ServiceColumns, stamp: Stamp): Stored {
    const time = correctedTime(timesOf(stored), timesOf(received), stamp.now);
    if (time === null) return stored;
    const { arrival, id, link_original: link, key: before } = stored;
    const status = this.#status.get(id);
    const { startKey } = this.#pastAt(stamp);
    this.#counters.leave(stored);
    let unread = 0;
    const key = this.#findFree(keyAt(time), (one) => {
      unread = Number(isUnread(status, one < startKey));
      return this.#rekey.run(one, unread, before).changes > 0;
    });
    this.#setKey.run(key, arrival);
    if (this.#rules.any) this.#rules.move(before, key);
    this.#revisions.move(before, key);
    this.#mentions.move(before, key);
    this.#coverage.keyChanged({ key, id, link }, before);
    this.#searchDrops.prune();
    this.#searchDrops.add(before);
    this.#enterAgain({ ...stored, key, unread }, stamp);
    return this.#find.get(id) ?? stored;
  }

  /** After a change of an item, before which it left the counters: matches it again. */
  #enterAgain(row: Stored, stamp: Stamp): void {
    if (!this.#rules.any) {
      this.#counters.enter(row);
      return;
    }
    const facts = new FoldedFacts(row);
    const matches = this.#rules.match(facts);
    const muted = Number(matches.some(({ rule }) => rule.kind === 'mute'));
    this.#rules.replace(row.key, matches, stamp.sequence);
    if (muted !== row.muted) {
      this.#setMuted.run(muted, row.key);
      this.#coverage.itemMoved(row.key);
    }
    this.#counters.enter({ ...row, muted });
  }

  #revise(found: Stored, received: ServiceColumns, origin: Origin, stamp: Stamp): Outcome {
    const columns = merge(found, received, origin);
    const stored = this.#move(found, columns, stamp);
    const enters = this.#relist(stored, columns, origin, stamp);
    const differing = SERVICE_COLUMNS.filter((name) => columns[name] !== stored[name]);
    if (differing.length === 0) return enters ? 'completed' : 'unchanged';
    if (!enters && this.#rules.any) {
      this.#counters.leave(stored);
      this.#enterAgain({ ...stored, ...columns }, stamp);
    }
    // Only a change of visible text counts as a revision.
    const read = revisedColumns(differing, stored, columns);
    const revisedAt = read.length > 0 ? stamp.now : stored.revised_at;
    if (read.length > 0) {
      this.#revisions.add(stored.key, Object.fromEntries(read.map((name) => [name, stored[name]])), stamp);
    }
    this.#update.run(...boundOf(columns), stamp.sequence, revisedAt, stored.arrival);
    if (columns.source_name !== stored.source_name) {
      this.#setSource.run(this.#sources.idOf(columns.source_name), stored.key);
    }
    if (columns.link_original !== stored.link_original) {
      this.#addresses.remove(stored.arrival, stored.link_original);
      this.#coverage.linkChanged({ key: stored.key, id: stored.id, link: columns.link_original });
    }
    const isCompletion = differing.every(
      (name) => completes(name, stored) || isOtherAddressOnly(name, stored, columns),
    );
    return isCompletion ? 'completed' : 'revised';
  }

  /** Returns true if the item enters the selected set or another category, where it then counts as new. */
  #relist(stored: Stored, columns: ServiceColumns, origin: Origin, stamp: Stamp): boolean {
    const { category } = columns;
    const generation = origin.kind === 'selected' ? origin.generation : stored.generation;
    const listed = origin.kind === 'listed' ? 1 : stored.listed;
    const enters = category !== stored.category || (generation > 0 && stored.generation === 0);
    if (!enters && generation === stored.generation && listed === stored.listed) return false;
    // What left the set and returns is not new: readers saw it there.
    const returned = enters && generation > 0 && stored.generation === 0 ? this.#departures.end(stored.id) : undefined;
    const added = returned?.added ?? (enters ? stamp.sequence : stored.added);
    if (enters) this.#counters.leave(stored);
    this.#updateIndex.run(category, generation, listed, added, stored.key);
    if (enters) {
      this.#coverage.itemMoved(stored.key);
      // The search index knows which list an item is in.
      this.#touch.run(stamp.sequence, stored.arrival);
      this.#enterAgain({ ...stored, ...columns, generation }, stamp);
    }
    return enters;
  }
}

function timesOf({
  discovered_at: discoveredAt,
  published_at: publishedAt,
}: ServiceColumns): Pick<Item, 'discoveredAt' | 'publishedAt'> {
  return { discoveredAt, publishedAt };
}

function boundOf(columns: ServiceColumns): ServiceColumns[Column][] {
  return SERVICE_COLUMNS.map((name) => columns[name]);
}

/**
 * Merges the two sources of an item. The selected set is synced change by change and is never stale, so a list that may
 * come from a cache doesn't overwrite it; only `reason` is taken from the list. (Sheet 3: a later upsert must not erase
 * it.)
 */
function merge(stored: Stored, received: ServiceColumns, origin: Origin): ServiceColumns {
  if (origin.kind === 'selected') return { ...received, reason: received.reason ?? stored.reason };
  if (stored.generation > 0) return { ...stored, reason: received.reason ?? stored.reason };
  return received;
}

function completes(name: Column, stored: Stored): boolean {
  return SOURCE_COLUMNS.has(name) || (name === 'reason' && stored.reason === null);
}
