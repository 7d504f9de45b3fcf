import type { Database } from 'better-sqlite3';
import type { Properties } from '../database/properties.ts';
import { STATUS_JOIN, THIS_MIRROR, UNREAD_MARK_JOIN } from '../database/this-mirror.ts';
import type { Countable, Counters } from './counters.ts';
import { keyAt } from './time-key.ts';
import { groupMatches } from '../rules/match-groups.ts';

/** Property of user.db: for how many ms before the first copy items start as unread; missing for all items. */
const AGE = 'unread_for';
/** Property of the mirror: the key below which its item index counts items without a mark as read. */
export const APPLIED = 'starts_read_below';
/** Property of the mirror: the time of the first copy, in case user.db is lost. */
const FIRST_AT = 'first_copy_at';

interface ReadingStartTables {
  counters: Counters;
  /** The properties of user.db. */
  user: Properties;
  /** The properties of the mirror. */
  mirror: Properties;
}

interface Marks {
  read_at: number | null;
  /** Null if it was never marked as unread. */
  marked_at: number | null;
}

/** A mark of the reader decides; without one, an item may have started as read. */
export function isUnread(marks: Marks | undefined, startsRead: boolean): boolean {
  if (marks && marks.read_at !== null) return false;
  return !startsRead || (marks !== undefined && marks.marked_at !== null);
}

/**
 * What counts as read when a news service is new to the reader (docs/decisions/073): items from before the first copy,
 * minus an age that the reader chose. Nothing is saved per item. Table `reading_start` of user.db has the time of the
 * first copy; an item without a mark of the reader counts as read if its key is below that of the start. The item index
 * repeats the result, like other statuses. Write within a transaction.
 */
export class ReadingStart {
  readonly #counters: Counters;
  readonly #user: Properties;
  readonly #mirror: Properties;
  readonly #firstAt;
  readonly #put;
  readonly #merge;
  readonly #wasUsed;
  readonly #groups;
  readonly #matches;
  readonly #set;

  constructor(database: Database, { counters, user, mirror }: ReadingStartTables) {
    this.#counters = counters;
    this.#user = user;
    this.#mirror = mirror;
    this.#firstAt = database
      .prepare<[], number>(`SELECT first_at FROM user.reading_start WHERE mirror = ${THIS_MIRROR}`)
      .pluck();
    this.#put = database.prepare<[number]>(
      `INSERT INTO user.reading_start (mirror, first_at) VALUES (${THIS_MIRROR}, ?)
       ON CONFLICT DO UPDATE SET first_at = excluded.first_at`,
    );
    this.#merge = database.prepare<[string, number]>(
      `INSERT INTO user.reading_start (mirror, first_at) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET first_at = excluded.first_at WHERE excluded.first_at < first_at`,
    );
    this.#wasUsed = database
      .prepare<[], number>(
        `SELECT EXISTS (SELECT 1 FROM user.visit WHERE mirror = ${THIS_MIRROR})
             OR EXISTS (SELECT 1 FROM user.item_status WHERE mirror = ${THIS_MIRROR})`,
      )
      .pluck();
    // Without a mark of the reader, in a range of keys.
    const unmarked = `item_index.key >= ? AND item_index.key < ? AND unread = ? AND read_at IS NULL AND marked_at IS NULL`;
    const rows = `item_index CROSS JOIN item ON item.arrival = item_index.arrival ${STATUS_JOIN} ${UNREAD_MARK_JOIN} WHERE ${unmarked}`;
    this.#groups = database.prepare<[number, number, number], Countable & { times: number }>(
      `SELECT item_index.category, min(generation, 1) AS generation, unread, starred, muted, count(*) AS times FROM ${rows}
       GROUP BY 1, 2, 3, 4, 5`,
    );
    this.#matches = groupMatches(database, `item_index.key IN (SELECT item_index.key FROM ${rows})`);
    this.#set = database.prepare<[number, number, number, number]>(
      `UPDATE item_index SET unread = ? WHERE key IN (SELECT item_index.key FROM ${rows})`,
    );
  }

  /**
   * When the first copy of this service began, in ms since 1970; 0 if the reader used it before there was such a start,
   * null if that is not known yet.
   */
  get firstAt(): number | null {
    return this.#firstAt.get() ?? null;
  }

  /** Items with a lower key and without a mark count as read. */
  get key(): number {
    const age = this.#user.get(AGE);
    const first = this.firstAt ?? 0;
    return age === null || first === 0 ? 0 : keyAt(first - Number(age));
  }

  /** An item with such a key may start as read, now or after another choice. */
  mayStartRead(key: number): boolean {
    return key < keyAt(this.firstAt ?? 0);
  }

  /** Call it before the first items are saved. A service that the reader used before stays as it is. */
  begin(at: number): void {
    if (this.firstAt !== null) {
      // A rebuilt mirror has no copy yet.
      this.#copy();
      return;
    }
    const isUsed = this.#mirror.number('sequence') > 0 || this.#wasUsed.get() === 1;
    this.#put.run(isUsed ? 0 : at);
    this.#copy();
    this.#apply();
  }

  /** For how many ms before the first copy items start as unread; null for all. Returns whether any item changed. */
  choose(age: number | null): boolean {
    const chosen = age === null ? null : String(age);
    if (this.#user.get(AGE) !== chosen) this.#user.set(AGE, chosen);
    return this.#apply();
  }

  /** Merges the start of another copy of user.db: the earlier one is kept. Returns whether it changed. */
  merge(mirror: string, firstAt: number): boolean {
    if (this.#merge.run(mirror, firstAt).changes === 0) return false;
    this.#copy();
    this.#apply();
    return true;
  }

  /** After opening: brings the item index up to date. Returns whether it was behind. */
  catchUp(): boolean {
    const copied = this.#mirror.number(FIRST_AT);
    // Another user.db took the place of a lost one.
    if (this.firstAt === null && copied > 0) this.#put.run(copied);
    this.#copy();
    return this.#apply();
  }

  /** All items of the index are unread: has them counted again from there. */
  reset(): void {
    this.#mirror.set(APPLIED, null);
    this.#apply();
  }

  #copy(): void {
    const { firstAt } = this;
    if (firstAt !== null && firstAt !== this.#mirror.number(FIRST_AT)) this.#mirror.set(FIRST_AT, firstAt);
  }

  /** Moves the items between the applied key and the one that should be. */
  #apply(): boolean {
    const from = this.#mirror.number(APPLIED);
    const to = this.key;
    if (from === to) return false;
    const unread = Number(to < from);
    const range = [Math.min(from, to), Math.max(from, to), 1 - unread] as const;
    for (const { times, ...row } of this.#groups.all(...range)) {
      this.#counters.move(row, -times);
      this.#counters.move({ ...row, unread }, times);
    }
    for (const [row, matches] of this.#matches(...range)) this.#counters.changeSaved(matches, row, { ...row, unread });
    this.#mirror.set(APPLIED, to === 0 ? null : to);
    return this.#set.run(unread, ...range).changes > 0;
  }
}
