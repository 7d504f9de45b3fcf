/** Temporary triggers of the writing connection note changes to be stamped in the transaction of the change. */
import type { Database } from 'better-sqlite3';
import { KIND_NAMES, KINDS } from '../../contract/records.ts';
import type { MarkKind } from '../../common/marks.ts';
import { arrays, rows, run, sql, value, type Db, type WritableDb } from '../sql.ts';

export type JournalKind = Exclude<MarkKind, 'setting'>;

export interface JournalRow {
  kind: JournalKind;
  service: string;
  id: string;
}

/** SQL of the key in the journal; `of` is NEW, OLD, or the table. */
interface JournalledTable {
  kind: (of: string) => string;
  service: (of: string) => string;
  id: (of: string) => string;
  primaryKey: readonly string[];
  only?: (of: string) => string;
}

const SHARED = KIND_NAMES.filter((name) => KINDS[name].shared);

const NOTED = {
  record: {
    kind: (of) => `${of}.kind`,
    service: (of) => `(SELECT name FROM service WHERE service.id = ${of}.service)`,
    id: (of) => `${of}.id`,
    primaryKey: ['service', 'kind', 'id'],
    only: (of) => `${of}.kind IN (${SHARED.map((name) => `'${name}'`).join(', ')})`,
  },
} satisfies Record<string, JournalledTable>;

/** Everything is noted of these, also what was carried before: it may have been removed while nothing was noted. */
const ALL = {
  ...NOTED,
  carried_mark: {
    kind: (of: string) => `${of}.kind`,
    service: (of: string) => `${of}.service`,
    id: (of: string) => `${of}.id`,
    primaryKey: ['kind', 'service', 'id'],
  },
} satisfies Record<string, JournalledTable>;

type TableName = keyof typeof ALL;

const TABLES = Object.keys(ALL) as TableName[];

const EVENTS = { INSERT: ['NEW'], UPDATE: ['OLD', 'NEW'], DELETE: ['OLD'] } as const;

export interface NotingProgress {
  table: number;
  after: (string | number)[] | null;
}

const NOTE = statementsOf(
  (part, { kind, service, id, only = () => 'true' }) => sql`INSERT OR IGNORE INTO user.mark_journal (kind, service, id)
    SELECT ${kind('part')}, ${service('part')}, ${id('part')} FROM (${part}) AS part WHERE ${only('part')}`,
);
const KEYS = statementsOf((part, { primaryKey }) => sql`SELECT ${primaryKey.join(', ')} FROM (${part})`);

function statementsOf(compose: (part: string, table: JournalledTable) => string) {
  const statements = Object.entries<JournalledTable>(ALL).map(([name, table]) => {
    const columns = table.primaryKey.join(', ');
    const read = (rest: string) => `SELECT * FROM user.${name} ${rest} ORDER BY ${columns} LIMIT ?`;
    const after = `WHERE (${columns}) > (${table.primaryKey.map(() => '?').join(', ')})`;
    return [name, { first: compose(read(''), table), next: compose(read(after), table) }];
  });
  return Object.fromEntries(statements) as Record<TableName, { first: string; next: string }>;
}

export function firstNoted(db: Db, limit: number): JournalRow[] {
  return rows<JournalRow>(db, 'SELECT kind, service, id FROM user.mark_journal LIMIT ?', limit);
}

export function isNoted(db: Db, { kind, service, id }: JournalRow): boolean {
  const found = value<number>(
    db,
    'SELECT 1 FROM user.mark_journal WHERE kind = ? AND service = ? AND id = ?',
    ...[kind, service, id],
  );
  return found === 1;
}

export function removeNoted(db: WritableDb, { kind, service, id }: JournalRow): void {
  run(db, 'DELETE FROM user.mark_journal WHERE kind = ? AND service = ? AND id = ?', kind, service, id);
}

/** Call it outside of a transaction. */
export function startNoting(database: Database): void {
  // Notes also a row that INSERT OR REPLACE replaces although it has another key.
  database.pragma('recursive_triggers = ON');
  for (const [name, { kind, service, id, only = () => 'true' }] of Object.entries<JournalledTable>(NOTED)) {
    for (const [event, changed] of Object.entries(EVENTS)) {
      // Not OR IGNORE: the statement that fires the trigger would override it, and the reader's change would fail.
      const notes = changed.map(
        (of) =>
          `INSERT INTO mark_journal (kind, service, id) SELECT ${kind(of)}, ${service(of)}, ${id(of)}
           WHERE ${only(of)} AND NOT EXISTS (
             SELECT 1 FROM mark_journal WHERE (kind, service, id) = (${kind(of)}, ${service(of)}, ${id(of)}));`,
      );
      database.exec(
        `CREATE TEMP TRIGGER IF NOT EXISTS ${triggerOf(name, event)} AFTER ${event} ON user.${name}
         BEGIN ${notes.join(' ')} END`,
      );
    }
  }
}

export function stopNoting(database: Database): void {
  for (const name of Object.keys(NOTED))
    for (const event of Object.keys(EVENTS)) database.exec(`DROP TRIGGER IF EXISTS temp.${triggerOf(name, event)}`);
  database.pragma('recursive_triggers = OFF');
}

/** Notes a part of everything, as if it had just changed. Returns the next part; null at the end. */
export function noteNext(db: WritableDb, { table, after }: NotingProgress, limit: number): NotingProgress | null {
  const name = TABLES[table];
  if (name === undefined) return null;
  const part = after === null ? 'first' : 'next';
  const bound = [...(after ?? []), limit];
  run(db, NOTE[name][part], ...bound);
  const noted = arrays<(string | number)[]>(db, KEYS[name][part], ...bound);
  const last = noted.length < limit ? undefined : noted.at(-1);
  return last ? { table, after: last } : { table: table + 1, after: null };
}

function triggerOf(table: string, event: string): string {
  return `journal_${table}_${event.toLowerCase()}`;
}
