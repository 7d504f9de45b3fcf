import type { Database } from 'better-sqlite3';
import type { UserDataFile } from '../../contract/user-data.ts';

export type UserTables = UserDataFile['tables'];
export type UserRow = UserTables[string][number];

interface ExportedTable {
  columns: readonly string[];
  /** Columns that mean something in this copy of user.db alone, with the reason. */
  leftOut?: Readonly<Record<string, string>>;
  /** Which rows say something, and in which order they stand in the file. */
  rows: string;
}

/** What an export holds of user.db (docs/user-data.md): by table, in the order of the file. */
export const EXPORTED = {
  item_status: {
    columns: ['item_id', 'read_at', 'starred_at'],
    leftOut: { sequence: 'numbers the actions of this copy of user.db, for the mirrors that follow it' },
    rows: 'WHERE read_at IS NOT NULL OR starred_at IS NOT NULL ORDER BY item_id',
  },
  story_status: {
    columns: ['mirror', 'public_id', 'followed_at', 'starred_at', 'looked_at', 'seen', 'digest_seen'],
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
} as const satisfies Readonly<Record<string, ExportedTable>>;

export type ExportedName = keyof typeof EXPORTED;
export const EXPORTED_NAMES = Object.keys(EXPORTED) as ExportedName[];

/** The tables of user.db that no export holds, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  property: 'names this copy of user.db and counts its actions, for the mirrors that follow it',
  visit: 'counts the writes of one build of one mirror, and says nothing to another',
  notification: 'is the history of what this machine told of',
  notification_progress:
    'is up to what this machine has looked through for notifications: another one begins with what it finds',
};

/** What the reader did, as an export holds it, of one moment. */
export function readUserTables(database: Database): UserTables {
  const read = database.transaction(() =>
    Object.fromEntries(EXPORTED_NAMES.map((name) => [name, database.prepare<[], UserRow>(selectOf(name)).all()])),
  );
  return read();
}

/** Whether there is anything to lose. */
export function holdsUserData(database: Database): boolean {
  return EXPORTED_NAMES.some((name) => database.prepare(`${selectOf(name)} LIMIT 1`).get() !== undefined);
}

function selectOf(name: ExportedName): string {
  const { columns, rows }: ExportedTable = EXPORTED[name];
  return `SELECT ${columns.join(', ')} FROM user.${name} ${rows}`;
}
