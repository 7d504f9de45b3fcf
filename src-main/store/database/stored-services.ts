import Database from 'better-sqlite3';
import { join } from 'node:path';
import { mirrorProperties } from './properties.ts';

/** The names of the services whose data a folder holds: addresses, or `demo`. Null where nothing says so. */
export interface StoredServices {
  news: string | null;
  models: string | null;
}

const NONE: StoredServices = { news: null, models: null };

/** Reads them without changing anything, also beside an open writer. Whatever fails counts as nothing stored. */
export function storedServices(folder: string): StoredServices {
  let database: Database.Database | undefined;
  try {
    database = new Database(join(folder, 'mirror.db'), { readonly: true, fileMustExist: true });
    return { news: mirrorProperties.get(database, 'source'), models: mirrorProperties.get(database, 'gateway') };
  } catch {
    return NONE;
  } finally {
    database?.close();
  }
}
