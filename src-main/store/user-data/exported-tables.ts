import type { Database } from 'better-sqlite3';
import type { UserDataFile } from '../../contract/user-data.ts';

export type UserTables = UserDataFile['tables'];
export type UserRow = UserTables[string][number];

interface ExportedTable {
  columns: readonly string[];
  /** Columns that are meaningless outside this copy of user.db, with the reason. */
  leftOut?: Readonly<Record<string, string>>;
  /** The rows to export, and their order in the file. */
  rows: string;
}

/** The exported tables of user.db (docs/user-data.md), in the order of the file. */
export const EXPORTED = {
  item_status: {
    columns: ['mirror', 'item_id', 'read_at', 'starred_at'],
    leftOut: { sequence: 'numbers the actions of this copy of user.db, for the mirrors that follow it' },
    rows: 'WHERE read_at IS NOT NULL OR starred_at IS NOT NULL ORDER BY mirror, item_id',
  },
  unread_mark: { columns: ['mirror', 'item_id', 'marked_at'], rows: 'ORDER BY mirror, item_id' },
  reading_start: { columns: ['mirror', 'first_at'], rows: 'ORDER BY mirror' },
  withdrawn_star: {
    columns: ['mirror', 'item_id', 'item_time', 'withdrawn_at'],
    rows: 'ORDER BY mirror, item_id',
  },
  story_status: {
    columns: ['mirror', 'public_id', 'followed_at', 'starred_at', 'visited_at', 'seen', 'digest_seen'],
    rows: 'ORDER BY mirror, public_id',
  },
  report_status: { columns: ['mirror', 'kind', 'label', 'read_at'], rows: 'ORDER BY mirror, kind, label' },
  address_status: { columns: ['address', 'read_at'], rows: 'ORDER BY address' },
  model_favourite: { columns: ['model', 'at'], rows: 'ORDER BY model' },
  model_alias: {
    columns: ['model', 'alias'],
    leftOut: { folded: 'follows from the alias', position: 'is the order of the rows' },
    rows: 'ORDER BY model, position',
  },
  workload: {
    columns: ['name', 'tokens_in', 'tokens_out', 'tokens_cached', 'requests_a_month', 'created_at'],
    leftOut: { id: 'is a number of this copy of user.db; the name is unique', folded: 'follows from the name' },
    rows: 'ORDER BY id',
  },
  note: {
    columns: ['mirror', 'kind', 'id', 'text', 'created_at', 'changed_at'],
    rows: 'ORDER BY mirror, kind, id',
  },
  saved_search: {
    columns: ['id', 'name', 'query', 'notify', 'position', 'created_at'],
    leftOut: { folded: 'follows from the name' },
    rows: 'ORDER BY position, created_at, id',
  },
  mute_rule: { columns: ['id', 'query', 'created_at'], rows: 'ORDER BY created_at, id' },
} as const satisfies Readonly<Record<string, ExportedTable>>;

export type ExportedName = keyof typeof EXPORTED;
export const EXPORTED_NAMES = Object.keys(EXPORTED) as ExportedName[];

/** The tables of user.db that are not exported, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  property: 'names this copy of user.db and counts its actions, for the mirrors that follow it',
  visit: 'refers to the writes of one build of one mirror, and means nothing to another',
  notification: 'is the notification history of this device',
  notification_progress:
    'is how far this device has checked for notifications: another device starts with its own data',
  carried_mark: 'has the stamps of what the other tables have, for the machines that share a folder of marks',
  mark_journal: 'is what this device has still to write to its folder of marks',
};

/** The reader's data for an export, as one consistent snapshot. */
export function readUserTables(database: Database): UserTables {
  const read = database.transaction(() =>
    Object.fromEntries(EXPORTED_NAMES.map((name) => [name, database.prepare<[], UserRow>(selectOf(name)).all()])),
  );
  return read();
}

/** Whether the reader did anything: when the first download began is no reason for a backup. */
export function holdsUserData(database: Database): boolean {
  const done = EXPORTED_NAMES.filter((name) => name !== 'reading_start');
  return done.some((name) => database.prepare(`${selectOf(name)} LIMIT 1`).get() !== undefined);
}

function selectOf(name: ExportedName): string {
  const { columns, rows }: ExportedTable = EXPORTED[name];
  return `SELECT ${columns.join(', ')} FROM user.${name} ${rows}`;
}
