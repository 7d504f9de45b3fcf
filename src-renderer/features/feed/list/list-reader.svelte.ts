import type { Reply } from '../../../../src-main/contract/methods.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import type {
  ItemPlaces,
  ItemRow,
  ItemsCount,
  ItemsPage,
  ItemsQuery,
} from '../../../../src-main/contract/model/item.ts';
import { FIRST_QUERY } from '../query.ts';

const FIRST_PAGE = 100;
/** Places per read: all of a list, so that its scrollbar reaches every row, and as needed of a search. */
const PLACES_A_READ = 20_000;
const FOUND_A_READ = 2_000;

/** Reads the matches of a list's query. A reply is null if another load began meanwhile. */
export class ListReader {
  readonly #wire: Wire;
  #query = $state.raw<ItemsQuery>(FIRST_QUERY);
  #load = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get query(): ItemsQuery {
    return this.#query;
  }
  /** The number of the current load. */
  get load(): number {
    return this.#load;
  }

  /** Begins another load, maybe for another query. Returns the number of the load. */
  begin(query: ItemsQuery = this.#query): number {
    this.#query = query;
    return ++this.#load;
  }

  page(): Promise<Reply<ItemsPage> | null> {
    return this.#ifCurrent(this.#wire.call('items.page', { query: this.#query, limit: FIRST_PAGE }));
  }

  count(): Promise<Reply<ItemsCount> | null> {
    return this.#ifCurrent(this.#wire.call('items.count', { query: this.#query }));
  }

  /** Reads the places below one, or the first ones. */
  places(below: number | undefined): Promise<Reply<ItemPlaces> | null> {
    const limit = this.#query.text === undefined ? PLACES_A_READ : FOUND_A_READ;
    return this.#placesOf(this.#query, limit, below);
  }

  /** Returns the place of the first unread item below a place, or of the first one; undefined if there is none. */
  async unreadPlace(below: number | undefined): Promise<number | undefined> {
    const reply = await this.#placesOf({ ...this.#query, state: 'unread' }, 1, below);
    return reply?.ok === true ? reply.value.places[0] : undefined;
  }

  /** Reads the rows at some places, or those of the items that were there; null for removed ones. */
  rows(places: number[], ids?: string[]): Promise<Reply<{ rows: (ItemRow | null)[] }> | null> {
    return this.#ifCurrent(this.#wire.call('items.rows', { query: this.#query, places, ...(ids && { ids }) }));
  }

  #placesOf(query: ItemsQuery, limit: number, below: number | undefined): Promise<Reply<ItemPlaces> | null> {
    return this.#ifCurrent(this.#wire.call('items.places', { query, limit, ...(below !== undefined && { below }) }));
  }

  async #ifCurrent<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
    const load = this.#load;
    const value = await answer;
    return load === this.#load ? value : null;
  }
}
