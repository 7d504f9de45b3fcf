import type { Database } from 'better-sqlite3';
import type { Item } from '../../contract/model/item.ts';
import type { Revision } from '../../contract/model/visit.ts';
import { asTime } from '../../common/timestamp.ts';
import type { ServiceColumns } from './item-rows.ts';

/** Limits the revisions per item, so that texts that change back and forth don't fill the disk. */
const KEPT_REVISIONS = 20;

/** The columns whose changes are shown, with their names in the contract. */
const REVISED_FIELDS = {
  title: 'title',
  original_title: 'originalTitle',
  summary: 'summary',
  source_name: 'source.name',
  link_original: 'links.original',
  attribution: 'attribution',
} as const satisfies Partial<Record<keyof ServiceColumns, string>>;

type RevisedColumn = keyof typeof REVISED_FIELDS;
/** The earlier values of the changed columns. */
export type Before = Partial<Record<RevisedColumn, string | null>>;

interface RevisionRow {
  at: number;
  before: string;
}

/** JSON that takes the place of an attribution that can't be read, until the item is fetched again. */
export const LOST_ATTRIBUTION = '{}';

/** The columns of `differing` whose text changed for a reader. */
export function revisedColumns(
  differing: readonly (keyof ServiceColumns)[],
  before: ServiceColumns,
  after: ServiceColumns,
): RevisedColumn[] {
  return differing.filter(isRevisedColumn).filter((name) => !isOtherAddressOnly(name, before, after));
}

/**
 * Whether readers see nothing of a change: an address of the service's own site, which changes in every item when the
 * service moves to another domain.
 */
export function isOtherAddressOnly(name: keyof ServiceColumns, before: ServiceColumns, after: ServiceColumns): boolean {
  if (name === 'link_aihot') return true;
  if (name !== 'attribution') return false;
  return isLost(before.attribution) || attributionInWords(before.attribution) === attributionInWords(after.attribution);
}

/** Whether what was saved was damaged ({@link LOST_ATTRIBUTION}): nobody knows whether it was another text. */
function isLost(attribution: string | null): boolean {
  return attribution !== null && Object.keys(parsed(attribution)).length === 0;
}

function isRevisedColumn(name: keyof ServiceColumns): name is RevisedColumn {
  return Object.hasOwn(REVISED_FIELDS, name);
}

/** The table `revision`: earlier texts of revised items. Deleted with the item. */
export class RevisionsTable {
  readonly #insert;
  readonly #prune;
  readonly #remove;
  readonly #move;
  readonly #rows;

  constructor(database: Database) {
    this.#insert = database.prepare<[number, number, number, string]>(
      'INSERT INTO revision (sequence, key, at, before) VALUES (?, ?, ?, ?)',
    );
    this.#prune = database.prepare<[number, number]>(
      `DELETE FROM revision WHERE key = ? AND rowid <= (
         SELECT rowid FROM revision WHERE key = ? ORDER BY rowid DESC LIMIT 1 OFFSET ${String(KEPT_REVISIONS)})`,
    );
    this.#remove = database.prepare<[number]>('DELETE FROM revision WHERE key = ?');
    this.#move = database.prepare<[number, number]>('UPDATE revision SET key = ? WHERE key = ?');
    this.#rows = database.prepare<[number], RevisionRow>(
      'SELECT at, before FROM revision WHERE key = ? ORDER BY rowid DESC',
    );
  }

  /** Call it in the transaction that revises the item. Times are ms since 1970. */
  add(key: number, before: Before, { sequence, now }: { sequence: number; now: number }): void {
    this.#insert.run(sequence, key, now, JSON.stringify(before));
    this.#prune.run(key, key);
  }

  /** Call it in the transaction that withdraws the item: only the fact of the withdrawal is kept. */
  remove(key: number): void {
    this.#remove.run(key);
  }

  /** The item has another key. */
  move(from: number, to: number): void {
    this.#move.run(to, from);
  }

  /** Newest first. The later value of a text is in the next revision that changed it, or in the present item. */
  of(key: number, present: ServiceColumns): Revision[] {
    const after: Before = { ...present };
    return this.#rows.all(key).map(({ at, before: stored }) => {
      const before = parsed(stored) as Before;
      const columns = Object.keys(before) as RevisedColumn[];
      const fields = columns.map((name) => change(name, before[name] ?? null, after[name] ?? null));
      Object.assign(after, before);
      // Only the name of an attribution is shown.
      return { at: asTime(at) ?? '', fields: fields.filter(({ before: was, after: is }) => was !== is) };
    });
  }
}

function change(name: RevisedColumn, before: string | null, after: string | null): Revision['fields'][number] {
  const words = (value: string | null): string | null => (name === 'attribution' ? attributionInWords(value) : value);
  return { field: REVISED_FIELDS[name], before: words(before), after: words(after) };
}

function attributionInWords(json: string | null): string | null {
  const { name } = (json === null ? {} : parsed(json)) as Partial<NonNullable<Item['attribution']>>;
  return (typeof name === 'string' && name) || null;
}

/** Of what can't be read, nothing is shown; an item with it is replaced by what the service sends. */
function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
