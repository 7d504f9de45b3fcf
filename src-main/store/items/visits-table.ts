import type { Database } from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import type { SinceLastVisit } from '../../contract/model/visit.ts';
import { keyAt, LONGEST_DELAY } from './time-key.ts';
import { asTime } from '../../common/timestamp.ts';
import type { Properties } from '../database/properties.ts';

/** An item that returned doesn't count as withdrawn, nor one that was hidden. */
export const WITHDRAWN = `WHERE sequence > ? AND muted = 0 AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = withdrawal.id)`;

const NOTHING = { added: 0, older: 0, revised: 0 };

export interface Visit {
  sequence: number;
  at: number;
}

/** Items with a lower key that were added since the visit are older ones, and no news. */
export function oldKey({ at }: Visit): number {
  return keyAt(at - LONGEST_DELAY);
}

/**
 * Up to which write of the mirror the reader is up to date, and what changed since. Visits are saved in user.db by
 * service name. Each holds for one build of the mirror only, because a rebuilt mirror numbers its writes from the
 * start.
 */
export class VisitsTable {
  readonly #properties: Properties;
  readonly #get;
  readonly #put;
  readonly #added;
  readonly #addedSelected;
  readonly #older;
  readonly #olderSelected;
  readonly #revised;
  readonly #withdrawn;

  /** @param mirror the properties of the mirror */
  constructor(database: Database, mirror: Properties) {
    this.#properties = mirror;
    this.#get = database.prepare<[string, string], Visit>(
      'SELECT sequence, at FROM user.visit WHERE mirror = ? AND build = ?',
    );
    this.#put = database.prepare<[string, string, number, number]>(
      'INSERT OR REPLACE INTO user.visit (mirror, build, sequence, at) VALUES (?, ?, ?, ?)',
    );
    this.#added = database
      .prepare<[number], number>('SELECT count(*) FROM item_index WHERE added > ? AND muted = 0')
      .pluck();
    this.#addedSelected = database
      .prepare<[number], number>('SELECT count(*) FROM item_index WHERE added > ? AND generation > 0 AND muted = 0')
      .pluck();
    this.#older = database
      .prepare<[number, number], number>('SELECT count(*) FROM item_index WHERE added > ? AND key < ? AND muted = 0')
      .pluck();
    this.#olderSelected = database
      .prepare<[number, number], number>(
        'SELECT count(*) FROM item_index WHERE added > ? AND key < ? AND generation > 0 AND muted = 0',
      )
      .pluck();
    this.#revised = database.prepare<[number, number], { everything: number; selected: number }>(
      `SELECT count(DISTINCT revision.key) AS everything,
         count(DISTINCT CASE WHEN generation > 0 THEN revision.key END) AS selected
       FROM revision JOIN item_index USING (key)
       WHERE revision.sequence > ? AND item_index.added <= ? AND muted = 0`,
    );
    this.#withdrawn = database
      .prepare<[number], number>(`SELECT count(DISTINCT id) FROM withdrawal ${WITHDRAWN}`)
      .pluck();
  }

  /** Within a transaction: gives a new mirror its build id. */
  nameBuild(): void {
    if (this.#properties.get('build') === null) this.#properties.set('build', randomUUID());
  }

  /** The last visit; null before the first one or after the mirror was rebuilt. */
  get last(): Visit | null {
    const visit = this.#get.get(this.#mirror, this.#build);
    // An older copy of the mirror may have been restored.
    return visit && visit.sequence <= this.#sequence ? visit : null;
  }

  /** Within a transaction: everything written so far counts as seen. */
  end(now: number): void {
    this.#put.run(this.#mirror, this.#build, this.#sequence, now);
  }

  /** Counts each item once: an item added since the visit is new, even if it was also revised. */
  sinceLast(): SinceLastVisit {
    const visit = this.last;
    if (!visit) return { since: null, ...NOTHING, withdrawn: 0, selected: NOTHING };
    const { sequence, at } = visit;
    const older = this.#older.get(sequence, oldKey(visit)) ?? 0;
    const olderSelected = this.#olderSelected.get(sequence, oldKey(visit)) ?? 0;
    const revised = this.#revised.get(sequence, sequence);
    return {
      since: asTime(at),
      added: (this.#added.get(sequence) ?? 0) - older,
      older,
      revised: revised?.everything ?? 0,
      withdrawn: this.#withdrawn.get(sequence) ?? 0,
      selected: {
        added: (this.#addedSelected.get(sequence) ?? 0) - olderSelected,
        older: olderSelected,
        revised: revised?.selected ?? 0,
      },
    };
  }

  get #mirror(): string {
    return this.#properties.get('source') ?? '';
  }

  get #build(): string {
    return this.#properties.get('build') ?? '';
  }

  get #sequence(): number {
    return this.#properties.number('sequence');
  }
}
