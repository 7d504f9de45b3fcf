import type { Settings } from './settings.ts';

export const USER_DATA_FORMAT = 'broadsheet-user-data';
export const USER_DATA_VERSION = 1;
export const LONGEST_USER_DATA = 64 * 1024 * 1024;

/** Described in docs/user-data.md. Each list is a table of user.db, with times in ms since 1970. */
export interface UserDataFile {
  format: typeof USER_DATA_FORMAT;
  version: number;
  exportedAt: string;
  settings: Settings;
  tables: { [table: string]: { [column: string]: string | number | null }[] };
}

export interface ImportResult {
  taken: number;
  unchanged: number;
  skipped: number;
  settings: boolean;
}

export interface Backup {
  name: string;
  at: string;
  bytes: number;
}

export interface ParkedMirror {
  id: string;
  /** The address, or `demo`; empty if unknown. */
  service: string;
  usedAt: string;
  bytes: number;
}
