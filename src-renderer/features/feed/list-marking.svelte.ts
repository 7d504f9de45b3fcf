import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ItemRow, ItemsQuery, ItemStatus } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** Number of marked items and the undo key: null if nothing was unread. */
export interface MarkedAsRead {
  readonly changed: number;
  readonly undo: string | null;
}

interface MarkedRows {
  readonly query: ItemsQuery;
  keyAt(index: number): number | undefined;
  /** Returns the loaded rows of a range. */
  loaded(from: number, to: number): ItemRow[];
  replace(rows: readonly ItemRow[]): void;
  patchStates(states: ReadonlyMap<string, ItemStatus>): void;
  renew(ids: null): Promise<void>;
}

/** Marks a list, or a part of it, as read. The rows show it at once, also those that are loaded meanwhile. */
export class ListMarking {
  readonly #wire: Wire;
  readonly #rows: MarkedRows;
  /** Items that arrived after the list was loaded are not marked: see `ItemsPage`. */
  watermark = 0;
  /** Counts the beginnings and ends: rows that were read across one may be outdated. */
  times = 0;
  /** When everything was marked; null if that is not being saved. */
  #readAt: string | null = null;
  /** The loaded rows that the last action changed, with their status before, and its key. */
  #last: { action: string | null; before: Map<string, ItemStatus> } = { action: null, before: new Map() };

  constructor(wire: Wire, rows: MarkedRows) {
    this.#wire = wire;
    this.#rows = rows;
  }

  get running(): boolean {
    return this.#readAt !== null;
  }

  /** Returns a row as it is shown while everything is being marked. */
  shown(row: ItemRow): ItemRow {
    if (this.#readAt === null) return row;
    const shown = row.folded ? { ...row, folded: { ...row.folded, unread: 0 } } : row;
    if (row.state.readAt !== null) return shown;
    this.#last.before.set(row.id, row.state);
    return { ...shown, state: { ...row.state, readAt: this.#readAt } };
  }

  /** Marks everything that matches as read. */
  async all(): Promise<MarkedAsRead | Failure> {
    this.#begin(new Date().toISOString());
    this.#rows.replace(this.#rows.loaded(0, Infinity).map((row) => this.shown(row)));
    const marked = await this.#mark({}, () => this.#begin(null));
    if ('code' in marked) void this.#rows.renew(null);
    return marked;
  }

  async beside(index: number, side: 'above' | 'below'): Promise<MarkedAsRead | Failure> {
    const place = this.#rows.keyAt(index);
    if (place === undefined) return { changed: 0, undo: null };
    const [from, to] = side === 'above' ? [0, index - 1] : [index + 1, Infinity];
    const unread = this.#rows.loaded(from, to).filter(({ state }) => state.readAt === null);
    const readAt = new Date().toISOString();
    this.#last = { action: null, before: new Map(unread.map(({ id, state }) => [id, state])) };
    this.#rows.patchStates(new Map(unread.map(({ id, state }) => [id, { ...state, readAt }])));
    return this.#mark({ [side]: place });
  }

  /** Undoes an action; the rows show it at once. Returns the number of restored items. */
  async undo(action: string): Promise<number | Failure> {
    if (this.#last.action === action) this.#rows.patchStates(this.#last.before);
    const reply = await this.#wire.call('items.undoMark', { undo: action });
    await this.#rows.renew(null);
    return reply.ok ? reply.value.restored : reply.error;
  }

  #begin(readAt: string | null): void {
    this.#readAt = readAt;
    this.times += 1;
    if (readAt !== null) this.#last = { action: null, before: new Map() };
  }

  async #mark(part: { above?: number; below?: number }, done?: () => void): Promise<MarkedAsRead | Failure> {
    const { watermark } = this;
    const last = this.#last;
    const reply = await this.#wire.call('items.markAllRead', { query: this.#rows.query, watermark, ...part });
    done?.();
    if (!reply.ok) {
      this.#rows.patchStates(last.before);
      return reply.error;
    }
    last.action = reply.value.undo;
    return reply.value;
  }
}
