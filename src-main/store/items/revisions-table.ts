import type { Database } from 'better-sqlite3';
import type { Item } from '../../contract/model/item.ts';
import type { Revision } from '../../contract/model/visit.ts';
import { asTime } from '../../common/timestamp.ts';
import type { ServiceColumns } from './item-rows.ts';

/** A service that turns a text to and fro must not fill the disk: of each item the newest revisions are kept. */
const KEPT_REVISIONS = 20;

/** The columns whose change a reader is told of, under the contract's names for them. */
const REVISED_FIELDS = {
  title: 'title',
  original_title: 'originalTitle',
  summary: 'summary',
  source_name: 'source.name',
  link_original: 'links.original',
  attribution: 'attribution',
} as const satisfies Partial<Record<keyof ServiceColumns, string>>;

type RevisedColumn = keyof typeof REVISED_FIELDS;
/** What texts were before: of the columns that changed only. */
export type Before = Partial<Record<RevisedColumn, string | null>>;

interface RevisionRow {
  at: number;
  before: string;
}

export function isRevisedColumn(name: keyof ServiceColumns): name is RevisedColumn {
  return Object.hasOwn(REVISED_FIELDS, name);
}

/** The table `revision`: what the texts of revised items were before. It goes with the item. */
export class RevisionsTable {
  readonly #insert;
  readonly #prune;
  readonly #remove;
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
    this.#rows = database.prepare<[number], RevisionRow>(
      'SELECT at, before FROM revision WHERE key = ? ORDER BY rowid DESC',
    );
  }

  /** Within the transaction that revises the item. Times are ms since 1970. */
  add(key: number, before: Before, { sequence, now }: { sequence: number; now: number }): void {
    this.#insert.run(sequence, key, now, JSON.stringify(before));
    this.#prune.run(key, key);
  }

  /** Within the transaction that withdraws the item: of it only the fact stays. */
  remove(key: number): void {
    this.#remove.run(key);
  }

  /** Newest first. What a text was changed to is told by the next revision of it, or by the item as it is. */
  of(key: number, present: ServiceColumns): Revision[] {
    const after: Before = { ...present };
    return this.#rows.all(key).map(({ at, before: stored }) => {
      const before = JSON.parse(stored) as Before;
      const columns = Object.keys(before) as RevisedColumn[];
      const fields = columns.map((name) => change(name, before[name] ?? null, after[name] ?? null));
      Object.assign(after, before);
      // Of an attribution only the name and the address are read.
      return { at: asTime(at) ?? '', fields: fields.filter(({ before: was, after: is }) => was !== is) };
    });
  }
}

function change(name: RevisedColumn, before: string | null, after: string | null): Revision['fields'][number] {
  const words = (value: string | null): string | null => (name === 'attribution' ? attributionInWords(value) : value);
  return { field: REVISED_FIELDS[name], before: words(before), after: words(after) };
}

function attributionInWords(json: string | null): string | null {
  const { name, url } = (json === null ? {} : JSON.parse(json)) as Partial<NonNullable<Item['attribution']>>;
  return [name, url].filter((part) => typeof part === 'string').join(' ') || null;
}
