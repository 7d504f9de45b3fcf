import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { TEN_YEARS } from '../../common/time.ts';
import { normalServiceAddress } from '../../contract/addresses.ts';
import { KIND_NAMES, KINDS } from '../../contract/records.ts';
import type { UserDataFile } from '../../contract/user-data.ts';

export type UserTables = UserDataFile['tables'];
type UserRow = UserTables[string][number];

interface ExportedTable {
  columns: readonly string[];
  /** Meaningless outside this copy of user.db, with the reason. */
  leftOut?: Readonly<Record<string, string>>;
  from: string;
  rows: string;
}

const EXPORTED_KINDS = KIND_NAMES.filter((name) => KINDS[name].exported);

/** In the order of the file (docs/user-data.md). */
export const EXPORTED = {
  record: {
    columns: ['kind', 'service', 'id', 'value'],
    leftOut: {
      seq: 'numbers the changes of this copy of user.db, for those who follow it',
      made: 'says which of two values stays, for the other devices',
      epoch: 'as made',
      device: 'as made',
    },
    from: `(SELECT kind, service.name AS service, record.id AS id, value FROM user.record
      JOIN user.service ON service.id = record.service)`,
    rows: `WHERE value IS NOT NULL AND kind IN (${EXPORTED_KINDS.map((name) => `'${name}'`).join(', ')})
      ORDER BY kind, service, id`,
  },
} as const satisfies Readonly<Record<string, ExportedTable>>;

export type ExportedName = keyof typeof EXPORTED;
export const EXPORTED_NAMES = Object.keys(EXPORTED) as ExportedName[];

export const LEFT_OUT: Readonly<Record<string, string>> = {
  property: 'names this copy of user.db and counts its actions, for the mirrors that follow it',
  notification: 'is the notification history of this device',
  notification_progress:
    'is how far this device has checked for notifications: another device starts with its own data',
  service: 'names the services that records belong to, and says how long they want no requests from this device',
  device: 'counts what this copy of user.db has of the other devices',
  model_list: 'is downloaded',
  model: 'is downloaded',
  model_gone: 'belongs to the history of models',
  refresh: 'is the history of what a gateway offered, and nothing that the reader did; backups have it',
  change: 'belongs to the refreshes',
};

export function readUserTables(database: Database): UserTables {
  const read = database.transaction(() =>
    Object.fromEntries(EXPORTED_NAMES.map((name) => [name, database.prepare<[], UserRow>(selectOf(name)).all()])),
  );
  return read();
}

/** Returns true for anything that the reader did, and for a history of models. The first download is no reason for a backup. */
export function holdsUserData(database: Database): boolean {
  const done = `SELECT 1 FROM (${selectOf('record')}) WHERE kind <> 'start'`;
  return [done, 'SELECT id FROM user.refresh'].some((sql) => database.prepare(`${sql} LIMIT 1`).get() !== undefined);
}

function selectOf(name: ExportedName): string {
  const { columns, from, rows } = EXPORTED[name];
  return `SELECT ${columns.join(', ')} FROM ${from} ${rows}`;
}

/** An address or `demo`. An older or edited file may spell the address differently. */
const service = z
  .string()
  .min(1)
  .max(2048)
  .transform((name) => normalServiceAddress(name) ?? name);

const ROWS = {
  record: z.object({
    kind: z.string().max(32),
    service: z.union([z.literal(''), service]),
    id: z.string().max(8192),
    value: z.union([z.int(), z.string().transform(fromJson)]),
  }),
} as const satisfies Record<ExportedName, z.ZodType>;

export type UserRows = { [Name in ExportedName]: z.infer<(typeof ROWS)[Name]>[] };

const TIMES = /^(?:at|.*At|time|value)$/;

/** `skipped`: unreadable rows, times over ten years ahead, rows of unknown tables; unknown columns, once each. */
export function readUserRows(tables: UserTables, now: number): { rows: UserRows; skipped: number } {
  const rows = {} as Record<ExportedName, unknown[]>;
  let skipped = 0;
  for (const name of Object.keys(ROWS) as ExportedName[]) {
    const given: readonly unknown[] = Object.hasOwn(tables, name) ? (tables[name] ?? []) : [];
    const read = given
      .map((row) => ROWS[name].safeParse(row))
      .filter(({ success, data }) => success && isPossible(data, now));
    rows[name] = read.map(({ data }) => data);
    skipped += given.length - read.length + unknownColumns(name, given);
  }
  for (const [name, given] of Object.entries(tables)) if (!Object.hasOwn(EXPORTED, name)) skipped += given.length;
  return { rows: rows as UserRows, skipped };
}

function isPossible(row: object, now: number): boolean {
  return Object.entries(row).every(([column, value]) => {
    if (column === 'value' && typeof value === 'object' && value !== null) return isPossible(value as object, now);
    return !TIMES.test(column) || typeof value !== 'number' || value <= now + TEN_YEARS;
  });
}

function fromJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}

function unknownColumns(name: ExportedName, rows: readonly unknown[]): number {
  const known = new Set<string>(EXPORTED[name].columns);
  const unknown = new Set<string>();
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) continue;
    for (const column of Object.keys(row)) if (!known.has(column)) unknown.add(column);
  }
  return unknown.size;
}
