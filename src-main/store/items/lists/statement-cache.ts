import type { Database, Statement } from 'better-sqlite3';

/** Statements that are kept: queries can be combined in any number of ways. */
const MOST = 100;

/** SQL with what is bound to it. */
export interface BoundSql {
  readonly sql: string;
  readonly bound: readonly unknown[];
}

/** Runs queries whose SQL is put together, and keeps them prepared: lists need only a few different ones. */
export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  all<Row>({ sql, bound }: BoundSql): Row[] {
    return this.#statement(sql).all(...bound) as Row[];
  }

  /** The first column of each row. */
  pluck<Value>({ sql, bound }: BoundSql): Value[] {
    return this.#statement(sql)
      .pluck()
      .all(...bound) as Value[];
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    if (this.#statements.size >= MOST) this.#statements.clear();
    this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}
