import type { Database } from 'better-sqlite3';
import { dirname } from 'node:path';
import { bindAll, type Bound } from '../sql.ts';
import { noteDamage } from './corruption.ts';
import { mapStoreError } from './errors.ts';

/** For work on the files of a data folder without an open connection. */
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

  expose<T extends object, K extends keyof T & string>(target: T, names: readonly K[]): Pick<T, K> {
    const exposed = {} as Pick<T, K>;
    for (const name of names) Object.defineProperty(exposed, name, this.#wrap(target, name));
    return exposed;
  }

  exposeAll<T extends object>(target: T): Pick<T, keyof T> {
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(target)).filter((name) => name !== 'constructor');
    return this.expose<T, keyof T & string>(target, names as (keyof T & string)[]) as Pick<T, keyof T>;
  }

  #wrap<T extends object>(target: T, name: keyof T & string): PropertyDescriptor {
    const isGetter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), name)?.get !== undefined;
    if (isGetter) return { enumerable: true, get: () => this.run(() => target[name]) };
    const method = target[name] as (...args: unknown[]) => unknown;
    return { enumerable: true, value: (...args: unknown[]) => this.run(() => method.apply(target, args)) };
  }

  #fail(error: unknown): never {
    throw mapStoreError(noteDamage(error, this.#database), this.#database.memory ? null : dirname(this.#database.name));
  }
}
