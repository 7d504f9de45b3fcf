import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { LoadedRows } from './loaded-rows.svelte.ts';
import type { MarkingAll } from './marking-all.ts';
import { ROWS_A_READ } from './next-read.ts';

export type RemovalReason = 'withdrawn' | 'leftSelection';

interface Options {
  readonly reader: ListReader;
  readonly rows: LoadedRows;
  readonly markingAll: MarkingAll;
}

/** Reads changed rows again without moving any. Rows that no longer belong to the list stay, with the reason. */
export class RowUpdates {
  readonly #options: Options;
  #removalReasons = $state.raw<ReadonlyMap<string, RemovalReason>>(new Map());

  constructor(options: Options) {
    this.#options = options;
  }

  get removalReasons(): ReadonlyMap<string, RemovalReason> {
    return this.#removalReasons;
  }

  /** Begins with new rows, which all belong to the list. */
  begin(): void {
    this.#removalReasons = new Map();
  }

  /** Reads rows again; null if it is unknown which. Those far from the view are dropped then. */
  async read(ids: readonly string[] | null): Promise<void> {
    const { markingAll, rows } = this.#options;
    if (markingAll.running) return;
    if (ids === null) rows.dropFar();
    const wanted = ids ?? rows.near.map(({ id }) => id);
    const indexes = wanted.map((id) => rows.window.indexOf(id)).filter((index) => index >= 0);
    await this.#readAt(indexes.slice(0, ROWS_A_READ));
    if (ids === null) void rows.fill();
  }

  /** As {@link read}, after status changes. Rows also count their unread folded items, which have no rows. */
  async readMarked(ids: readonly string[] | null): Promise<void> {
    const { rows } = this.#options;
    const hasOthers = ids?.some((id) => rows.window.indexOf(id) < 0) === true;
    const folding = hasOthers ? rows.near.filter(({ folded }) => folded).map(({ id }) => id) : [];
    await this.read(ids && [...new Set([...folding, ...ids])]);
  }

  async #readAt(indexes: readonly number[]): Promise<void> {
    const { reader, rows, markingAll } = this.#options;
    const { times } = markingAll;
    const shown = indexes.flatMap((index) => {
      const [row, place] = [rows.window.at(index), rows.window.placeAt(index)];
      return row && place !== undefined ? [{ row, place }] : [];
    });
    if (shown.length === 0) return;
    const before = shown.map(({ row }) => row);
    const reply = await reader.rows(
      shown.map(({ place }) => place),
      before.map(({ id }) => id),
    );
    if (!reply?.ok) return;
    // Everything was marked meanwhile: the reply may be from before, and that change sends no more events.
    if (times !== markingAll.times && !markingAll.running) return this.#readAt(indexes);
    this.#take(before, reply.value.rows);
  }

  #take(before: readonly ItemRow[], now: readonly (ItemRow | null)[]): void {
    const { reader, rows, markingAll } = this.#options;
    const reasons = new Map(this.#removalReasons);
    const changed: ItemRow[] = [];
    before.forEach((old, at) => {
      const row = now[at];
      if (row?.id !== old.id) {
        reasons.set(old.id, 'withdrawn');
        return;
      }
      const left = reader.query.scope === 'selected' && old.inSelectedSet && !row.inSelectedSet;
      if (left) reasons.set(row.id, 'leftSelection');
      else if (row.inSelectedSet || reasons.get(row.id) === 'withdrawn') reasons.delete(row.id);
      changed.push(markingAll.shown(row));
    });
    this.#removalReasons = reasons;
    rows.replace(changed);
  }
}
