import { z } from 'zod';
import { mirrorProperties as mirror } from '../database/properties.ts';
import type { Db, WritableDb } from '../sql.ts';

export interface OpenSnapshot {
  generation: number;
  /** That of the first page, to continue from after the last page. */
  cursor: string;
  nextPage: string;
  stored: number;
  before?: number;
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

/** Stays true while a new snapshot replaces the set. */
export function isComplete(db: Db): boolean {
  return generationOf(db) > 0;
}

function generationOf(db: Db): number {
  return mirror.number(db, 'set_generation');
}

export class SelectedSet {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  get cursor(): string | null {
    return mirror.get(this.#db, 'set_cursor');
  }

  get generation(): number {
    return generationOf(this.#db);
  }

  get complete(): boolean {
    return isComplete(this.#db);
  }

  get openSnapshot(): OpenSnapshot | null {
    return mirror.json<OpenSnapshot>(this.#db, 'set_snapshot', OPEN_SNAPSHOT);
  }

  nextGeneration(): number {
    return mirror.number(this.#db, 'set_last_generation') + 1;
  }
}

export class SelectedSetWriter extends SelectedSet {
  readonly #db: WritableDb;

  constructor(db: WritableDb) {
    super(db);
    this.#db = db;
  }

  /** For changed items: that of a snapshot under way, which then doesn't lack them. */
  get memberGeneration(): number {
    return this.openSnapshot?.generation ?? this.generation;
  }

  saveSnapshot(snapshot: OpenSnapshot): void {
    mirror.set(this.#db, 'set_snapshot', JSON.stringify(snapshot));
    mirror.set(this.#db, 'set_last_generation', snapshot.generation);
  }

  finishSnapshot(generation: number, cursor: string): void {
    this.dropSnapshot();
    mirror.set(this.#db, 'set_generation', generation);
    mirror.set(this.#db, 'set_last_generation', generation);
    mirror.set(this.#db, 'set_cursor', cursor);
  }

  dropSnapshot(): void {
    mirror.set(this.#db, 'set_snapshot', null);
  }

  advance(cursor: string): void {
    mirror.set(this.#db, 'set_cursor', cursor);
  }

  /** Follows a 409 `snapshot_required`: the set stays until a new snapshot is complete. */
  requireSnapshot(): void {
    this.dropSnapshot();
    mirror.set(this.#db, 'set_cursor', null);
  }
}
