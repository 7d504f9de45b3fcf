import { perConnection, type WritableDb } from '../sql.ts';

/**
 * Writes to fetch-log.db that can wait: what an answer "not modified" changes there. Tables keep the new values in
 * memory and leave the statements here, so that a sync without news writes nothing. If the process is killed before
 * they are saved, the next start sends one conditional request more (docs/decisions/041).
 */
class PendingLog {
  readonly #writes = new Map<string, (db: WritableDb) => void>();
  #written = false;

  get isEmpty(): boolean {
    return this.#writes.size === 0;
  }

  put(name: string, write: (db: WritableDb) => void): void {
    this.#writes.set(name, write);
  }

  /** Discards a write that is no longer wanted, or was done in another way. */
  drop(name: string): void {
    this.#writes.delete(name);
  }

  write(db: WritableDb): void {
    for (const write of this.#writes.values()) write(db);
    this.#written = true;
  }

  /** After a commit. Returns whether it saved what had been waiting. */
  commit(): boolean {
    const saved = this.#written;
    if (saved) this.#writes.clear();
    this.#written = false;
    return saved;
  }

  /** After a rollback: everything still waits. */
  rollback(): void {
    this.#written = false;
  }
}

export const pendingLog = perConnection(() => new PendingLog());
