import type { Database } from 'better-sqlite3';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import { readOrNull } from '../database/stored-json.ts';
import type { ModelLoss } from './model-losses.ts';

/** A complete model list from a gateway. */
export interface FetchedModelList {
  /** The name of the gateway: `catalogueName` of its source. */
  owner: string;
  modelList: ModelListName;
  /** In the gateway's order. */
  records: readonly ModelRecord[];
  /** Set if it has records whose ids can't be read: then the saved models that it lacks stay. */
  hidesIds?: boolean;
  /** The ETag of the response; null without one, or if the list came in several responses. */
  validator: string | null;
  /** The part of the API key that may be shown; null without a key. */
  keyEnding: string | null;
}

/** A fetched list that waits for the reader's decision. */
export interface HeldList extends ModelLoss {
  /** When the doubt began, in ms since 1970. */
  at: number;
}

interface HeldRow {
  at: number;
  of: ModelLoss['of'];
  saved: number;
  kept: number;
  hash: string;
  records: string;
  etag: string | null;
  key_ending: string | null;
}

/** The table `held_list` of models.db (docs/decisions/148). Write within a transaction. */
export class HeldListsTable {
  readonly #database: Database;
  readonly #held;
  readonly #hold;
  readonly #release;

  constructor(database: Database) {
    this.#database = database;
    this.#held = database.prepare<[string, string], HeldRow>(
      `SELECT at, of, saved, kept, hash, records, etag, key_ending
       FROM models.held_list WHERE owner = ? AND model_list = ?`,
    );
    this.#hold = database.prepare(
      `INSERT OR REPLACE INTO models.held_list (owner, model_list, at, of, saved, kept, hash, records, etag, key_ending)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#release = database.prepare('DELETE FROM models.held_list WHERE owner = ? AND model_list = ?');
  }

  /** Null if no list is held. */
  get(owner: string, modelList: ModelListName): HeldList | null {
    const held = this.#held.get(owner, modelList);
    return held ? { of: held.of, at: held.at, saved: held.saved, kept: held.kept } : null;
  }

  /** The held list as it was fetched; null without one that can be read. */
  fetched(owner: string, modelList: ModelListName): FetchedModelList | null {
    const held = this.#held.get(owner, modelList);
    if (!held) return null;
    const records = readOrNull(this.#database, () => JSON.parse(held.records) as ModelRecord[]);
    return records && { owner, modelList, records, validator: held.etag, keyEnding: held.key_ending };
  }

  /** Returns the held list's ETag and the key that it was requested with; undefined without a held list. */
  terms(owner: string, modelList: ModelListName): { etag: string | null; keyEnding: string | null } | undefined {
    const held = this.#held.get(owner, modelList);
    return held && { etag: held.etag, keyEnding: held.key_ending };
  }

  /** Holds a list in place of an earlier one. The doubt began with the first. `now` is ms since 1970. */
  hold(fetched: FetchedModelList, loss: ModelLoss, hash: string, now: number): void {
    const { owner, modelList, records, validator, keyEnding } = fetched;
    const earlier = this.#held.get(owner, modelList);
    if (earlier?.hash === hash && earlier.etag === validator && earlier.at <= now) return;
    // A later time than now is of a clock that was set back.
    const at = Math.min(earlier?.at ?? now, now);
    const { of, saved, kept } = loss;
    this.#hold.run(owner, modelList, at, of, saved, kept, hash, JSON.stringify(records), validator, keyEnding);
  }

  /** Forgets a held list: it was accepted, or a plausible one came. */
  release(owner: string, modelList: ModelListName): void {
    if (this.#held.get(owner, modelList)) this.#release.run(owner, modelList);
  }
}
