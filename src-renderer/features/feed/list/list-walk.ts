import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { LoadedRows } from './loaded-rows.svelte.ts';
import { ROWS_A_READ } from './next-read.ts';

/** Unread items that are not in the list, because they came later, are passed over this often. */
const UNREAD_TRIES = 20;

/** Finds rows of a list, also those that are not loaded. */
export class ListWalk {
  readonly #reader: ListReader;
  readonly #rows: LoadedRows;

  constructor(reader: ListReader, rows: LoadedRows) {
    this.#reader = reader;
    this.#rows = rows;
  }

  /** The row at an index, loaded if need be; null if there is none. */
  async rowAt(index: number): Promise<ItemRow | null> {
    const { window } = this.#rows;
    if (!(await this.#rows.readPlacesUntil(() => index < window.known))) return null;
    if (window.at(index) === undefined) await this.#rows.read(index);
    return window.at(index) ?? null;
  }

  /** The first unread row after an index, loaded if need be; null if there is none. */
  async unreadAfter(index: number): Promise<ItemRow | null> {
    const { window, rows } = this.#rows;
    let at = index + 1;
    for (; at < window.known; at += 1) {
      const row = window.at(at);
      if (row?.state.readAt === null) return row;
      if (row === undefined) break;
    }
    // A query has one state: what is starred and unread can't be asked for, and few of those are out of sight.
    return at >= rows.length || this.#reader.query.state === 'starred' ? null : this.#unreadBelow(at - 1);
  }

  /** The rows from an index to another, loaded if need be: those that are gone are left out. */
  async rowsBetween(first: number, last: number): Promise<ItemRow[]> {
    const { window } = this.#rows;
    if (!(await this.#rows.readPlacesUntil(() => last < window.known))) return [];
    const found: ItemRow[] = [];
    for (let from = first; from <= last; from += ROWS_A_READ) {
      const rows = await this.#rowsFrom(from, Math.min(last, from + ROWS_A_READ - 1));
      if (rows === null) return found;
      found.push(...rows);
    }
    return found;
  }

  /** As {@link rowsBetween}, of known places; null if they can't be read. */
  async #rowsFrom(first: number, last: number): Promise<ItemRow[] | null> {
    const { window } = this.#rows;
    const indexes = Array.from({ length: last + 1 - first }, (_, n) => first + n);
    const places = indexes.flatMap((index) => window.placeAt(index) ?? []);
    const here = indexes.map((index) => window.at(index));
    if (places.length === 0 || !here.includes(undefined)) return here.flatMap((row) => row ?? []);
    const reply = await this.#reader.rows(places);
    return reply?.ok === true ? reply.value.rows.flatMap((row) => row ?? []) : null;
  }

  /** As {@link unreadAfter}, asking the core where it is: a list may have many thousand read rows before it. */
  async #unreadBelow(index: number): Promise<ItemRow | null> {
    let place = this.#rows.window.placeAt(index);
    for (let tries = 0; tries < UNREAD_TRIES; tries += 1) {
      // What is not in this list, which was loaded before, is passed over.
      place = await this.#reader.unreadPlace(place);
      if (place === undefined) return null;
      const row = await this.#rowOf(place);
      if (row?.state.readAt === null) return row;
    }
    return null;
  }

  /** The row at a place, loaded if need be; null if the list does not have it. */
  async #rowOf(place: number): Promise<ItemRow | null> {
    const { window } = this.#rows;
    const isKnown = (): boolean => place >= (window.placeAt(window.known - 1) ?? Infinity);
    if (!(await this.#rows.readPlacesUntil(isKnown))) return null;
    const index = window.indexOfPlace(place);
    return index < 0 ? null : this.rowAt(index);
  }
}
