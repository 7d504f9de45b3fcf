import type { Properties } from '../database/properties.ts';

/** A snapshot that was begun and not yet stored to its last page. */
export interface OpenSnapshot {
  generation: number;
  /** The watermark of the first page, the one to go on from when the last page is stored. */
  cursor: string;
  nextPage: string;
  /** Items stored so far. */
  stored: number;
}

/**
 * Where the mirror of the selected set stands. Written in the transaction of the page that it speaks of: apply, then advance.
 */
export class SelectedSet {
  readonly #properties: Properties;

  /** @param mirror the properties of the mirror */
  constructor(mirror: Properties) {
    this.#properties = mirror;
  }

  /** Where the changes go on; null while there is no whole set, or the service wants a new snapshot. */
  get cursor(): string | null {
    return this.#properties.get('set_cursor');
  }

  /** The generation that every member carries once a snapshot is whole; 0 before the first. */
  get generation(): number {
    return this.#properties.number('set_generation');
  }

  /** Whether a whole set is stored. It stays so while a later snapshot replaces it. */
  get complete(): boolean {
    return this.generation > 0;
  }

  get openSnapshot(): OpenSnapshot | null {
    const text = this.#properties.get('set_snapshot');
    return text === null ? null : (JSON.parse(text) as OpenSnapshot);
  }

  /** A number above every one that a row may carry. */
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

  /** The page token was refused: begin again, under a new generation. */
  dropSnapshot(): void {
    this.#properties.set('set_snapshot', null);
  }

  advance(cursor: string): void {
    if (cursor !== this.cursor) this.#properties.set('set_cursor', cursor);
  }

  /** Resuming is unsafe (409 `snapshot_required`): the set stays as it is until a new snapshot is whole. */
  requireSnapshot(): void {
    this.#properties.set('set_cursor', null);
  }
}
