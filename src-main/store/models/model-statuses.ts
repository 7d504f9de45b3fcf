import { nameKey } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Workload } from '../../contract/model/model.ts';
import { list } from '../records.ts';
import { rows, run, value, values, type Db, type WritableDb } from '../sql.ts';

export interface Alias {
  alias: string;
  model: string;
}

/** More than a person compares; the page shows all in one list. */
export const MAX_WORKLOADS = 100;

type SavedWorkload = Required<Workload>;

export function favourites(db: Db): Map<string, number> {
  return new Map(list(db, 'favourite'));
}

export function aliases(db: Db): Alias[] {
  return rows<Alias>(db, 'SELECT alias, model FROM user.model_alias ORDER BY model, position');
}

export function aliasesOf(db: Db, id: string): string[] {
  return values<string>(db, 'SELECT alias FROM user.model_alias WHERE model = ? ORDER BY position', id);
}

/** Ignores case. Errors: `invalid_argument`, with the name of another model that has the alias. */
export function setAliases(db: WritableDb, id: string, wanted: readonly string[]): void {
  const words = new Map<string, string>();
  for (const alias of wanted.map((word) => word.trim())) {
    const folded = nameKey(alias);
    if (folded !== '' && !words.has(folded)) words.set(folded, alias);
  }
  for (const [folded, alias] of words) refuseTaken(db, folded, alias, id);
  run(db, 'DELETE FROM user.model_alias WHERE model = ?', id);
  [...words].forEach(([folded, alias], position) => {
    run(
      db,
      'INSERT INTO user.model_alias (folded, alias, model, position) VALUES (?, ?, ?, ?)',
      ...[folded, alias, id, position],
    );
  });
}

export function workloads(db: Db): SavedWorkload[] {
  return rows<SavedWorkload>(
    db,
    `SELECT id, name, tokens_in AS tokensIn, tokens_out AS tokensOut, tokens_cached AS tokensCached,
            requests_a_month AS requestsAMonth
     FROM user.workload ORDER BY id`,
  );
}

/** Errors: `invalid_argument` for a taken name or too many, `not_found` for another id. */
export function saveWorkload(db: WritableDb, { id, ...workload }: Workload, now: number): void {
  const name = workload.name.trim();
  const folded = nameKey(name);
  const namesake = value<string>(db, 'SELECT name FROM user.workload WHERE folded = ? AND id <> ?', folded, id ?? 0);
  if (namesake !== undefined) {
    throw new BroadsheetError(
      'invalid_argument',
      `A workload named “${namesake}” already exists. Choose another name, or edit that workload.`,
    );
  }
  const { tokensIn, tokensOut, tokensCached, requestsAMonth } = workload;
  const fields = [name, folded, tokensIn, tokensOut, tokensCached, requestsAMonth];
  if (id === undefined) {
    if (workloads(db).length >= MAX_WORKLOADS) throw tooManyWorkloads();
    run(
      db,
      `INSERT INTO user.workload (name, folded, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...fields,
      now,
    );
    return;
  }
  const { changes } = run(
    db,
    `UPDATE user.workload SET name = ?, folded = ?, tokens_in = ?, tokens_out = ?, tokens_cached = ?,
            requests_a_month = ?
     WHERE id = ?`,
    ...fields,
    id,
  );
  if (changes === 0) throw new BroadsheetError('not_found', 'This workload was removed. Save it as a new workload.');
}

export function removeWorkload(db: WritableDb, id: number): void {
  run(db, 'DELETE FROM user.workload WHERE id = ?', id);
}

function refuseTaken(db: Db, folded: string, alias: string, id: string): void {
  const owner = value<string>(db, 'SELECT model FROM user.model_alias WHERE folded = ? AND model <> ?', folded, id);
  if (owner === undefined) return;
  throw new BroadsheetError(
    'invalid_argument',
    `The model ${owner} already has the alias “${alias}”. Remove it there first, or choose another alias.`,
  );
}

function tooManyWorkloads(): BroadsheetError {
  const words = `There are already ${String(MAX_WORKLOADS)} workloads. Remove one of them first.`;
  return new BroadsheetError('invalid_argument', words);
}
