import type { Settings } from './settings.ts';

export const USER_DATA_FORMAT = 'broadsheet-user-data';
export const USER_DATA_VERSION = 1;

/**
 * All that the reader did and chose, as one JSON file (docs/user-data.md). No key is ever in it, and nothing of the service
 * but ids and addresses. Each list is a table of user.db: its rows as members by column name, times in ms since 1970.
 */
export interface UserDataFile {
  format: typeof USER_DATA_FORMAT;
  version: number;
  /** RFC 3339. */
  exportedAt: string;
  settings: Settings;
  tables: { [table: string]: { [column: string]: string | number | null }[] };
}

/** What an import did. Rows that cannot be read are left out and counted, the others stay. */
export interface ImportResult {
  /** Rows that are here now and were not, or were different. */
  taken: number;
  unchanged: number;
  skipped: number;
  settings: boolean;
}

/** A copy of user.db. */
export interface Backup {
  /** The name of its file in the folder `backups`. */
  name: string;
  /** RFC 3339. */
  at: string;
  bytes: number;
}

/** A defect that was met while running, as data health shows it: once, without secrets. */
export interface Problem {
  id: number;
  at: string;
  where: 'main' | 'engine' | 'page';
  message: string;
}
