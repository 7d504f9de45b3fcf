import type { Database } from 'better-sqlite3';
import { KNOWN_CATEGORIES } from '../../contract/model/item.ts';
import type { Counts, ViewCount } from '../../contract/model/counts.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import { holds } from '../rules/rule-query.ts';

/** The columns of the item index that decide which counters a row belongs to. */
export interface Countable {
  category: string | null;
  generation: number;
  unread: number;
  starred: number;
  /** Whether a mute rule hides it. */
  muted: number;
}

type KeyedRow = Countable & { key: number };

/** So many rows that match a saved search with these bits. */
export interface SavedMatches {
  slot: number;
  bits: number;
  times: number;
}

interface CounterRow extends ViewCount {
  /** `muted` and `mutedSelected` are parts of `all` and `selected`, which have everything that is saved. */
  scope: 'all' | 'selected' | 'starred' | 'muted' | 'mutedSelected' | 'saved';
  /** With scope `saved`, the slot of the search. */
  category: string;
}

/**
 * The counters of the sidebar. Each transaction updates them with the rows that it changes, so they always match the
 * lists and nothing is counted on display.
 */
export class Counters {
  readonly #add;
  readonly #rows;
  readonly #rules: AppliedRules;
  readonly #pending = new Map<string, CounterRow>();

  constructor(database: Database, rules: AppliedRules) {
    this.#rules = rules;
    this.#add = database.prepare<[string, string, number, number]>(
      `INSERT INTO counter (scope, category, total, unread) VALUES (?, ?, ?, ?)
       ON CONFLICT (scope, category) DO UPDATE SET total = total + excluded.total, unread = unread + excluded.unread`,
    );
    this.#rows = database.prepare<[], CounterRow>('SELECT scope, category, total, unread FROM counter WHERE total > 0');
  }

  /** A row comes into the item index, or back after a change. Its matches with rules are saved. */
  enter(row: KeyedRow): void {
    this.move(row, 1);
    this.#moveSaved(row, 1);
  }

  /** A row leaves the item index, or is about to change. Its matches are saved still. */
  leave(row: KeyedRow): void {
    this.move(row, -1);
    this.#moveSaved(row, -1);
  }

  /**
   * Adds or removes so many equal rows, but in the lists of saved searches: for those, see {@link changeSaved}.
   */
  move(row: Countable, times: number): void {
    const category = row.category ?? '';
    const unread = row.unread * times;
    this.#move('all', category, times, unread);
    if (row.generation > 0) this.#move('selected', category, times, unread);
    if (row.starred) this.#move('starred', '', times, unread);
    if (!row.muted) return;
    this.#move('muted', category, times, unread);
    if (row.generation > 0) this.#move('mutedSelected', category, times, unread);
  }

  /** Rows that match a saved search go from one state to another. */
  changeSaved(matches: SavedMatches, before: Countable, after: Countable): void {
    this.addSaved(matches, before, -1);
    this.addSaved(matches, after);
  }

  addSaved({ slot, bits, times }: SavedMatches, row: Countable, sign: 1 | -1 = 1): void {
    const rule = this.#rules.at(slot);
    if (rule?.kind !== 'saved' || row.muted || !holds(rule.query, bits, row)) return;
    this.#move('saved', String(slot), sign * times, sign * times * row.unread);
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

  /** What the lists show. The selected set counts as empty until its first snapshot is complete. */
  read(selectedComplete: boolean): Counts {
    const rows = this.#rows
      .all()
      .filter(({ scope }) => selectedComplete || (scope !== 'selected' && scope !== 'mutedSelected'));
    return toCounts(rows, this.#rules.searchIds());
  }

  /** What is saved, hidden or not: the number of all items, and of members of the selected set. */
  stored(): { all: number; selected: number } {
    const rows = this.#rows.all();
    const sum = (wanted: CounterRow['scope']): number =>
      rows.reduce((total, row) => (row.scope === wanted ? total + row.total : total), 0);
    return { all: sum('all'), selected: sum('selected') };
  }

  #moveSaved(row: KeyedRow, times: 1 | -1): void {
    if (row.muted) return;
    for (const slot of this.#rules.showing(row.key, row)) this.#move('saved', String(slot), times, times * row.unread);
  }

  #move(scope: CounterRow['scope'], category: string, total: number, unread: number): void {
    const name = `${scope} ${category}`;
    const row = this.#pending.get(name) ?? { scope, category, total: 0, unread: 0 };
    row.total += total;
    row.unread += unread;
    this.#pending.set(name, row);
  }
}

function toCounts(rows: readonly CounterRow[], searches: ReadonlyMap<number, string>): Counts {
  const sum = (scope: CounterRow['scope'], category?: string): ViewCount =>
    rows
      .filter((row) => row.scope === scope && (category === undefined || row.category === category))
      .reduce((total, row) => ({ total: total.total + row.total, unread: total.unread + row.unread }), NONE);
  const shown = (scope: 'all' | 'selected', category?: string): ViewCount =>
    minus(sum(scope, category), sum(scope === 'all' ? 'muted' : 'mutedSelected', category));
  const names = [...new Set(rows.filter((row) => row.scope === 'all').map((row) => row.category))].sort(byPlace);
  const categories = names
    .map((name) => ({
      category: name === '' ? null : name,
      selected: shown('selected', name),
      all: shown('all', name),
    }))
    .filter(({ all }) => all.total > 0);
  return {
    selected: shown('selected'),
    all: shown('all'),
    starred: sum('starred'),
    muted: sum('muted'),
    saved: [...searches].map(([slot, id]) => ({ id, ...sum('saved', String(slot)) })),
    categories,
  };
}

const NONE: ViewCount = { total: 0, unread: 0 };

function minus(all: ViewCount, part: ViewCount): ViewCount {
  return { total: all.total - part.total, unread: all.unread - part.unread };
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
