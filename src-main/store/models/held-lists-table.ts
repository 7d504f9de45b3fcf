import type { Database } from 'better-sqlite3';
import { createHash } from 'node:crypto';
import type { ModelListName } from '../../contract/model/resource.ts';

/** How far apart two agreeing answers must be. A gateway that is being rebuilt may be wrong for some time. */
export const CONFIRMED_AFTER_MS = 30 * 60_000;
/** The share of the saved models that an answer may lack and still be believed at once. */
const MOST_LOST = 1 / 2;

/** An answer that waits for a second one that agrees. */
export interface HeldList {
  /** The number of its models. */
  count: number;
  /** When it first came, in ms since 1970. */
  at: number;
  /** The number of saved models. */
  saved: number;
}

interface Answer {
  owner: string;
  modelList: ModelListName;
  /** The ids of its models. */
  ids: ReadonlySet<string>;
}

/** The table `held_list` of models.db (docs/decisions/037). Write within a transaction. */
export class HeldListsTable {
  readonly #held;
  readonly #hold;
  readonly #release;

  constructor(database: Database) {
    this.#held = database.prepare<[string, string], HeldList & { ids: string }>(
      `SELECT ids, held_list.count, at, model_list.count AS saved
       FROM models.held_list JOIN models.model_list USING (owner, model_list) WHERE owner = ? AND model_list = ?`,
    );
    this.#hold = database.prepare(
      'INSERT OR REPLACE INTO models.held_list (owner, model_list, ids, count, at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#release = database.prepare('DELETE FROM models.held_list WHERE owner = ? AND model_list = ?');
  }

  /** Null if no answer is held. */
  get(owner: string, modelList: ModelListName): HeldList | null {
    const held = this.#held.get(owner, modelList);
    return held ? { count: held.count, at: held.at, saved: held.saved } : null;
  }

  /**
   * Whether an answer is to be applied: it keeps at least half of the `saved` ids, or another one with the same models came
   * long enough ago. Otherwise it is held. `now` is ms since 1970.
   */
  isBelieved(answer: Answer, saved: readonly string[], now: number): boolean {
    const { owner, modelList, ids } = answer;
    const lost = saved.filter((id) => !ids.has(id)).length;
    const held = this.#held.get(owner, modelList);
    const isPlausible = lost <= saved.length * MOST_LOST;
    const hash = isPlausible ? '' : hashOf(ids);
    const isConfirmed = held?.ids === hash && now - held.at >= CONFIRMED_AFTER_MS;
    if (isPlausible || isConfirmed) {
      this.release(owner, modelList);
      return true;
    }
    // A later time than now is of a clock that was set back.
    if (held?.ids !== hash || held.at > now) this.#hold.run(owner, modelList, hash, ids.size, now);
    return false;
  }

  /** Forgets a held answer, because the saved list was confirmed. */
  release(owner: string, modelList: ModelListName): void {
    if (this.#held.get(owner, modelList)) this.#release.run(owner, modelList);
  }
}

/** Equal for the same ids in any order. */
function hashOf(ids: ReadonlySet<string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...ids].sort()))
    .digest('base64url');
}
