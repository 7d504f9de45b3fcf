import type { Database, Statement } from 'better-sqlite3';

/** What the store uses of a statement. */
type UsedStatement = Pick<Statement, 'run' | 'get' | 'all' | 'iterate'> & {
  pluck(): UsedStatement;
  raw(): UsedStatement;
};

/**
 * From now on, statements of this connection are compiled when they run for the first time. There are three hundred of
 * them, and a command or a page needs few: compiling all takes most of the time of opening. A mistake in one, or a missing
 * table, is an error of its first run.
 */
export function compileAtFirstUse(database: Database): void {
  const compile = database.prepare.bind(database) as (sql: string) => UsedStatement;
  const defer = (sql: string): UsedStatement => new DeferredStatement(() => compile(sql));
  database.prepare = defer as unknown as Database['prepare'];
}

class DeferredStatement implements UsedStatement {
  readonly #compile: () => UsedStatement;
  #statement: UsedStatement | null = null;
  #form: 'pluck' | 'raw' | null = null;

  constructor(compile: () => UsedStatement) {
    this.#compile = compile;
  }

  run(...parameters: unknown[]) {
    return this.#compiled().run(...parameters);
  }

  get(...parameters: unknown[]) {
    return this.#compiled().get(...parameters);
  }

  all(...parameters: unknown[]) {
    return this.#compiled().all(...parameters);
  }

  iterate(...parameters: unknown[]) {
    return this.#compiled().iterate(...parameters);
  }

  pluck(): UsedStatement {
    return this.#answerAs('pluck');
  }

  raw(): UsedStatement {
    return this.#answerAs('raw');
  }

  /** As in a compiled statement, it stays so. */
  #answerAs(form: 'pluck' | 'raw'): UsedStatement {
    this.#statement?.[form]();
    this.#form = form;
    return this;
  }

  /** Later calls go to the statement itself. */
  #compiled(): UsedStatement {
    const statement = (this.#statement = this.#compile());
    if (this.#form !== null) statement[this.#form]();
    this.run = statement.run.bind(statement);
    this.get = statement.get.bind(statement);
    this.all = statement.all.bind(statement);
    this.iterate = statement.iterate.bind(statement);
    return statement;
  }
}
