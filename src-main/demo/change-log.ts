import { z } from 'zod';
import { openToken, sealToken } from './http.ts';

export interface ChangeLogEntry {
  op: 'upsert' | 'remove';
  id: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

const cursorShape = z.tuple([z.literal('c'), z.string(), z.int().min(0)]);

/** The changes of the selected set in order. A cursor is a position in it, valid for one epoch. */
export class ChangeLog {
  readonly #entries: ChangeLogEntry[] = [];
  readonly #origin: string;
  #generation = 0;

  /** Cursors are valid for all services with the same `origin`. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  get epoch(): string {
    return `${this.#origin}/${this.#generation}`;
  }

  get length(): number {
    return this.#entries.length;
  }

  append(entry: ChangeLogEntry): void {
    this.#entries.push(entry);
  }

  slice(from: number, count: number): ChangeLogEntry[] {
    return this.#entries.slice(from, from + count);
  }

  /** Returns when the change before a position happened (ms since 1970), 0 before the first one. */
  timeAt(position: number): number {
    return this.#entries[position - 1]?.changedAt ?? 0;
  }

  startNewEpoch(): void {
    this.#generation += 1;
  }

  cursorAt(position: number): string {
    return sealToken(['c', this.epoch, position]);
  }

  /** Returns null if it is not safe to resume from the cursor. */
  positionOf(cursor: string): number | null {
    const opened = openToken(cursor, cursorShape);
    if (opened === null || opened[1] !== this.epoch || opened[2] > this.length) return null;
    return opened[2];
  }
}
