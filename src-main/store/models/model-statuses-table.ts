import type { Database } from 'better-sqlite3';
import { nameKey } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Workload } from '../../contract/model/model.ts';

/** A word by which news items match a model. */
export interface Alias {
  alias: string;
  model: string;
}

/** More than a person compares; the page shows all of them in one list. */
export const MOST_WORKLOADS = 100;

type SavedWorkload = Required<Workload>;

/** The reader's data about models in user.db: favourites, aliases, workloads. Write within a transaction. */
export class ModelStatusesTable {
  readonly #favourites;
  readonly #addFavourite;
  readonly #removeFavourite;
  readonly #aliases;
  readonly #aliasesOf;
  readonly #owner;
  readonly #addAlias;
  readonly #clearAliases;
  readonly #workloads;
  readonly #namesake;
  readonly #addWorkload;
  readonly #changeWorkload;
  readonly #removeWorkload;

  constructor(database: Database) {
    this.#favourites = database.prepare<[], { model: string; at: number }>(
      'SELECT model, at FROM user.model_favourite',
    );
    this.#addFavourite = database.prepare<[string, number]>(
      'INSERT INTO user.model_favourite (model, at) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#removeFavourite = database.prepare<[string]>('DELETE FROM user.model_favourite WHERE model = ?');
    this.#aliases = database.prepare<[], Alias>('SELECT alias, model FROM user.model_alias ORDER BY model, position');
    this.#aliasesOf = database
      .prepare<[string], string>('SELECT alias FROM user.model_alias WHERE model = ? ORDER BY position')
      .pluck();
    this.#owner = database
      .prepare<[string, string], string>('SELECT model FROM user.model_alias WHERE folded = ? AND model <> ?')
      .pluck();
    this.#addAlias = database.prepare<[string, string, string, number]>(
      'INSERT INTO user.model_alias (folded, alias, model, position) VALUES (?, ?, ?, ?)',
    );
    this.#clearAliases = database.prepare<[string]>('DELETE FROM user.model_alias WHERE model = ?');
    this.#workloads = database.prepare<[], SavedWorkload>(
      `SELECT id, name, tokens_in AS tokensIn, tokens_out AS tokensOut, tokens_cached AS tokensCached,
              requests_a_month AS requestsAMonth
       FROM user.workload ORDER BY id`,
    );
    this.#namesake = database
      .prepare<[string, number], string>('SELECT name FROM user.workload WHERE folded = ? AND id <> ?')
      .pluck();
    this.#addWorkload = database.prepare<(string | number)[]>(
      `INSERT INTO user.workload (name, folded, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#changeWorkload = database.prepare<(string | number)[]>(
      `UPDATE user.workload SET name = ?, folded = ?, tokens_in = ?, tokens_out = ?, tokens_cached = ?,
              requests_a_month = ?
       WHERE id = ?`,
    );
    this.#removeWorkload = database.prepare<[number]>('DELETE FROM user.workload WHERE id = ?');
  }

  /** The time of each favourite in ms since 1970, by model id. */
  favourites(): Map<string, number> {
    return new Map(this.#favourites.all().map(({ model, at }) => [model, at]));
  }

  /** Returns true if it changed. `now` is ms since 1970. */
  favourite(id: string, on: boolean, now: number): boolean {
    const run = on ? this.#addFavourite.run(id, now) : this.#removeFavourite.run(id);
    return run.changes === 1;
  }

  aliases(): Alias[] {
    return this.#aliases.all();
  }

  /** In the reader's order. */
  aliasesOf(id: string): string[] {
    return this.#aliasesOf.all(id);
  }

  /**
   * Replaces the aliases of a model; words that differ only in case count as one. Errors: `invalid_argument`, with the
   * name of another model that has the alias.
   */
  setAliases(id: string, aliases: readonly string[]): void {
    const words = new Map<string, string>();
    for (const alias of aliases.map((word) => word.trim())) {
      const folded = nameKey(alias);
      if (folded !== '' && !words.has(folded)) words.set(folded, alias);
    }
    for (const [folded, alias] of words) this.#refuseTaken(folded, alias, id);
    this.#clearAliases.run(id);
    [...words].forEach(([folded, alias], position) => this.#addAlias.run(folded, alias, id, position));
  }

  /** In order of creation. */
  workloads(): SavedWorkload[] {
    return this.#workloads.all();
  }

  /**
   * Adds a workload, or changes the one with this id. Errors: `invalid_argument` if another workload has the name or if
   * there are {@link MOST_WORKLOADS}, `not_found` for an unknown id.
   */
  saveWorkload({ id, ...workload }: Workload, now: number): void {
    const name = workload.name.trim();
    const folded = nameKey(name);
    const namesake = this.#namesake.get(folded, id ?? 0);
    if (namesake !== undefined) {
      throw new BroadsheetError(
        'invalid_argument',
        `A workload named “${namesake}” already exists. Choose another name, or edit that workload.`,
      );
    }
    const { tokensIn, tokensOut, tokensCached, requestsAMonth } = workload;
    const values = [name, folded, tokensIn, tokensOut, tokensCached, requestsAMonth];
    if (id === undefined) {
      if (this.#workloads.all().length >= MOST_WORKLOADS) throw tooManyWorkloads();
      this.#addWorkload.run(...values, now);
      return;
    }
    const { changes } = this.#changeWorkload.run(...values, id);
    if (changes === 0) throw new BroadsheetError('not_found', 'This workload was removed. Save it as a new workload.');
  }

  /** Removes a workload, if it exists. */
  removeWorkload(id: number): void {
    this.#removeWorkload.run(id);
  }

  #refuseTaken(folded: string, alias: string, id: string): void {
    const owner = this.#owner.get(folded, id);
    if (owner === undefined) return;
    throw new BroadsheetError(
      'invalid_argument',
      `The model ${owner} already has the alias “${alias}”. Remove it there first, or choose another alias.`,
    );
  }
}

function tooManyWorkloads(): BroadsheetError {
  const words = `There are already ${String(MOST_WORKLOADS)} workloads. Remove one of them first.`;
  return new BroadsheetError('invalid_argument', words);
}
