import type { Database } from 'better-sqlite3';
import { sourceKey } from '../../common/source-label.ts';
import { asTime } from '../../common/timestamp.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  FREQUENCY_DAYS,
  type SourceLine,
  type SourceList,
  type SourcePage,
  type SourceSort,
} from '../../contract/model/source.ts';
import type { Properties } from '../database/properties.ts';
import { readOrNull } from '../database/stored-json.ts';
import { keyAt, timeOf } from '../items/time-key.ts';
import type { Reporters } from './reporters.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** How many weeks the page of a source shows. */
const WEEKS = 26;
/** Items that a step reads: some 5 ms. */
const ITEMS_A_STEP = 5_000;
/** "Recent" moves on with the time. */
const FRESH_MS = 10 * 60_000;
/** Items that are looked at for other names of a source. */
const NAMED = 100;
const MOST_NAMES = 5;

const COMPARE = new Intl.Collator(['en', 'zh'], { numeric: true });

interface Group {
  source: number;
  /** With those that are muted, which no other number has. */
  read: number;
  items: number;
  unread: number;
  selected: number;
  recent: number;
  /** The last key that was read. */
  last: number;
  newest: number;
}

interface Known extends SourceLine {
  key: string;
}

/** All sources as of a write; replaced as a whole. */
interface Summary {
  stamp: string;
  /** Whether it was an answer: the reading that waits for it takes it, whatever has changed since it began. */
  used: boolean;
  sources: Known[];
  byKey: Map<string, Known>;
  /** In the order of a list, once it was asked for. */
  sorted: Map<SourceSort, Known[]>;
}

/** A reading of all items that goes on. */
interface Scan {
  stamp: string;
  /** Items since this key are recent. */
  since: number;
  /** Where it goes on; null at the end. */
  from: number | null;
  groups: Map<number, Group>;
}

/**
 * Who published the saved items. Their numbers come from one reading of the narrow item index, in steps, so that other reads
 * come between; the result is held until something changes (docs/decisions/088).
 */
export class SourceQueries {
  readonly #database: Database;
  readonly #mirror: Properties;
  readonly #groups;
  readonly #named;
  readonly #reporters;
  readonly #changes;
  readonly #weeks;
  readonly #names;
  #summary: Summary | null = null;
  #scan: Scan | null = null;

  constructor(database: Database, mirror: Properties) {
    this.#database = database;
    this.#mirror = mirror;
    this.#groups = database.prepare<[number, number, number], Group>(
      `SELECT source, count(*) AS read, sum(NOT muted) AS items, sum(unread AND NOT muted) AS unread,
         sum(generation > 0 AND NOT muted) AS selected, sum(key >= ? AND NOT muted) AS recent,
         max(key) AS last, max(iif(muted, 0, key)) AS newest
       FROM (SELECT key, source, unread, muted, generation FROM item_index WHERE key >= ? ORDER BY key LIMIT ?) GROUP BY source`,
    );
    this.#named = database.prepare<[], { id: number; key: string; name: string }>('SELECT id, key, name FROM source');
    this.#reporters = database
      .prepare<[], string>('SELECT reporters FROM story WHERE body IS NOT NULL AND reporters IS NOT NULL')
      .pluck();
    this.#changes = database.prepare<[], number>('SELECT total_changes()').pluck();
    this.#weeks = database.prepare<[number, string, number], { week: number; items: number }>(
      // Numbers are bound as REAL, which would make it a division with a rest.
      `SELECT (key - CAST(? AS INTEGER)) / ${String(keyAt(WEEK_MS))} AS week, count(*) AS items FROM item_index
       WHERE source = (SELECT id FROM source WHERE source.key = ?) AND key >= ? AND muted = 0 GROUP BY week`,
    );
    this.#names = database
      .prepare<[string, number], string>(
        `SELECT source_name FROM item_index CROSS JOIN item USING (arrival)
         WHERE item_index.source = (SELECT id FROM source WHERE source.key = ?) ORDER BY item_index.key DESC LIMIT ?`,
      )
      .pluck();
  }

  /** One step of the list: null until it is complete. Call it again until then. `now` is ms since 1970. */
  list(
    { sort, text = '', offset, limit }: { sort: SourceSort; text?: string; offset: number; limit: number },
    now: number,
  ): SourceList | null {
    const summary = this.#step(now);
    if (summary === null) return null;
    const sorted = summary.sorted.get(sort) ?? summary.sources.toSorted(ORDERS[sort]);
    summary.sorted.set(sort, sorted);
    const wanted = sourceKey(text) || text.trim().toLowerCase();
    const found = wanted === '' ? sorted : sorted.filter(({ key }) => key.includes(wanted));
    return { sources: found.slice(offset, offset + limit).map(toLine), count: found.length };
  }

  /** As {@link list}, for one source by any of its names. Errors: `not_found`. */
  get(name: string, now: number): SourcePage | null {
    const summary = this.#step(now);
    if (summary === null) return null;
    const key = sourceKey(name);
    const source = summary.byKey.get(key);
    if (!source) throw new BroadsheetError('not_found', 'No saved item is from this source.');
    return { ...toLine(source), names: this.#namesOf(key), weeks: this.#weeksOf(key, now) };
  }

  #namesOf(key: string): string[] {
    return [...new Set(this.#names.all(key, NAMED))].slice(0, MOST_NAMES);
  }

  #weeksOf(key: string, now: number): SourcePage['weeks'] {
    const start = now - WEEKS * WEEK_MS;
    const weeks = Array.from({ length: WEEKS }, (_, week) => ({
      from: asTime(start + week * WEEK_MS) ?? '',
      items: 0,
    }));
    for (const { week, items } of this.#weeks.all(keyAt(start), key, keyAt(start))) {
      // A service's clock may be ahead.
      const last = weeks[Math.min(week, WEEKS - 1)];
      if (last) last.items += items;
    }
    return weeks;
  }

  /** The numbers of all sources, if they are known as of now; else reads on, and is null until the end. */
  #step(now: number): Summary | null {
    const stamp = this.#stampAt(now);
    const known = this.#summary;
    if (known && (known.stamp === stamp || !known.used)) {
      known.used = true;
      return known;
    }
    // What changes meanwhile is for the next reading: otherwise one might never end.
    const scan = (this.#scan ??= { stamp, since: keyAt(now - FREQUENCY_DAYS * DAY_MS), from: 0, groups: new Map() });
    if (scan.from !== null) {
      const { last, read } = this.#readOn(scan, scan.from);
      scan.from = read === ITEMS_A_STEP ? last + 1 : null;
    } else {
      this.#scan = null;
      this.#summary = this.#summaryOf(scan);
    }
    // Adding up and sorting are steps of their own.
    return null;
  }

  #readOn({ since, groups }: Scan, from: number): { last: number; read: number } {
    let [last, read] = [from, 0];
    for (const part of this.#groups.all(since, from, ITEMS_A_STEP)) {
      last = Math.max(last, part.last);
      read += part.read;
      const before = groups.get(part.source);
      if (!before) groups.set(part.source, part);
      else {
        before.read += part.read;
        before.items += part.items;
        before.unread += part.unread;
        before.selected += part.selected;
        before.recent += part.recent;
        before.last = part.last;
        before.newest = Math.max(before.newest, part.newest);
      }
    }
    return { last, read };
  }

  #summaryOf({ stamp, groups }: Scan): Summary {
    const byKey = new Map<string, Known>();
    for (const { id, key, name } of this.#named.all()) {
      const group = groups.get(id);
      // Muted items count nowhere.
      if (!group || group.items === 0) continue;
      const { items, unread, selected, recent, newest } = group;
      const newestAt = asTime(timeOf(newest)) ?? '';
      byKey.set(key, { key, name, items, unread, selected, recent, stories: 0, first: 0, newestAt });
    }
    for (const text of this.#reporters.all()) {
      const reporters = readOrNull(this.#database, () => JSON.parse(text) as Reporters);
      if (reporters === null || reporters.all.length < 2) continue;
      for (const key of reporters.all) {
        const source = byKey.get(key);
        if (source) source.stories += 1;
      }
      const first = reporters.first === null ? undefined : byKey.get(reporters.first);
      if (first) first.first += 1;
    }
    return { stamp, used: false, sources: [...byKey.values()], byKey, sorted: new Map() };
  }

  /** The last write to the mirror and the last action of the reader, and how old "recent" may be. */
  #stampAt(now: number): string {
    const marks = this.#mirror.number('statuses_applied');
    const version = this.#database.pragma('data_version', { simple: true });
    // The version does not follow what this connection itself writes: it may be the one that matches mute rules.
    const own = this.#changes.get() ?? 0;
    return [this.#mirror.number('sequence'), marks, String(version), own, Math.floor(now / FRESH_MS)].join(' ');
  }
}

type Order = (a: SourceLine, b: SourceLine) => number;

const byName: Order = (a, b) => COMPARE.compare(a.name, b.name);
const most =
  (...of: ((line: SourceLine) => number)[]): Order =>
  (a, b) => {
    for (const amount of of) if (amount(a) !== amount(b)) return amount(b) - amount(a);
    return byName(a, b);
  };

const ORDERS: Record<SourceSort, Order> = {
  unread: most(({ unread }) => unread),
  frequency: most(
    ({ recent }) => recent,
    ({ items }) => items,
  ),
  selected: most(
    ({ selected, items }) => selected / items,
    ({ selected }) => selected,
  ),
  first: most(
    ({ first }) => first,
    ({ stories }) => stories,
  ),
  name: byName,
};

function toLine({ key: _, ...line }: Known): SourceLine {
  return line;
}
