import type { Database } from 'better-sqlite3';
import { KNOWN_CATEGORIES } from '../../contract/model/item.ts';
import type { Counts, ViewCount } from '../../contract/model/counts.ts';

/** The columns of the item index that decide which counters a row belongs to. */
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
 * The counters of the sidebar. Each transaction updates them with the rows that it changes, so they always match the
 * lists and nothing is counted on display.
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

  /** Adds (1) or removes (-1) a row of the item index; other numbers stand for so many equal rows. */
  move(row: Countable, times: number): void {
    const category = row.category ?? '';
    const unread = row.unread * times;
    this.#move('all', category, times, unread);
    if (row.generation > 0) this.#move('selected', category, times, unread);
    if (row.starred) this.#move('starred', '', times, unread);
  }

  /** Saves the pending changes, within the transaction that made them. */
  flush(): void {
    for (const { scope, category, total, unread } of this.#pending.values()) {
      if (total !== 0 || unread !== 0) this.#add.run(scope, category, total, unread);
    }
    this.#pending.clear();
  }

  /** Discards the pending changes after a rollback. */
  drop(): void {
    this.#pending.clear();
  }

  /** The selected set counts as empty until its first snapshot is complete. */
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

/** Known categories in the service's order, then others by name, then items without a category. */
function byPlace(a: string, b: string): number {
  return place(a) - place(b) || (a < b ? -1 : 1);
}

function place(category: string): number {
  if (category === '') return KNOWN_CATEGORIES.length + 1;
  const known = KNOWN_CATEGORIES.findIndex((name) => name === category);
  return known < 0 ? KNOWN_CATEGORIES.length : known;
}
