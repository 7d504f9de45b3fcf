import type { Json } from './model/model.ts';
import type { Settings } from './settings.ts';

export const USER_DATA_FORMAT = 'broadsheet-user-data';
export const USER_DATA_VERSION = 1;
export const LONGEST_USER_DATA = 64 * 1024 * 1024;

/** By its kind (records.ts). `service` is empty where the id belongs to none. */
export interface ExportedRecord {
  kind: string;
  service: string;
  id: string;
  value: Json;
}

/** Described in docs/user-data.md. */
export interface UserDataFile {
  format: typeof USER_DATA_FORMAT;
  version: number;
  exportedAt: string;
  settings: Settings;
  records: ExportedRecord[];
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
