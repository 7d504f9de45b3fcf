import { z } from 'zod';
import type { Properties } from '../database/properties.ts';

/** A snapshot whose pages are not all saved yet. */
export interface OpenSnapshot {
  generation: number;
  /** The watermark of the first page, from which to continue after the last page. */
  cursor: string;
  nextPage: string;
  /** The number of items saved so far. */
  stored: number;
  /** The number of members before its first page. */
  before?: number;
  /** Set if a page before `nextPage` has records whose ids can't be read. */
  hidesIds?: boolean;
}

const count = z.int().min(0);
const OPEN_SNAPSHOT = z.object({
  generation: count,
  cursor: z.string(),
  nextPage: z.string(),
  stored: count,
  before: count.exactOptional(),
  hidesIds: z.boolean().exactOptional(),
});

/** The sync progress of the selected set. It is saved in the same transaction as the page that it describes. */
export class SelectedSet {
  readonly #properties: Properties;

  /** @param mirror the properties of the mirror */
  constructor(mirror: Properties) {
    this.#properties = mirror;
  }

  /** Where to continue reading changes; null until a set is complete, or if the service requires a new snapshot. */
  get cursor(): string | null {
    return this.#properties.get('set_cursor');
  }

  /** The generation of all members after a complete snapshot; 0 before the first. */
  get generation(): number {
    return this.#properties.number('set_generation');
  }

  /** The generation of what changes bring: that of a snapshot on its way, which then doesn't lack it. */
  get memberGeneration(): number {
    return this.openSnapshot?.generation ?? this.generation;
  }

  /** Whether a complete set is saved. Stays true while a new snapshot replaces it. */
  get complete(): boolean {
    return this.generation > 0;
  }

  get openSnapshot(): OpenSnapshot | null {
    return this.#properties.json<OpenSnapshot>('set_snapshot', OPEN_SNAPSHOT);
  }

  /** A generation that no row has yet. */
  nextGeneration(): number {
    return this.#properties.number('set_last_generation') + 1;
  }

  saveSnapshot(snapshot: OpenSnapshot): void {
    this.#properties.set('set_snapshot', JSON.stringify(snapshot));
    this.#properties.set('set_last_generation', snapshot.generation);
  }

  finishSnapshot(generation: number, cursor: string): void {
    this.#properties.set('set_snapshot', null);
    this.#properties.set('set_generation', generation);
    this.#properties.set('set_last_generation', generation);
    this.#properties.set('set_cursor', cursor);
  }

  /** Discards a snapshot whose page token was rejected; the next one starts with a new generation. */
  dropSnapshot(): void {
    this.#properties.set('set_snapshot', null);
  }

  advance(cursor: string): void {
    if (cursor !== this.cursor) this.#properties.set('set_cursor', cursor);
  }

  /**
   * The changes can't be resumed (409 `snapshot_required`), nor can those after an incomplete snapshot: the set stays as
   * it is until a new snapshot is complete.
   */
  requireSnapshot(): void {
    this.dropSnapshot();
    this.#properties.set('set_cursor', null);
  }
}
