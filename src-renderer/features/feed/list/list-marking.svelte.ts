import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { ItemStatus } from '../../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import type { ListReader } from './list-reader.svelte.ts';
import type { LoadedRows } from './loaded-rows.svelte.ts';
import type { MarkingAll } from './marking-all.ts';
import type { RowUpdates } from './row-updates.svelte.ts';

interface Options {
  readonly wire: Wire;
  readonly reader: ListReader;
  readonly rows: LoadedRows;
  readonly updates: RowUpdates;
  readonly markingAll: MarkingAll;
}

/** Number of marked items and the undo key: null if nothing was unread. */
export interface MarkedAsRead {
  readonly changed: number;
  readonly undo: string | null;
}

/** Marks a list, or a part of it, as read. The rows show it at once. */
export class ListMarking {
  readonly #options: Options;
  /** Items that arrived after the list was loaded are not marked: see `ItemsPage`. */
  watermark = 0;
  /** The loaded rows that the last action changed, with their status before, and its key. */
  #last: { action: string | null; before: ReadonlyMap<string, ItemStatus> } = { action: null, before: new Map() };

  constructor(options: Options) {
    this.#options = options;
  }

  /** Marks everything that matches as read. */
  async all(): Promise<MarkedAsRead | Failure> {
    const { wire, reader, rows, updates, markingAll } = this.#options;
    const before = markingAll.begin();
    this.#last = { action: null, before };
    rows.replace(rows.loaded(0, rows.rows.length).map((row) => markingAll.shown(row)));
    const reply = await wire.call('items.markAllRead', { query: reader.query, watermark: this.watermark });
    markingAll.end();
    if (!reply.ok) {
      rows.patchStates(before);
      void updates.read(null);
      return reply.error;
    }
    this.#last = { action: reply.value.undo, before };
    return reply.value;
  }

  async beside(index: number, side: 'above' | 'below'): Promise<MarkedAsRead | Failure> {
    const { wire, reader, rows } = this.#options;
    const place = rows.window.placeAt(index);
    if (place === undefined) return { changed: 0, undo: null };
    const [from, to] = side === 'above' ? [0, index - 1] : [index + 1, rows.rows.length];
    const unread = rows.loaded(from, to).filter(({ state }) => state.readAt === null);
    const before = new Map(unread.map(({ id, state }) => [id, state]));
    const readAt = new Date().toISOString();
    rows.patchStates(new Map([...before].map(([id, state]) => [id, { ...state, readAt }])));
    const args = { query: reader.query, watermark: this.watermark, [side]: place };
    const reply = await wire.call('items.markAllRead', args);
    if (!reply.ok) {
      rows.patchStates(before);
      return reply.error;
    }
    this.#last = { action: reply.value.undo, before };
    return reply.value;
  }

  /** Undoes an action; the rows show it at once. Returns the number of restored items. */
  async undo(action: string): Promise<number | Failure> {
    const { wire, rows, updates } = this.#options;
    if (this.#last.action === action) rows.patchStates(this.#last.before);
    const reply = await wire.call('items.undoMark', { undo: action });
    await updates.read(null);
    return reply.ok ? reply.value.restored : reply.error;
  }
}
