import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { LoadedRows } from './loaded-rows.svelte.ts';
import { ROWS_A_READ } from './next-read.ts';

/** How often an unread item is skipped that came too late for this list. */
const UNREAD_TRIES = 20;

/** Finds rows of a list, also those that are not loaded. */
export class ListWalk {
  readonly #reader: ListReader;
  readonly #rows: LoadedRows;

  constructor(reader: ListReader, rows: LoadedRows) {
    this.#reader = reader;
    this.#rows = rows;
  }

  /** Returns the row at an index, loaded if need be; null if there is none. */
  async rowAt(index: number): Promise<ItemRow | null> {
    const { window } = this.#rows;
    if (!(await this.#rows.readPlacesUntil(() => index < window.known))) return null;
    if (window.at(index) === undefined) await this.#rows.read(index);
    return window.at(index) ?? null;
  }

  /** Returns the first unread row after an index, loaded if need be; null if there is none. */
  async unreadAfter(index: number): Promise<ItemRow | null> {
    const { window, rows } = this.#rows;
    let at = index + 1;
    for (; at < window.known; at += 1) {
      const row = window.at(at);
      if (row?.state.readAt === null) return row;
      if (row === undefined) break;
    }
    // A query has one state, so none can ask for starred and unread items; few of those are not loaded.
    return at >= rows.length || this.#reader.query.state === 'starred' ? null : this.#unreadBelow(at - 1);
  }

  /** Returns the rows of a range, loaded if need be, without removed ones. */
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

  /** As {@link rowsBetween}, for known places; null if they can't be read. */
  async #rowsFrom(first: number, last: number): Promise<ItemRow[] | null> {
    const { window } = this.#rows;
    const indexes = Array.from({ length: last + 1 - first }, (_, n) => first + n);
    const places = indexes.flatMap((index) => window.placeAt(index) ?? []);
    const here = indexes.map((index) => window.at(index));
    if (places.length === 0 || !here.includes(undefined)) return here.flatMap((row) => row ?? []);
    const reply = await this.#reader.rows(places);
    return reply?.ok === true ? reply.value.rows.flatMap((row) => row ?? []) : null;
  }

  /** As {@link unreadAfter}, but asks the core: a list may have many thousand read rows before the next unread one. */
  async #unreadBelow(index: number): Promise<ItemRow | null> {
    let place = this.#rows.window.placeAt(index);
    for (let tries = 0; tries < UNREAD_TRIES; tries += 1) {
      // Skips items that came after this list was loaded.
      place = await this.#reader.unreadPlace(place);
      if (place === undefined) return null;
      const row = await this.#rowOf(place);
      if (row?.state.readAt === null) return row;
    }
    return null;
  }

  /** Returns the row at a place, loaded if need be; null if the list does not have it. */
  async #rowOf(place: number): Promise<ItemRow | null> {
    const { window } = this.#rows;
    const isKnown = (): boolean => place >= (window.placeAt(window.known - 1) ?? Infinity);
    if (!(await this.#rows.readPlacesUntil(isKnown))) return null;
    const index = window.indexOfPlace(place);
    return index < 0 ? null : this.rowAt(index);
  }
}
