import type { Database } from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import type { ItemAction } from '../../contract/model/item.ts';
import type { AddressesTable } from './addresses-table.ts';
import type { Countable, Counters } from './counters.ts';
import { fromKey, listFilter, restrict, rowsOf } from './lists/list-filter.ts';
import { SourceList } from './lists/source-list.ts';
import type { Properties } from '../database/properties.ts';
import { OPEN_MARKING, type OpenMarking } from './open-marking.ts';
import { isUnread, type ReadingStart } from './reading-start.ts';
import type { SelectedSet } from './selected-set.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import { matchesOf } from '../rules/match-groups.ts';

type Field = 'read_at' | 'starred_at';

/** The values of a field before an action, for undo. Times are ms since 1970. */
export interface Undo {
  field: Field;
  /** `markedAt` is that of `unread_mark`, if the action changes it. */
  before: { id: string; value: number | null; markedAt?: number | null }[];
}

/** A part of a marking of all as read; `next` is the following one, null at the end. */
export interface MarkedPart {
  undo: Undo;
  next: OpenMarking | null;
}

interface StatusRow {
  read_at: number | null;
  starred_at: number | null;
  /** When it was marked as unread (`unread_mark`). */
  marked_at: number | null;
}

/** A status of another machine, of any service; what is left out stays. Times are ms since 1970. */
export interface CarriedStatus extends Partial<StatusRow> {
  mirror: string;
  id: string;
}

const NO_STATUS: StatusRow = { read_at: null, starred_at: null, marked_at: null };

interface StatusTables {
  counters: Counters;
  addresses: AddressesTable;
  /** The properties of user.db. */
  user: Properties;
  /** The properties of the mirror. */
  mirror: Properties;
  selectedSet: SelectedSet;
  readingStart: ReadingStart;
  appliedRules: AppliedRules;
}

/**
 * The read and starred status of items. user.db has the original, by service and item id; the item index in the mirror has a copy
 * for its indexes and counters. The two files can't commit together, so actions are numbered: a mirror that missed some
 * (after a crash between the commits, a rebuild or a restored backup) is updated when it is opened.
 */
export class StatusesTable {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #addresses: AddressesTable;
  readonly #user: Properties;
  readonly #mirror: Properties;
  readonly #selectedSet: SelectedSet;
  readonly #start: ReadingStart;
  readonly #sources: SourceList;
  readonly #rules: AppliedRules;
  /** The name of the mirrored service. */
  readonly #service: string;
  readonly #get;
  readonly #put;
  readonly #putMark;
  readonly #removeMark;
  readonly #indexed;
  readonly #setIndexed;
  readonly #later;

  constructor(database: Database, tables: StatusTables) {
    const { counters, addresses, user, mirror, selectedSet, readingStart, appliedRules } = tables;
    this.#rules = appliedRules;
    this.#database = database;
    this.#counters = counters;
    this.#addresses = addresses;
    this.#user = user;
    this.#mirror = mirror;
    this.#selectedSet = selectedSet;
    this.#start = readingStart;
    this.#sources = new SourceList(database, mirror);
    this.#service = mirror.get('source') ?? '';
    this.#get = database.prepare<[string, string], StatusRow>(
      `SELECT read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
       WHERE mirror = ? AND item_id = ?`,
    );
    this.#put = database.prepare<[string, string, number | null, number | null, number]>(
      'INSERT OR REPLACE INTO user.item_status (mirror, item_id, read_at, starred_at, sequence) VALUES (?, ?, ?, ?, ?)',
    );
    this.#putMark = database.prepare<[string, string, number]>(
      'INSERT OR REPLACE INTO user.unread_mark (mirror, item_id, marked_at) VALUES (?, ?, ?)',
    );
    this.#removeMark = database.prepare<[string, string]>(
      'DELETE FROM user.unread_mark WHERE mirror = ? AND item_id = ?',
    );
    this.#indexed = database.prepare<[string], Countable & { key: number }>(
      'SELECT item_index.key, item_index.category, generation, unread, starred, muted FROM item JOIN item_index USING (key) WHERE id = ?',
    );
    this.#setIndexed = database.prepare<[number, number, number]>(
      'UPDATE item_index SET unread = ?, starred = ? WHERE key = ?',
    );
    this.#later = database.prepare<[string, number], StatusRow & { item_id: string }>(
      `SELECT item_id, read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
       WHERE mirror = ? AND sequence > ?`,
    );
  }

  /** Within a transaction. Skips items that already have the wanted status; `before` lists the others. */
  mark(ids: readonly string[], action: ItemAction, now: number): Undo {
    const field: Field = action === 'read' || action === 'unread' ? 'read_at' : 'starred_at';
    const value = action === 'read' || action === 'star' ? now : null;
    const changing = [...new Set(ids)].filter((id) => {
      const isSet = (this.#get.get(this.#service, id)?.[field] ?? null) !== null;
      return action === 'unread' ? isSet || this.#indexed.get(id)?.unread === 0 : isSet !== (value !== null);
    });
    return this.#change(
      field,
      changing.map((id) => (action === 'unread' ? { id, value, ...this.#markedUnread(id, now) } : { id, value })),
    );
  }

  /**
   * Within a transaction. Marks a citation by its canonical address, together with the items of that address: they
   * share one status.
   */
  markAddress(address: string, read: boolean, now: number): Undo {
    if (read) this.#addresses.mark(address, now);
    else this.#addresses.unmark(address);
    const ids = this.#addresses.itemsAt(address).map(({ id }) => id);
    return this.mark(ids, read ? 'read' : 'unread', now);
  }

  /** Within a transaction. Marks a new item as read if a citation with its address was read. */
  inherit(id: string, link: string | null): void {
    const readAt = this.#addresses.readAtLink(link);
    if (readAt !== null) this.mark([id], 'read', readAt);
  }

  /**
   * Within a transaction. Marks items of a query as read, except those added after write `watermark`: the newest `limit`
   * of those below a key. With `next` there are more: this is saved, so that a killed process leaves a marking that the
   * next one ends. `now` is that of the first part, in ms since 1970.
   */
  markAllRead(part: OpenMarking, limit: number): MarkedPart {
    const { query, watermark, now, below, above, since = this.#user.number('sequence') } = part;
    // A row stands for what is folded into it.
    const { foldStories: _, ...everything } = query;
    const saved = query.saved === undefined ? null : this.#rules.search(query.saved);
    const filter = listFilter(everything, now, this.#selectedSet.complete, { ...this.#sources.forFilter(), saved });
    if (!filter) {
      // Nothing is left to mark, for example of a saved search that was removed meanwhile.
      if (below !== null) this.#mirror.set(OPEN_MARKING, null);
      return { undo: { field: 'read_at', before: [] }, next: null };
    }
    if (below !== null) {
      fromKey(filter, '<', below);
      const isMarked = `SELECT 1 FROM user.item_status WHERE mirror = ? AND sequence > ?
        AND item_id = (SELECT id FROM item AS marked WHERE marked.arrival = item_index.arrival)`;
      restrict(filter, `NOT EXISTS (${isMarked})`, this.#service, since);
    }
    if (above !== undefined) fromKey(filter, '>=', above + 1);
    if (query.state !== 'unread') restrict(filter, 'item_index.unread = 1');
    restrict(filter, 'item_index.added <= ?', watermark);
    this.#database.exec(
      'CREATE TEMP TABLE IF NOT EXISTS touched (key INTEGER PRIMARY KEY, id TEXT); DELETE FROM touched',
    );
    const { sql, bound } = rowsOf(filter, 'item_index.key, item.id', '', limit);
    this.#database.prepare(`INSERT INTO touched ${sql}`).run(...bound);
    const undo = this.#readTouched(now);
    const last = this.#database.prepare<[], number>('SELECT min(key) FROM touched').pluck().get() ?? 0;
    const next =
      undo.before.length < limit
        ? null
        : { query, watermark, now, below: last, since, ...(above !== undefined && { above }) };
    if (next || below !== null) this.#mirror.set(OPEN_MARKING, next && JSON.stringify(next));
    return { undo, next };
  }

  /**
   * Within a transaction. Merges the statuses of another copy: none is cleared here, and of two times the earlier one
   * is kept. A row without a service is for this one. Returns for each row whether it changed.
   */
  mergeAll(rows: readonly (Omit<StatusRow, 'marked_at'> & { mirror?: string; item_id: string })[]): boolean[] {
    let sequence: number | null = null;
    return rows.map(({ mirror = this.#service, item_id: id, ...row }) => {
      const here = this.#get.get(mirror, id) ?? NO_STATUS;
      const read_at = earlier(here.read_at, row.read_at);
      const starred_at = earlier(here.starred_at, row.starred_at);
      if (read_at === here.read_at && starred_at === here.starred_at) return false;
      sequence ??= this.#begin();
      this.#put.run(mirror, id, read_at, starred_at, sequence);
      if (mirror === this.#service) this.#copyToIndex(id, { ...here, read_at, starred_at });
      return true;
    });
  }

  /** Like {@link mergeAll}, for a citation; also marks the items of its address as read. */
  mergeAddress(address: string, readAt: number): boolean {
    const here = this.#addresses.readAt(address);
    if (here !== null && here <= readAt) return false;
    if (here !== null) this.#addresses.unmark(address);
    this.markAddress(address, true, readAt);
    return true;
  }

  /**
   * Within a transaction. Merges the items that were marked as unread in another copy: they don't count as read because of
   * their age. Returns for each row whether it changed.
   */
  mergeUnread(rows: readonly { mirror: string; item_id: string; marked_at: number }[]): boolean[] {
    let sequence: number | null = null;
    return rows.map(({ mirror, item_id: id, marked_at }) => {
      const here = this.#get.get(mirror, id) ?? NO_STATUS;
      if (here.marked_at !== null && here.marked_at <= marked_at) return false;
      sequence ??= this.#begin();
      this.#put.run(mirror, id, here.read_at, here.starred_at, sequence);
      this.#putMark.run(mirror, id, marked_at);
      if (mirror === this.#service) this.#copyToIndex(id, { ...here, marked_at });
      return true;
    });
  }

  /**
   * Within a transaction. Sets what another machine marked (docs/decisions/131), also to nothing. Returns the items of this
   * service that changed.
   */
  carry(rows: readonly CarriedStatus[]): string[] {
    let sequence: number | null = null;
    return rows.flatMap(({ mirror, id, ...status }) => {
      const here = this.#get.get(mirror, id) ?? NO_STATUS;
      const row = { ...here, ...status };
      if (row.read_at === here.read_at && row.starred_at === here.starred_at && row.marked_at === here.marked_at)
        return [];
      sequence ??= this.#begin();
      this.#put.run(mirror, id, row.read_at, row.starred_at, sequence);
      if (row.marked_at === null) this.#removeMark.run(mirror, id);
      else if (row.marked_at !== here.marked_at) this.#putMark.run(mirror, id, row.marked_at);
      if (mirror !== this.#service) return [];
      this.#copyToIndex(id, row);
      return [id];
    });
  }

  /** Within a transaction. */
  undo({ field, before }: Undo): number {
    return this.#change(field, before).before.length;
  }

  /** Within a transaction. Updates the item index from user.db; returns true if it was behind. */
  catchUp(): boolean {
    const user = this.#user.get('id');
    const known = user !== null && this.#mirror.get('statuses_of') === user;
    const from = known ? this.#mirror.number('statuses_applied') : 0;
    const to = this.#user.number('sequence');
    if (known && from === to) return this.#start.catchUp();
    // After a change to another user.db, or an older copy of this one, the item index is rebuilt.
    const rebuild = !known || from > to;
    if (rebuild) this.#resetIndex();
    this.#start.catchUp();
    for (const row of this.#later.all(this.#service, rebuild ? 0 : from)) this.#copyToIndex(row.item_id, row);
    // An older copy numbers its actions from where it was. It gets a new name, so that no other mirror takes it for the
    // file that it last followed.
    this.#mirror.set('statuses_of', user === null || from > to ? this.#nameUser() : user);
    this.#mirror.set('statuses_applied', to);
    return true;
  }

  #change(field: Field, wanted: Undo['before']): Undo {
    const before: Undo['before'] = [];
    if (wanted.length === 0) return { field, before };
    const sequence = this.#begin();
    for (const { id, value, markedAt } of wanted) {
      const row = this.#get.get(this.#service, id) ?? NO_STATUS;
      before.push({ id, value: row[field], ...(markedAt !== undefined && { markedAt: row.marked_at }) });
      const changed = { ...row, [field]: value, ...(markedAt !== undefined && { marked_at: markedAt }) };
      this.#put.run(this.#service, id, changed.read_at, changed.starred_at, sequence);
      if (changed.marked_at !== row.marked_at) this.#setMark(id, changed.marked_at);
      this.#copyToIndex(id, changed);
      if (field === 'read_at' && value === null) this.#addresses.unmarkItem(id);
    }
    return { field, before };
  }

  #readTouched(now: number): Undo {
    const ids = this.#database.prepare<[], string>('SELECT id FROM touched').pluck().all();
    if (ids.length === 0) return { field: 'read_at', before: [] };
    const sequence = this.#begin();
    const groups = this.#database.prepare<[], Countable & { times: number }>(
      `SELECT category, min(generation, 1) AS generation, unread, starred, muted, count(*) AS times
       FROM touched JOIN item_index USING (key) GROUP BY 1, 2, 3, 4, 5`,
    );
    for (const { times, ...row } of groups.all()) {
      this.#counters.move(row, -times);
      this.#counters.move({ ...row, unread: 0 }, times);
    }
    for (const [row, matches] of matchesOf(this.#database, 'touched')) {
      this.#counters.changeSaved(matches, row, { ...row, unread: 0 });
    }
    this.#database
      .prepare(
        `INSERT INTO user.item_status (mirror, item_id, read_at, sequence) SELECT ?, id, ?, ? FROM touched WHERE true
         ON CONFLICT (mirror, item_id) DO UPDATE SET read_at = excluded.read_at, sequence = excluded.sequence`,
      )
      .run(this.#service, now, sequence);
    this.#database.exec('UPDATE item_index SET unread = 0 WHERE key IN (SELECT key FROM touched)');
    return { field: 'read_at', before: ids.map((id) => ({ id, value: null })) };
  }

  #copyToIndex(id: string, status: StatusRow): void {
    const row = this.#indexed.get(id);
    if (!row) return;
    const unread = Number(isUnread(status, row.key < this.#start.key));
    const starred = Number(status.starred_at !== null);
    if (row.unread === unread && row.starred === starred) return;
    this.#counters.leave(row);
    this.#counters.enter({ ...row, unread, starred });
    this.#setIndexed.run(unread, starred, row.key);
  }

  /** Without its row in the index the age of an item is unknown. */
  #markedUnread(id: string, now: number): { markedAt?: number } {
    const key = this.#indexed.get(id)?.key ?? 0;
    return this.#start.mayStartRead(key) ? { markedAt: now } : {};
  }

  #setMark(id: string, at: number | null): void {
    if (at === null) this.#removeMark.run(this.#service, id);
    else this.#putMark.run(this.#service, id, at);
  }

  #begin(): number {
    const sequence = this.#user.number('sequence') + 1;
    this.#user.set('sequence', sequence);
    this.#mirror.set('statuses_applied', sequence);
    return sequence;
  }

  #nameUser(): string {
    const id = randomUUID();
    this.#user.set('id', id);
    return id;
  }

  #resetIndex(): void {
    this.#database.exec(`
      UPDATE item_index SET unread = 1, starred = 0 WHERE unread = 0 OR starred = 1;
      DELETE FROM counter WHERE scope IN ('starred', 'saved');
      UPDATE counter SET unread = total;
    `);
    for (const [row, matches] of matchesOf(this.#database, 'item_index')) this.#counters.addSaved(matches, row);
    this.#start.reset();
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
