import type { ItemRow, ItemsPage } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';
import { firstFrom } from './row-window.ts';

/** Scroll position of a list. New items above move no place, and if its item is gone, the next one below is used. */
export interface ListPlace {
  /** The place of the first visible row: see `ItemPlaces`. */
  place: number;
  /** Part of that row above the edge, from 0 to less than 1. */
  part: number;
  /** The first place of the list that was not new: rows above it were not seen. */
  top: number;
}

/** Data that a list needs besides its first page to start at a place. */
export interface ListStart {
  /** In rows from the top. */
  row: number;
  /** Number of new rows above. */
  above: number;
  /** The places below those of the page, as far as the start and one part beyond. */
  places: readonly number[];
  /** True if there are places below these. */
  more: boolean;
  rows: readonly { index: number; row: ItemRow | null }[];
}

/** Rows around the start that are read with it: more than a window shows. */
const ABOVE = 20;
const BELOW = 80;
const NOTHING = { ok: true, value: { rows: [] } } as const;

/** Finds a place in a list whose first page is loaded. Null if that fails: the list then starts at its top. */
export async function findStart(
  read: Pick<ListReader, 'places' | 'rows'>,
  page: ItemsPage,
  { place, part, top }: ListPlace,
): Promise<ListStart | null> {
  const known = [...page.places];
  let more = page.next !== null;
  while (more && (known.at(-1) ?? 0) > place) {
    const reply = await read.places(known.at(-1));
    if (!reply?.ok || reply.value.places.length === 0) return null;
    for (const next of reply.value.places) known.push(next);
    more = reply.value.more;
  }
  const index = firstFrom(known, place);
  const first = Math.max(page.places.length, index - ABOVE);
  const wanted = known.slice(first, index + BELOW);
  const reply = wanted.length === 0 ? NOTHING : await read.rows(wanted);
  if (!reply?.ok) return null;
  return {
    // A list that has become shorter ends with its last row.
    row: known[index] === place ? index + part : index,
    above: firstFrom(known, top),
    places: known.slice(page.places.length),
    more,
    rows: reply.value.rows.map((row, at) => ({ index: first + at, row })),
  };
}
