import type { Database } from 'better-sqlite3';
import { canonicalAddress } from '../../common/canonical-address.ts';
import type { Story } from '../../contract/model/story.ts';
import { STATUS_JOIN } from '../database/this-mirror.ts';
import { readOrNull } from '../database/stored-json.ts';
import type { FoldsTable } from './folds-table.ts';
import type { AddressesTable } from '../items/addresses-table.ts';

/** One report of a story, and the key of the saved item that it is. */
interface CoverageRow {
  story: string;
  id: string;
  address: string | null;
  key: number | null;
}

/** A saved item, as far as a story can name it. */
export interface NamedItem {
  key: number;
  id: string;
  link: string | null;
}

/** The saved item that a report is. Time in ms since 1970. */
export interface CoveredItem {
  id: string;
  read_at: number | null;
}

/**
 * The table `coverage`: which saved item each report of each saved story is. It is the item with the report's id, else the
 * oldest one with its original address (decision 071). So there are at most as many links as reports. Everything that
 * writes stories or items tells it, within the same transaction.
 */
export class CoverageTable {
  readonly #database: Database;
  readonly #addresses: AddressesTable;
  readonly #folds: FoldsTable;
  readonly #any;
  readonly #ofStory;
  readonly #withId;
  readonly #withAddress;
  readonly #withKey;
  readonly #item;
  readonly #items;
  readonly #put;
  readonly #link;
  readonly #delete;

  constructor(database: Database, addresses: AddressesTable, folds: FoldsTable) {
    this.#database = database;
    this.#addresses = addresses;
    this.#folds = folds;
    const rows = (where: string) =>
      database.prepare<[string | number], CoverageRow>(`SELECT story, id, address, key FROM coverage WHERE ${where}`);
    this.#any = database.prepare<[], number>('SELECT 1 FROM coverage LIMIT 1').pluck();
    this.#ofStory = rows('story = ?');
    this.#withId = rows('id = ?');
    this.#withAddress = rows('address = ?');
    this.#withKey = rows('key = ?');
    this.#item = database.prepare<[string], number>('SELECT key FROM item WHERE id = ?').pluck();
    this.#items = database.prepare<[string], CoveredItem & { report: string }>(
      `SELECT coverage.id AS report, item.id, item_status.read_at FROM coverage CROSS JOIN item_index USING (key)
       CROSS JOIN item USING (arrival) ${STATUS_JOIN} WHERE story = ?`,
    );
    this.#put = database.prepare<[string, string, string | null, number | null]>(
      'INSERT INTO coverage (story, id, address, key) VALUES (?, ?, ?, ?)',
    );
    this.#link = database.prepare<[number | null, string, string]>(
      'UPDATE coverage SET key = ? WHERE story = ? AND id = ?',
    );
    this.#delete = database.prepare<[string]>('DELETE FROM coverage WHERE story = ?');
  }

  /** A story was saved. Nothing is written if it has the reports that it had before. */
  setStory({ publicId, reports }: Pick<Story, 'publicId' | 'reports'>): void {
    const wanted = new Map<string, string | null>();
    for (const { id, links } of reports) if (!wanted.has(id)) wanted.set(id, articleAddress(links.original));
    const before = this.#ofStory.all(publicId);
    if (before.length === wanted.size && before.every(({ id, address }) => wanted.get(id) === address)) return;
    this.removeStory(publicId);
    for (const [id, address] of wanted) {
      const key = this.#resolve({ id, address });
      this.#put.run(publicId, id, address, key);
      if (key !== null) this.#folds.touch(key);
    }
  }

  removeStory(publicId: string): void {
    for (const { key } of this.#ofStory.all(publicId)) if (key !== null) this.#folds.touch(key);
    this.#delete.run(publicId);
  }

  itemAdded(item: NamedItem): void {
    if (this.#any.get() === undefined) return;
    for (const row of this.#withId.all(item.id)) this.#setKey(row, item.key);
    this.#addAddress(item);
  }

  /** The item is deleted already. */
  itemRemoved(key: number): void {
    for (const row of this.#withKey.all(key)) this.#setKey(row, this.#resolve(row));
  }

  /** The item is in other lists than before. */
  itemMoved(key: number): void {
    this.#folds.touch(key);
  }

  /** The item has another key: it may be older or newer than others with its address. */
  keyChanged(item: NamedItem, before: number): void {
    for (const row of this.#withKey.all(before)) this.#setKey(row, this.#resolve(row));
    this.#addAddress(item);
  }

  /** The item has another link. */
  linkChanged(item: NamedItem): void {
    for (const row of this.#withKey.all(item.key)) if (row.id !== item.id) this.#setKey(row, this.#resolve(row));
    this.#addAddress(item);
  }

  /** The saved item that each report of a story is, by the report's id. */
  itemsOf(publicId: string): Map<string, CoveredItem> {
    return new Map(this.#items.all(publicId).map(({ report, ...item }) => [report, item]));
  }

  /** Writes all rows again, from the stories and items that are saved. */
  rebuild(): void {
    this.#database.exec('DELETE FROM coverage');
    this.#database.exec('DELETE FROM fold');
    const bodies = this.#database.prepare<[], string>('SELECT body FROM story WHERE body IS NOT NULL').pluck();
    for (const body of bodies.all()) {
      readOrNull(this.#database, () => {
        this.setStory(JSON.parse(body) as Story);
      });
    }
  }

  #addAddress({ key, link }: NamedItem): void {
    const address = articleAddress(link);
    if (address === null) return;
    for (const row of this.#withAddress.all(address)) {
      const isOlder = row.key === null || key < row.key;
      if (isOlder && this.#item.get(row.id) === undefined) this.#setKey(row, key);
    }
  }

  #resolve({ id, address }: Pick<CoverageRow, 'id' | 'address'>): number | null {
    return this.#item.get(id) ?? (address === null ? null : (this.#addresses.itemsAt(address)[0]?.key ?? null));
  }

  #setKey({ story, id, key: before }: CoverageRow, key: number | null): void {
    if (key === before) return;
    this.#link.run(key, story, id);
    for (const one of [before, key]) if (one !== null) this.#folds.touch(one);
  }
}

/** The canonical address of an article. That of a site's front page says nothing about an article: null. */
export function articleAddress(link: string | null): string | null {
  const address = canonicalAddress(link);
  return address === null || /^https:\/\/[^/?]*$/.test(address) ? null : address;
}
