import type { ItemRow, ItemStatus } from '../../../../src-main/contract/model/item.ts';

/** Marks everything as read on the page until it is saved, also rows that are loaded meanwhile. */
export class MarkingAll {
  #readAt: string | null = null;
  #before = new Map<string, ItemStatus>();
  #times = 0;

  get running(): boolean {
    return this.#readAt !== null;
  }
  /** Counts the beginnings and ends: rows that were read across one may be outdated. */
  get times(): number {
    return this.#times;
  }

  /** Returns the previous status of the rows that show it; later ones are added. */
  begin(): ReadonlyMap<string, ItemStatus> {
    this.#readAt = new Date().toISOString();
    this.#times += 1;
    return (this.#before = new Map());
  }

  end(): void {
    this.#readAt = null;
    this.#times += 1;
  }

  /** Returns a row as it is shown. */
  shown(row: ItemRow): ItemRow {
    if (this.#readAt === null) return row;
    const shown = row.folded ? { ...row, folded: { ...row.folded, unread: 0 } } : row;
    if (row.state.readAt !== null) return shown;
    this.#before.set(row.id, row.state);
    return { ...shown, state: { ...row.state, readAt: this.#readAt } };
  }
}
