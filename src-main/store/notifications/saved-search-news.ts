import type { Database } from 'better-sqlite3';
import type { AppliedRules } from '../rules/applied-rules.ts';
import { holds } from '../rules/rule-query.ts';
import type { RulesTable } from '../rules/rules-table.ts';

interface NewsTables {
  rules: RulesTable;
  appliedRules: AppliedRules;
}

/** New items of a saved search, newest first. */
export interface SavedSearchFinding {
  search: string;
  items: string[];
}

interface NewRow {
  id: string;
  slot: number;
  bits: number;
  starred: number;
}

/** More new items than this are not looked through at once: the newest count. */
const MOST_LOOKED_AT = 5_000;

/** The new items of the saved searches that notify. Reads only. */
export class SavedSearchNews {
  readonly #rules: RulesTable;
  readonly #applied: AppliedRules;
  readonly #new;
  readonly #isNew;
  readonly #title;

  constructor(database: Database, { rules, appliedRules }: NewsTables) {
    this.#rules = rules;
    this.#applied = appliedRules;
    // An item counts if both it and its match are new: neither one that was corrected, nor one that a new rule found.
    this.#new = database.prepare<[number, number, number], NewRow>(
      `SELECT item.id, slot, bits, item_index.starred FROM item_index INDEXED BY item_index_added
       CROSS JOIN rule_match USING (key) CROSS JOIN item USING (arrival)
       WHERE item_index.added > ? AND item_index.muted = 0 AND item_index.unread = 1 AND since > ?
       ORDER BY item_index.key DESC LIMIT ?`,
    );
    this.#isNew = database
      .prepare<[string], number>(
        'SELECT 1 FROM item CROSS JOIN item_index USING (arrival) WHERE item.id = ? AND unread = 1 AND muted = 0',
      )
      .pluck();
    this.#title = database
      .prepare<[string], string>(
        'SELECT title FROM item CROSS JOIN item_index USING (arrival) WHERE item.id = ? AND muted = 0',
      )
      .pluck();
  }

  /** What came to the saved searches with a switch since write number `sequence`, in the reader's order. */
  newSince(sequence: number): SavedSearchFinding[] {
    const wanted = this.#rules.saved().flatMap(({ id, notify }) => {
      const applied = notify === 1 ? this.#applied.search(id) : null;
      return applied ? [{ id, ...applied }] : [];
    });
    if (wanted.length === 0) return [];
    const rows = this.#new.all(sequence, sequence, MOST_LOOKED_AT);
    return wanted.flatMap(({ id, slot, query }) => {
      const items = rows
        .filter((row) => row.slot === slot && holds(query, row.bits, { unread: 1, starred: row.starred }))
        .map((row) => row.id);
      return items.length === 0 ? [] : [{ search: id, items }];
    });
  }

  /** Null for a search that was removed. */
  nameOf(search: string): string | null {
    return this.#rules.saved().find(({ id }) => id === search)?.name ?? null;
  }

  notifies(search: string): boolean {
    return this.#rules.saved().some(({ id, notify }) => id === search && notify === 1);
  }

  /** The items that are still saved, unread and not hidden. */
  stillNew(items: readonly string[]): string[] {
    return items.filter((id) => this.#isNew.get(id) === 1);
  }

  /** The title of the first item that is saved and not hidden; '' if there is none. */
  titleOf(items: readonly string[]): string {
    for (const id of items) {
      const title = this.#title.get(id);
      if (title !== undefined) return title;
    }
    return '';
  }
}
