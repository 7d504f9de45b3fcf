import { nameKey } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Workload } from '../../contract/model/model.ts';
import { MAX_WORKLOADS, type ValueOf } from '../../contract/records.ts';
import { get, hasRoom, list, set, setAll } from '../records.ts';
import { value, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

export interface Alias {
  alias: string;
  model: string;
}

type SavedWorkload = Required<Workload>;

const LAST_WORKLOAD = "SELECT max(CAST(id AS INTEGER)) FROM user.record WHERE service = 0 AND kind = 'workload'";

export function favourites(db: Db): Map<string, number> {
  return new Map(list(db, 'favourite'));
}

/** By model, each in the reader's order. */
export function aliases(db: Db): Alias[] {
  return list(db, 'alias')
    .map(([, alias]) => alias)
    .sort((one, other) => compare(one.model, other.model) || one.position - other.position)
    .map(({ alias, model }) => ({ alias, model }));
}

export function aliasesOf(db: Db, id: string): string[] {
  return aliases(db)
    .filter(({ model }) => model === id)
    .map(({ alias }) => alias);
}

/** Ignores case. Errors: `invalid_argument`, with the name of another model that has the alias. */
export function setAliases(tx: Tx, id: string, wanted: readonly string[]): void {
  const words = new Map<string, string>();
  for (const alias of wanted.map((word) => word.trim())) {
    const folded = nameKey(alias);
    if (folded !== '' && !words.has(folded)) words.set(folded, alias);
  }
  for (const [folded, alias] of words) refuseTaken(tx.db, folded, alias, id);
  const dropped = list(tx.db, 'alias').filter(([folded, { model }]) => model === id && !words.has(folded));
  setAll(tx, 'alias', [
    ...dropped.map(([folded]): [string, null] => [folded, null]),
    ...[...words].map(([folded, alias], position): [string, ValueOf<'alias'>] => [
      folded,
      { alias, model: id, position },
    ]),
  ]);
}

/** In order of creation. */
export function workloads(db: Db): SavedWorkload[] {
  return list(db, 'workload')
    .map(([id, { createdAt, ...workload }]) => ({ createdAt, workload: { id: Number(id), ...workload } }))
    .sort((one, other) => one.createdAt - other.createdAt || one.workload.id - other.workload.id)
    .map(({ workload }) => workload);
}

/** Errors: `invalid_argument` for a taken name or too many, `not_found` for another id. */
export function saveWorkload(tx: Tx, { id, ...given }: Workload, now: number): void {
  const { db } = tx;
  const name = given.name.trim();
  const namesake = workloads(db).find((one) => one.id !== id && nameKey(one.name) === nameKey(name));
  if (namesake) {
    throw new BroadsheetError(
      'invalid_argument',
      `A workload named “${namesake.name}” already exists. Choose another name, or edit that workload.`,
    );
  }
  const key = String(id ?? nextWorkloadId(db, now));
  const here = get(db, 'workload', key);
  if (id !== undefined && !here) {
    throw new BroadsheetError('not_found', 'This workload was removed. Save it as a new workload.');
  }
  const workload = { ...given, name, createdAt: here?.createdAt ?? now };
  if (!hasRoom(db, 'workload', key, workload)) throw tooManyWorkloads();
  set(tx, 'workload', key, workload);
}

export function removeWorkload(tx: Tx, id: number): void {
  set(tx, 'workload', String(id), null);
}

/** The id of a removed workload is not reused: an open page may still refer to it. */
function nextWorkloadId(db: Db, now: number): number {
  return Math.max(now, 1 + (value<number | null>(db, LAST_WORKLOAD) ?? 0));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function refuseTaken(db: Db, folded: string, alias: string, id: string): void {
  const owner = get(db, 'alias', folded)?.model ?? id;
  if (owner === id) return;
  throw new BroadsheetError(
    'invalid_argument',
    `The model ${owner} already has the alias “${alias}”. Remove it there first, or choose another alias.`,
  );
}

function tooManyWorkloads(): BroadsheetError {
  const words = `There are already ${String(MAX_WORKLOADS)} workloads. Remove one of them first.`;
  return new BroadsheetError('invalid_argument', words);
}
