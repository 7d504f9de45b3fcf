import type { Database } from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import type { ItemsQuery, ItemAction } from '../../contract/model/item.ts';
import type { AddressesTable } from './addresses-table.ts';
import type { Countable, Counters } from './counters.ts';
import { add, listFilter, whereClause } from './list-filter.ts';
import type { Properties } from '../database/properties.ts';
import type { SelectedSet } from './selected-set.ts';

type Field = 'read_at' | 'starred_at';

/** What a field was before an action, for taking it back. Times are ms since 1970. */
export interface Undo {
  field: Field;
  before: { id: string; value: number | null }[];
}

interface StatusRow {
  read_at: number | null;
  starred_at: number | null;
}

interface StatusTables {
  counters: Counters;
  addresses: AddressesTable;
  /** The properties of user.db. */
  user: Properties;
  /** The properties of the mirror. */
  mirror: Properties;
  selectedSet: SelectedSet;
}

/**
 * What the reader did with items. user.db holds the truth by the service's ids; the item index in the mirror repeats it for
 * its indexes and counters. The two files cannot commit as one, so every action is numbered: a mirror that missed some
 * (a crash between the two commits, a rebuild, a restored backup) catches up when it is opened.
 */
export class StatusesTable {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #addresses: AddressesTable;
  readonly #user: Properties;
  readonly #mirror: Properties;
  readonly #selectedSet: SelectedSet;
  readonly #get;
  readonly #put;
  readonly #indexed;
  readonly #show;
  readonly #later;

  constructor(database: Database, { counters, addresses, user, mirror, selectedSet }: StatusTables) {
    this.#database = database;
    this.#counters = counters;
    this.#addresses = addresses;
    this.#user = user;
    this.#mirror = mirror;
    this.#selectedSet = selectedSet;
    this.#get = database.prepare<[string], StatusRow>(
      'SELECT read_at, starred_at FROM user.item_status WHERE item_id = ?',
    );
    this.#put = database.prepare<[string, number | null, number | null, number]>(
      'INSERT OR REPLACE INTO user.item_status (item_id, read_at, starred_at, sequence) VALUES (?, ?, ?, ?)',
    );
    this.#indexed = database.prepare<[string], Countable & { key: number }>(
      'SELECT key, item_index.category, generation, unread, starred FROM item JOIN item_index USING (key) WHERE id = ?',
    );
    this.#show = database.prepare<[number, number, number]>(
      'UPDATE item_index SET unread = ?, starred = ? WHERE key = ?',
    );
    this.#later = database.prepare<[number], StatusRow & { item_id: string }>(
      'SELECT item_id, read_at, starred_at FROM user.item_status WHERE sequence > ?',
    );
  }

  /** Within a transaction. Items that already are as wanted are left alone; `before` tells the others. */
  mark(ids: readonly string[], mark: ItemAction, now: number): Undo {
    const field: Field = mark === 'read' || mark === 'unread' ? 'read_at' : 'starred_at';
    const value = mark === 'read' || mark === 'star' ? now : null;
    const changing = [...new Set(ids)].filter(
      (id) => ((this.#get.get(id)?.[field] ?? null) === null) !== (value === null),
    );
    return this.#change(
      field,
      changing.map((id) => ({ id, value })),
    );
  }

  /** Within a transaction. Marks a citation by its canonical address, and with it the items of that address: one state. */
  markAddress(address: string, read: boolean, now: number): Undo {
    if (read) this.#addresses.mark(address, now);
    else this.#addresses.unmark(address);
    const ids = this.#addresses.itemsAt(address).map(({ id }) => id);
    return this.mark(ids, read ? 'read' : 'unread', now);
  }

  /** Within a transaction. An item that has just come was read before, where a citation of its original was. */
  inherit(id: string, link: string | null): void {
    const readAt = this.#addresses.readAtLink(link);
    if (readAt !== null) this.mark([id], 'read', readAt);
  }

  /** Within a transaction. Marks what a query matches as read, save what came after the write number `watermark`. */
  markAllRead(query: ItemsQuery, watermark: number, now: number): Undo {
    const filter = listFilter(query, now, this.#selectedSet.complete);
    if (!filter) return { field: 'read_at', before: [] };
    if (query.state !== 'unread') add(filter, 'item_index.unread = 1');
    add(filter, 'item_index.added <= ?', watermark);
    this.#database.exec(
      'CREATE TEMP TABLE IF NOT EXISTS touched (key INTEGER PRIMARY KEY, id TEXT); DELETE FROM touched',
    );
    this.#database
      .prepare(
        `INSERT INTO touched SELECT item_index.key, item.id FROM ${filter.from} JOIN item ON item.key = item_index.key
         ${whereClause(filter)}`,
      )
      .run(...filter.bound);
    return this.#readTouched(now);
  }

  /**
   * Within a transaction. Takes the marks of another copy in: what is marked here stays so, and of two times the earlier one
   * stays. Tells of each whether it is another one now.
   */
  mergeAll(rows: readonly (StatusRow & { item_id: string })[]): boolean[] {
    let sequence: number | null = null;
    return rows.map(({ item_id: id, ...row }) => {
      const here = this.#get.get(id) ?? { read_at: null, starred_at: null };
      const read_at = earlier(here.read_at, row.read_at);
      const starred_at = earlier(here.starred_at, row.starred_at);
      if (read_at === here.read_at && starred_at === here.starred_at) return false;
      sequence ??= this.#begin();
      this.#put.run(id, read_at, starred_at, sequence);
      this.#repeat(id, { read_at, starred_at });
      return true;
    });
  }

  /** As {@link mergeAll}, for a citation; the items of its address are read with it. */
  mergeAddress(address: string, readAt: number): boolean {
    const here = this.#addresses.readAt(address);
    if (here !== null && here <= readAt) return false;
    if (here !== null) this.#addresses.unmark(address);
    this.markAddress(address, true, readAt);
    return true;
  }

  /** Within a transaction. */
  undo({ field, before }: Undo): number {
    return this.#change(field, before).before.length;
  }

  /** Within a transaction. Brings the item index up to user.db; true if it was behind. */
  catchUp(): boolean {
    const user = this.#user.get('id');
    const known = user !== null && this.#mirror.get('marks_of') === user;
    const from = known ? this.#mirror.number('marks_applied') : 0;
    const to = this.#user.number('sequence');
    if (known && from === to) return false;
    // Another user.db, or an older copy of this one: whatever the item index repeats is not its.
    const afresh = !known || from > to;
    if (afresh) this.#forgetAll();
    for (const row of this.#later.all(afresh ? 0 : from)) this.#repeat(row.item_id, row);
    // An older copy counts on from where it was: under a new name, so that no other mirror takes it for the one it followed.
    this.#mirror.set('marks_of', user === null || from > to ? this.#nameUser() : user);
    this.#mirror.set('marks_applied', to);
    return true;
  }

  #change(field: Field, wanted: { id: string; value: number | null }[]): Undo {
    const before: Undo['before'] = [];
    if (wanted.length === 0) return { field, before };
    const sequence = this.#begin();
    for (const { id, value } of wanted) {
      const row = this.#get.get(id) ?? { read_at: null, starred_at: null };
      before.push({ id, value: row[field] });
      const changed = { ...row, [field]: value };
      this.#put.run(id, changed.read_at, changed.starred_at, sequence);
      this.#repeat(id, changed);
      if (field === 'read_at' && value === null) this.#addresses.unmarkItem(id);
    }
    return { field, before };
  }

  #readTouched(now: number): Undo {
    const ids = this.#database.prepare<[], string>('SELECT id FROM touched').pluck().all();
    if (ids.length === 0) return { field: 'read_at', before: [] };
    const sequence = this.#begin();
    const groups = this.#database.prepare<[], Countable & { times: number }>(
      `SELECT category, min(generation, 1) AS generation, unread, starred, count(*) AS times
       FROM touched JOIN item_index USING (key) GROUP BY 1, 2, 3, 4`,
    );
    for (const { times, ...row } of groups.all()) {
      this.#counters.move(row, -times);
      this.#counters.move({ ...row, unread: 0 }, times);
    }
    this.#database
      .prepare(
        `INSERT INTO user.item_status (item_id, read_at, sequence) SELECT id, ?, ? FROM touched WHERE true
         ON CONFLICT (item_id) DO UPDATE SET read_at = excluded.read_at, sequence = excluded.sequence`,
      )
      .run(now, sequence);
    this.#database.exec('UPDATE item_index SET unread = 0 WHERE key IN (SELECT key FROM touched)');
    return { field: 'read_at', before: ids.map((id) => ({ id, value: null })) };
  }

  #repeat(id: string, mark: StatusRow): void {
    const row = this.#indexed.get(id);
    if (!row) return;
    const unread = Number(mark.read_at === null);
    const starred = Number(mark.starred_at !== null);
    if (row.unread === unread && row.starred === starred) return;
    this.#counters.move(row, -1);
    this.#counters.move({ ...row, unread, starred }, 1);
    this.#show.run(unread, starred, row.key);
  }

  #begin(): number {
    const sequence = this.#user.number('sequence') + 1;
    this.#user.set('sequence', sequence);
    this.#mirror.set('marks_applied', sequence);
    return sequence;
  }

  #nameUser(): string {
    const id = randomUUID();
    this.#user.set('id', id);
    return id;
  }

  #forgetAll(): void {
    this.#database.exec(`
      UPDATE item_index SET unread = 1, starred = 0 WHERE unread = 0 OR starred = 1;
      DELETE FROM counter WHERE scope = 'starred';
      UPDATE counter SET unread = total;
    `);
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
