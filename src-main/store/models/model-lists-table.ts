import type { Database } from 'better-sqlite3';
import { createHash } from 'node:crypto';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { ModelChange, ModelRecord } from '../../contract/model/model.ts';
import type { ChangeLogTable } from './change-log-table.ts';
import type { FetchedModelList, HeldListsTable } from './held-lists-table.ts';
import { modelChanges } from './model-list-diff.ts';
import { lossOf } from './model-losses.ts';
import { readRecord, recordOf, type ModelRow } from './model-records.ts';

/** The differences from the previous list: models added, changed in any way, and removed. */
export interface ModelListChange {
  added: number;
  revised: number;
  withdrawn: number;
}

interface ModelListRow {
  hash: string;
  key_ending: string | null;
}

interface StoredRow extends ModelRow {
  position: number;
  first_seen_at: number;
}

/** A model of a fetched list with its saved row. */
interface Pair extends ModelRow {
  position: number;
  stored: StoredRow | undefined;
}

/**
 * The tables `model_list`, `model` and `gone` of models.db. Changes go into the change log, and implausible lists wait among
 * the held ones. Write within a transaction.
 */
export class ModelListsTable {
  readonly #database: Database;
  readonly #log: ChangeLogTable;
  readonly #held: HeldListsTable;
  readonly #modelList;
  readonly #saveModelList;
  readonly #confirm;
  readonly #etag;
  readonly #rows;
  readonly #add;
  readonly #revise;
  readonly #remove;
  readonly #addGone;
  readonly #removeGone;
  readonly #pruneGone;

  constructor(database: Database, log: ChangeLogTable, held: HeldListsTable) {
    this.#database = database;
    this.#log = log;
    this.#held = held;
    this.#modelList = database.prepare<[string, string], ModelListRow>(
      'SELECT hash, key_ending FROM models.model_list WHERE owner = ? AND model_list = ?',
    );
    this.#saveModelList = database.prepare(
      `INSERT OR REPLACE INTO models.model_list (owner, model_list, etag, hash, key_ending, stored_at, count)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#confirm = database.prepare<(string | null)[]>(
      `UPDATE models.model_list SET etag = ?, key_ending = ?
       WHERE owner = ? AND model_list = ? AND (etag, key_ending) IS NOT (?, ?)`,
    );
    this.#etag = database
      .prepare<[string, string, string | null], string | null>(
        'SELECT etag FROM models.model_list WHERE owner = ? AND model_list = ? AND key_ending IS ?',
      )
      .pluck();
    this.#rows = database.prepare<[string, string], StoredRow>(
      'SELECT id, position, first_seen_at, body FROM models.model WHERE owner = ? AND model_list = ? ORDER BY position DESC',
    );
    this.#add = database.prepare(
      'INSERT INTO models.model (owner, model_list, id, position, first_seen_at, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#revise = database.prepare(
      'UPDATE models.model SET position = ?, body = ? WHERE owner = ? AND model_list = ? AND id = ?',
    );
    this.#remove = database.prepare('DELETE FROM models.model WHERE owner = ? AND model_list = ? AND id = ?');
    this.#addGone = database.prepare(
      'INSERT OR REPLACE INTO models.gone (owner, model_list, id, first_seen_at, at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#removeGone = database
      .prepare<[string, string, string], number>(
        'DELETE FROM models.gone WHERE owner = ? AND model_list = ? AND id = ? RETURNING first_seen_at',
      )
      .pluck();
    this.#pruneGone = database.prepare('DELETE FROM models.gone WHERE owner = ? AND model_list = ? AND at < ?');
  }

  /**
   * Replaces a saved model list as {@link replace} does, unless the fetched one lacks too much of it: then it is held until
   * the reader accepts it or a plausible one comes, and null is returned. Another key may list other models, so its list is
   * believed at once. A list that hides ids proves no absence. `now` is ms since 1970.
   */
  receive(list: FetchedModelList, now: number, expiryTime = now): ModelListChange | null {
    const fetched = list.hidesIds ? this.#withLacked(list) : list;
    const { owner, modelList, keyEnding, records } = fetched;
    const stored = this.#modelList.get(owner, modelList);
    if (stored?.key_ending === keyEnding) {
      const hash = hashOf(bodiesOf(records).values());
      const loss = stored.hash === hash ? null : lossOf(this.#records(owner, modelList), records);
      if (loss) {
        this.#held.hold(fetched, loss, hash, now);
        return null;
      }
    }
    this.#held.release(owner, modelList);
    return this.replace(fetched, now, expiryTime);
  }

  /** Replaces a saved model list by the held one, as the reader decided; null if none is held. Times are ms since 1970. */
  accept(owner: string, modelList: ModelListName, now: number, expiryTime = now): ModelListChange | null {
    const fetched = this.#held.fetched(owner, modelList);
    if (!fetched) return null;
    this.#held.release(owner, modelList);
    return this.replace(fetched, now, expiryTime);
  }

  /**
   * Replaces a saved model list, and saves the differences as one refresh of the change log, except for a first list.
   * Identical rows are not written. What has expired at `expiryTime` is deleted. Times are ms since 1970.
   */
  replace(fetched: FetchedModelList, now: number, expiryTime = now): ModelListChange {
    const { owner, modelList, validator, keyEnding } = fetched;
    const stored = this.#modelList.get(owner, modelList);
    const bodies = bodiesOf(fetched.records);
    const hash = hashOf(bodies.values());
    if (stored?.hash === hash) {
      this.#confirm.run(validator, keyEnding, owner, modelList, validator, keyEnding);
      return { added: 0, revised: 0, withdrawn: 0 };
    }
    const before = this.#rows.all(owner, modelList);
    const pairs = pairsOf(bodies, before);
    const withdrawn = before.filter(({ id }) => !bodies.has(id));
    if (stored) {
      const otherKey = stored.key_ending !== keyEnding;
      const changes = this.#changesOf(pairs, withdrawn, now);
      this.#log.add({ owner, modelList, at: now, otherKey, changes }, expiryTime);
    }
    this.#saveModelList.run(owner, modelList, validator, hash, keyEnding, now, bodies.size);
    for (const row of withdrawn) this.#withdraw(fetched, row, now);
    for (const pair of pairs) this.#put(fetched, pair, now);
    this.#pruneGone.run(owner, modelList, this.#log.keptSince(expiryTime));
    return {
      added: pairs.filter((pair) => !pair.stored).length,
      revised: pairs.filter((pair) => pair.stored && pair.stored.body !== pair.body).length,
      withdrawn: withdrawn.length,
    };
  }

  /**
   * The ETag of the list that was fetched last, held or saved, if there is one for this key. Lists differ by key, so an ETag
   * holds for one key only.
   */
  validator(owner: string, modelList: ModelListName, keyEnding: string | null): string | undefined {
    const held = this.#held.terms(owner, modelList);
    if (held) return (held.keyEnding === keyEnding && held.etag) || undefined;
    return this.#etag.get(owner, modelList, keyEnding) ?? undefined;
  }

  /** A list and the saved models that it lacks. */
  #withLacked(list: FetchedModelList): FetchedModelList {
    const listed = new Set(list.records.map(({ id }) => id.toWellFormed()));
    const lacked = this.#records(list.owner, list.modelList).filter(({ id }) => !listed.has(id.toWellFormed()));
    return { ...list, records: [...list.records, ...lacked] };
  }

  #records(owner: string, modelList: ModelListName): ModelRecord[] {
    return this.#rows.all(owner, modelList).map((row) => recordOf(this.#database, row));
  }

  /**
   * Skips identical models, which are most of them, without parsing. Nobody knows whether a model was another one whose saved
   * record can't be read.
   */
  #changesOf(pairs: readonly Pair[], withdrawn: readonly StoredRow[], now: number): ModelChange[] {
    const before = withdrawn.map((row) => recordOf(this.#database, row));
    const after: ModelRecord[] = [];
    for (const pair of pairs) {
      if (pair.stored?.body === pair.body) continue;
      const known = pair.stored && readRecord(this.#database, pair.stored);
      if (known === null) continue;
      if (known) before.push(known);
      after.push(recordOf(this.#database, pair));
    }
    return modelChanges(before, after, now);
  }

  #put({ owner, modelList }: FetchedModelList, { id, body, position, stored }: Pair, now: number): void {
    if (!stored) this.#add.run(owner, modelList, id, position, this.#removeGone.get(owner, modelList, id) ?? now, body);
    else if (stored.body !== body || stored.position !== position)
      this.#revise.run(position, body, owner, modelList, id);
  }

  #withdraw({ owner, modelList }: FetchedModelList, { id, first_seen_at: firstSeenAt }: StoredRow, now: number): void {
    this.#remove.run(owner, modelList, id);
    this.#addGone.run(owner, modelList, id, firstSeenAt, now);
  }
}

/**
 * JSON by id; the first of two records with the same id counts. SQLite stores no lone surrogates, so ids are made
 * well-formed too.
 */
function bodiesOf(records: readonly ModelRecord[]): Map<string, string> {
  const bodies = new Map<string, string>();
  for (const record of records) {
    const id = record.id.toWellFormed();
    if (!bodies.has(id)) bodies.set(id, JSON.stringify(record));
  }
  return bodies;
}

function hashOf(bodies: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const body of bodies) hash.update(body).update('\n');
  return hash.digest('base64url');
}

/** Numbers positions from the end and keeps saved ones where possible: gateways list new models first. */
function pairsOf(bodies: ReadonlyMap<string, string>, before: readonly StoredRow[]): Pair[] {
  const rows = new Map(before.map((row) => [row.id, row]));
  let position = 0;
  const fromTheEnd = [...bodies].toReversed().map(([id, body]) => {
    const stored = rows.get(id);
    position = Math.max(position + 1, stored?.position ?? 0);
    return { id, body, position, stored };
  });
  return fromTheEnd.toReversed();
}
