import type { Database } from 'better-sqlite3';
import type { MarkKind } from '../../common/marks.ts';

/** What a row of the journal is about: an item has two marks, `read` and `star`, and a story `follow` and `story`. */
export type JournalKind = 'item' | Exclude<MarkKind, 'read' | 'star' | 'follow' | 'setting'>;

export interface JournalRow {
  kind: JournalKind;
  service: string;
  id: string;
}

/** SQL of the key in the journal; `of` is the row: NEW, OLD, or the table. */
interface JournalledTable {
  kind: string;
  service: (of: string) => string;
  id: (of: string) => string;
  primaryKey: readonly string[];
}

const ofService = (of: string): string => `${of}.mirror`;
const ofNone = (): string => `''`;

/** The tables of user.db whose changes are noted. */
const NOTED: Readonly<Record<string, JournalledTable>> = {
  item_status: {
    kind: `'item'`,
    service: ofService,
    id: (of) => `${of}.item_id`,
    primaryKey: ['mirror', 'item_id'],
  },
  unread_mark: {
    kind: `'item'`,
    service: ofService,
    id: (of) => `${of}.item_id`,
    primaryKey: ['mirror', 'item_id'],
  },
  story_status: {
    kind: `'story'`,
    service: ofService,
    id: (of) => `${of}.public_id`,
    primaryKey: ['mirror', 'public_id'],
  },
  report_status: {
    kind: `'report'`,
    service: ofService,
    id: (of) => `${of}.kind || '/' || ${of}.label`,
    primaryKey: ['mirror', 'kind', 'label'],
  },
  address_status: { kind: `'address'`, service: ofNone, id: (of) => `${of}.address`, primaryKey: ['address'] },
  model_favourite: { kind: `'favourite'`, service: ofNone, id: (of) => `${of}.model`, primaryKey: ['model'] },
  note: {
    kind: `'note'`,
    service: ofService,
    id: (of) => `${of}.kind || '/' || ${of}.id`,
    primaryKey: ['mirror', 'kind', 'id'],
  },
  saved_search: { kind: `'saved'`, service: ofNone, id: (of) => `${of}.id`, primaryKey: ['id'] },
  mute_rule: { kind: `'mute'`, service: ofNone, id: (of) => `${of}.query`, primaryKey: ['id'] },
};

/** What was carried before, too: it may have been removed while nothing was noted. */
const ALL: readonly (readonly [name: string, table: JournalledTable])[] = [
  ...Object.entries(NOTED),
  [
    'carried_mark',
    {
      kind: `CASE kind WHEN 'read' THEN 'item' WHEN 'star' THEN 'item' WHEN 'follow' THEN 'story' ELSE kind END`,
      service: (of) => `${of}.service`,
      id: (of) => `${of}.id`,
      primaryKey: ['kind', 'service', 'id'],
    },
  ],
];

const EVENTS = { INSERT: ['NEW'], UPDATE: ['OLD', 'NEW'], DELETE: ['OLD'] } as const;

/** Where the next part of noting everything begins: a table, and the primary key of the last row. */
export interface NotingPlace {
  table: number;
  after: string[] | null;
}

/**
 * The table `mark_journal` of user.db: what the reader changed and has not been stamped yet. Triggers fill it in the
 * transaction of the change, whatever makes it, so that none is missed. They are temporary: only the connection that
 * writes has them, and only while there is a folder for marks.
 */
export class MarkJournal {
  readonly #database: Database;
  readonly #first;
  readonly #has;
  readonly #remove;

  constructor(database: Database) {
    this.#database = database;
    this.#first = database.prepare<[number], JournalRow>('SELECT kind, service, id FROM user.mark_journal LIMIT ?');
    this.#has = database
      .prepare<[string, string, string], number>(
        'SELECT 1 FROM user.mark_journal WHERE kind = ? AND service = ? AND id = ?',
      )
      .pluck();
    this.#remove = database.prepare<[string, string, string]>(
      'DELETE FROM user.mark_journal WHERE kind = ? AND service = ? AND id = ?',
    );
  }

  first(limit: number): JournalRow[] {
    return this.#first.all(limit);
  }

  has({ kind, service, id }: JournalRow): boolean {
    return this.#has.get(kind, service, id) === 1;
  }

  remove({ kind, service, id }: JournalRow): void {
    this.#remove.run(kind, service, id);
  }

  /** Notes changes from now on. Call it outside of a transaction. */
  start(): void {
    // So that a row is noted, too, that INSERT OR REPLACE replaces although it has another key.
    this.#database.pragma('recursive_triggers = ON');
    for (const [name, { kind, service, id }] of Object.entries(NOTED)) {
      for (const [event, rows] of Object.entries(EVENTS)) {
        // Not OR IGNORE: the statement that fires the trigger would override it, and the reader's change would fail.
        const notes = rows.map(
          (row) =>
            `INSERT INTO mark_journal (kind, service, id) SELECT ${kind}, ${service(row)}, ${id(row)} WHERE NOT EXISTS (
               SELECT 1 FROM mark_journal WHERE (kind, service, id) = (${kind}, ${service(row)}, ${id(row)}));`,
        );
        this.#database.exec(
          `CREATE TEMP TRIGGER IF NOT EXISTS ${triggerOf(name, event)} AFTER ${event} ON user.${name}
           BEGIN ${notes.join(' ')} END`,
        );
      }
    }
  }

  /** Notes nothing any more. What was noted stays. */
  stop(): void {
    for (const name of Object.keys(NOTED)) {
      for (const event of Object.keys(EVENTS)) {
        this.#database.exec(`DROP TRIGGER IF EXISTS temp.${triggerOf(name, event)}`);
      }
    }
    this.#database.pragma('recursive_triggers = OFF');
  }

  /** Within a transaction. Notes a part of everything, as if it had just changed. Returns the next part; null at the end. */
  noteSome({ table, after }: NotingPlace, limit: number): NotingPlace | null {
    const found = ALL[table];
    if (!found) return null;
    const [name, { kind, service, id, primaryKey }] = found;
    const columns = primaryKey.join(', ');
    const rest = after === null ? '' : `WHERE (${columns}) > (${primaryKey.map(() => '?').join(', ')})`;
    const part = `SELECT * FROM user.${name} ${rest} ORDER BY ${columns} LIMIT ${String(limit)}`;
    const bound = after ?? [];
    this.#database
      .prepare(
        `INSERT OR IGNORE INTO user.mark_journal (kind, service, id)
         SELECT ${kind}, ${service('part')}, ${id('part')} FROM (${part}) AS part WHERE true`,
      )
      .run(...bound);
    const keys = this.#database
      .prepare<string[], string[]>(`SELECT ${columns} FROM (${part})`)
      .raw()
      .all(...bound);
    const last = keys.length < limit ? undefined : keys.at(-1);
    return last ? { table, after: last } : { table: table + 1, after: null };
  }
}

function triggerOf(table: string, event: string): string {
  return `journal_${table}_${event.toLowerCase()}`;
}
