import { perConnection, type WritableDb } from '../sql.ts';

/**
 * Writes about fetches that can wait: a sync without news writes nothing. If the process is killed before they are saved, the
 * next start sends one conditional request more (docs/decisions/041).
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

  drop(name: string): void {
    this.#writes.delete(name);
  }

  write(db: WritableDb): void {
    for (const write of this.#writes.values()) write(db);
    this.#written = true;
  }

  /** Call it after a commit. Returns true if that saved what had been waiting. */
  commit(): boolean {
    const saved = this.#written;
    if (saved) this.#writes.clear();
    this.#written = false;
    return saved;
  }

  /** Call it after a rollback. */
  rollback(): void {
    this.#written = false;
  }
}

export const pendingLog = perConnection(() => new PendingLog());
