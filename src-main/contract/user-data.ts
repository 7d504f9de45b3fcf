import type { Settings } from './settings.ts';

export const USER_DATA_FORMAT = 'broadsheet-user-data';
export const USER_DATA_VERSION = 1;
/** Limits a whole file, in UTF-16 units. */
export const LONGEST_USER_DATA = 64 * 1024 * 1024;

/**
 * All user data and settings as one JSON file (docs/user-data.md). Contains no key, and nothing from the service except
 * ids and addresses. Each list is a table of user.db: rows with members by column name, times in milliseconds since
 * 1970.
 */
export interface UserDataFile {
  format: typeof USER_DATA_FORMAT;
  version: number;
  /** RFC 3339. */
  exportedAt: string;
  settings: Settings;
  tables: { [table: string]: { [column: string]: string | number | null }[] };
}

/** Result of an import. Unreadable rows are left out and counted. */
export interface ImportResult {
  /** Rows that were added or changed. */
  taken: number;
  unchanged: number;
  skipped: number;
  settings: boolean;
}

/** A copy of user.db. */
export interface Backup {
  /** File name in the folder `backups`. */
  name: string;
  /** RFC 3339. */
  at: string;
  bytes: number;
}

/** The downloaded news of a service that was used before. */
export interface ParkedMirror {
  id: string;
  /** The name of the service: its address, or `demo` for the built-in one; empty if it is unknown. */
  service: string;
  /** RFC 3339: when another service took its place. */
  usedAt: string;
  bytes: number;
}

/** An unexpected error at run time as data health shows it: once, without secrets. */
export interface Problem {
  id: number;
  at: string;
  where: 'main' | 'engine' | 'page';
  message: string;
}
