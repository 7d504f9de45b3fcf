import type { Database } from 'better-sqlite3';
import { openForWriting } from '../../src-main/store/database/connection.ts';
import { withMappedErrors } from '../../src-main/store/database/error-boundary.ts';
import { Store, type StoreOptions } from '../../src-main/store/store.ts';
import * as support from '../support/store.ts';

/**
 * The store's connections, for tests of its internals, which read tables and use the table classes directly. All other
 * tests use the public API.
 */
const databases = new WeakMap<Store, Database>();

function open(options: StoreOptions): Store {
  return withMappedErrors(options.folder, () => {
    const connection = openForWriting(options.folder, options.source, options.now());
    const store = new Store(connection, options);
    databases.set(store, connection.database);
    return store;
  });
}

/** As the helper of that name, with a connection for {@link databaseOf}. */
export function openTestStore(options: support.TestStoreOptions = {}): Store {
  return support.openTestStore(options, open);
}

/** As the helper of that name, with a connection for {@link databaseOf}. */
export function openStoreScene(options: support.TestStoreOptions = {}): support.StoreScene {
  return support.openStoreScene(options, open);
}

export function databaseOf(store: Store): Database {
  const database = databases.get(store);
  if (!database) throw new Error('This store was not opened by internals.ts.');
  return database;
}
