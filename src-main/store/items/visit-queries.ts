import type { Database } from 'better-sqlite3';
import { asTime } from '../../common/timestamp.ts';
import type { ItemRow, ItemsQuery } from '../../contract/model/item.ts';
import type { SinceLastVisit, VisitList, Withdrawal } from '../../contract/model/visit.ts';
import { STATUS_JOIN } from '../database/this-mirror.ts';
import type { MentionedModels } from '../models/mentions/mentioned-models.ts';
import { ITEM_COLUMNS, toItemRows, type ItemRecord } from './item-rows.ts';
import { oldKey, WITHDRAWN, type Visit, type VisitsTable } from './visits-table.ts';

/** The maximum length of a list of changes since the last visit. */
export const MAX_ROWS = 1_000;

const FROM = `SELECT ${ITEM_COLUMNS} FROM item_index CROSS JOIN item ON item.arrival = item_index.arrival
  ${STATUS_JOIN}`;

/** The parameter is -1 for everything, 0 for the selected set: its members have a generation. */
const IN_SCOPE = 'AND item_index.muted = 0 AND item_index.generation > ?';

/** What is new since the last visit: the counts, and the list of each count. */
export class VisitQueries {
  readonly #database: Database;
  readonly #visits: VisitsTable;
  readonly #mentioned: MentionedModels;
  readonly #added;
  readonly #older;
  readonly #revised;
  readonly #withdrawn;

  constructor(database: Database, visits: VisitsTable, mentioned: MentionedModels) {
    this.#database = database;
    this.#visits = visits;
    this.#mentioned = mentioned;
    this.#added = database.prepare<[number, number, number, number], ItemRecord>(
      `${FROM} WHERE item_index.added > ? AND item_index.key >= ? ${IN_SCOPE} ORDER BY item_index.key DESC LIMIT ?`,
    );
    this.#older = database.prepare<[number, number, number, number], ItemRecord>(
      `${FROM} WHERE item_index.added > ? AND item_index.key < ? ${IN_SCOPE} ORDER BY item_index.key DESC LIMIT ?`,
    );
    this.#revised = database.prepare<[number, number, number, number], ItemRecord>(
      `${FROM} WHERE item_index.key IN (SELECT key FROM revision WHERE sequence > ?) AND item_index.added <= ?
       ${IN_SCOPE}
       ORDER BY item_index.key DESC LIMIT ?`,
    );
    this.#withdrawn = database.prepare<[number, number], { id: string; at: number }>(
      `SELECT id, max(at) AS at FROM withdrawal ${WITHDRAWN} GROUP BY id ORDER BY max(sequence) DESC, id LIMIT ?`,
    );
  }

  /** The last visit; null before the first one or after the mirror was rebuilt. */
  last(): Visit | null {
    return this.#visits.last;
  }

  /** The numbers of items added, revised and withdrawn since the last visit. */
  sinceLast(): SinceLastVisit {
    return this.#visits.sinceLast();
  }

  /** The items of one count of {@link sinceLast}, newest first. */
  list(which: VisitList, scope: ItemsQuery['scope'] = 'all'): { rows: ItemRow[]; withdrawals: Withdrawal[] } {
    const visit = this.#visits.last;
    if (!visit) return { rows: [], withdrawals: [] };
    const { sequence } = visit;
    const above = scope === 'selected' ? 0 : -1;
    if (which === 'withdrawn') {
      const facts = this.#withdrawn.all(sequence, MAX_ROWS);
      return { rows: [], withdrawals: facts.map(({ id, at }) => ({ id, at: asTime(at) ?? '' })) };
    }
    const records = {
      added: () => this.#added.all(sequence, oldKey(visit), above, MAX_ROWS),
      older: () => this.#older.all(sequence, oldKey(visit), above, MAX_ROWS),
      revised: () => this.#revised.all(sequence, sequence, above, MAX_ROWS),
    }[which]();
    return { rows: toItemRows(this.#database, records, this.#mentioned), withdrawals: [] };
  }
}
