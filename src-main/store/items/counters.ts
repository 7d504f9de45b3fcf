import type { Database } from 'better-sqlite3';
import { KNOWN_CATEGORIES } from '../../contract/model/item.ts';
import type { Counts, ViewCount } from '../../contract/model/counts.ts';

/** What a row of the item index counts as. */
export interface Countable {
  category: string | null;
  generation: number;
  unread: number;
  starred: number;
}

interface CounterRow extends ViewCount {
  scope: 'all' | 'selected' | 'starred';
  category: string;
}

/**
 * The counters of the sidebar. They are moved by what a transaction changes and written with it, so they cannot differ
 * from the lists; nothing is ever counted over to show them.
 */
export class Counters {
  readonly #add;
  readonly #rows;
  readonly #pending = new Map<string, CounterRow>();

  constructor(database: Database) {
    this.#add = database.prepare<[string, string, number, number]>(
      `INSERT INTO counter (scope, category, total, unread) VALUES (?, ?, ?, ?)
       ON CONFLICT (scope, category) DO UPDATE SET total = total + excluded.total, unread = unread + excluded.unread`,
    );
    this.#rows = database.prepare<[], CounterRow>('SELECT scope, category, total, unread FROM counter WHERE total > 0');
  }

  /** One row of the item index, or `times` alike, came (+1) or went (-1). */
  move(row: Countable, times: number): void {
    const category = row.category ?? '';
    const unread = row.unread * times;
    this.#move('all', category, times, unread);
    if (row.generation > 0) this.#move('selected', category, times, unread);
    if (row.starred) this.#move('starred', '', times, unread);
  }

  /** Writes what was moved since the last call, within the transaction that moved it. */
  flush(): void {
    for (const { scope, category, total, unread } of this.#pending.values()) {
      if (total !== 0 || unread !== 0) this.#add.run(scope, category, total, unread);
    }
    this.#pending.clear();
  }

  /** Forgets what was moved, with the transaction that was rolled back. */
  drop(): void {
    this.#pending.clear();
  }

  /** Half a snapshot is not the set: while that is not `selectedComplete`, it counts nothing. */
  read(selectedComplete: boolean): Counts {
    return toCounts(this.#rows.all().filter((row) => selectedComplete || row.scope !== 'selected'));
  }

  #move(scope: CounterRow['scope'], category: string, total: number, unread: number): void {
    const name = `${scope} ${category}`;
    const row = this.#pending.get(name) ?? { scope, category, total: 0, unread: 0 };
    row.total += total;
    row.unread += unread;
    this.#pending.set(name, row);
  }
}

function toCounts(rows: CounterRow[]): Counts {
  const sum = (scope: CounterRow['scope'], category?: string): ViewCount =>
    rows
      .filter((row) => row.scope === scope && (category === undefined || row.category === category))
      .reduce((total, row) => ({ total: total.total + row.total, unread: total.unread + row.unread }), {
        total: 0,
        unread: 0,
      });
  const names = [...new Set(rows.filter((row) => row.scope === 'all').map((row) => row.category))].sort(byPlace);
  const categories = names.map((name) => ({
    category: name === '' ? null : name,
    selected: sum('selected', name),
    all: sum('all', name),
  }));
  return { selected: sum('selected'), all: sum('all'), starred: sum('starred'), categories };
}

/** Known categories in the service's order, then others by name, then items without one. */
function byPlace(a: string, b: string): number {
  return place(a) - place(b) || (a < b ? -1 : 1);
}

function place(category: string): number {
  if (category === '') return KNOWN_CATEGORIES.length + 1;
  const known = KNOWN_CATEGORIES.findIndex((name) => name === category);
  return known < 0 ? KNOWN_CATEGORIES.length : known;
}
