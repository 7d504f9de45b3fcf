import type { Database } from 'better-sqlite3';
import { dirname } from 'node:path';
import { bindAll, type Bound } from '../sql.ts';
import { noteDamage } from './corruption.ts';
import { mapStoreError } from './errors.ts';

/** Call it for work on a data folder without an open connection. */
export function withMappedErrors<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw mapStoreError(error, folder === ':memory:' ? null : folder);
  }
}

/** Wraps every call from outside the store: maps SQLite's errors to the app's, and marks damage for the next start. */
export class ErrorBoundary {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(work: () => T): T {
    try {
      const result = work();
      return result instanceof Promise ? (result.catch((error: unknown) => this.#fail(error)) as T) : result;
    } catch (error) {
      return this.#fail(error);
    }
  }

  bind<M extends object>(domain: M): Bound<Database, M> {
    return bindAll<Database, M>(this.#database, domain, (work) => this.run(work));
  }

  expose<T extends object>(target: T): Pick<T, keyof T> {
    const exposed = {} as Pick<T, keyof T>;
    const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(target) as object);
    for (const [name, { get, value }] of Object.entries(members)) {
      if (name === 'constructor') continue;
      const member = (get ?? value) as (...args: unknown[]) => unknown;
      const call = (...args: unknown[]) => this.run(() => member.apply(target, args));
      Object.defineProperty(exposed, name, { enumerable: true, ...(get ? { get: call } : { value: call }) });
    }
    return exposed;
  }

  #fail(error: unknown): never {
    throw mapStoreError(noteDamage(error, this.#database), this.#database.memory ? null : dirname(this.#database.name));
  }
}
