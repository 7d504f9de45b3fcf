import type { Database } from 'better-sqlite3';
import { transaction, type WritableDb } from '../../sql.ts';
import { clearMentions, replaceMentions } from './mentions.ts';
import { ModelDictionary } from './model-dictionary.ts';
import { aliases } from '../model-statuses.ts';
import type { NamedModel } from './model-names.ts';
import type { Properties } from '../../database/properties.ts';

/** Approximate number of items per step: some 15 ms of work. */
const STEP_ITEMS = 500;
/** In characters: longer display names are cut. */
const LONGEST_DISPLAY_NAME = 200;

interface NamingItem {
  key: number;
  id: string;
  title: string;
  original_title: string | null;
  summary: string | null;
  reason: string | null;
}

interface MentionTables {
  /** The properties of mirror.db. */
  mirror: Properties;
}

/**
 * Finds the models that items name. Each step takes complete writes after its watermark, so it can stop and resume
 * after any step. When the names change, all items are matched again; until then each keeps its old mentions. A
 * withdrawal deletes the mentions of its item.
 */
export class MentionIndexer {
  readonly #database: Database;
  readonly #properties: Properties;
  readonly #models;
  readonly #target;
  readonly #items;
  #owner: string;
  /** Null if it must be read again. */
  #dictionary: ModelDictionary | null = null;

  /**
   * @param database the writer's connection
   * @param owner the name of the gateway whose models to find; '' for none
   */
  constructor(database: Database, { mirror }: MentionTables, owner: string) {
    this.#database = database;
    this.#owner = owner;
    this.#properties = mirror;
    this.#models = database.prepare<[number, string], NamedModel>(
      `SELECT id, CASE WHEN json_valid(body) AND json_type(body, '$.name') = 'text' THEN substr(body ->> '$.name', 1, ?) ELSE id END AS name
       FROM models.model WHERE owner = ?`,
    );
    this.#target = database
      .prepare<[number, number], number>('SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?')
      .pluck();
    this.#items = database.prepare<[number, number], NamingItem>(
      'SELECT key, id, title, original_title, summary, reason FROM item WHERE changed > ? AND changed <= ?',
    );
  }

  /** Call it when models, aliases or the gateway changed: the next step reads the names again. */
  namesChanged(owner: string): void {
    this.#owner = owner;
    this.#dictionary = null;
  }

  /** Matches the next writes and returns the ids of items whose mentions changed; null when up to date. */
  step(): string[] | null {
    if (this.#dictionary === null) return this.#adopt(this.#read());
    return this.#matchNext(this.#dictionary);
  }

  #read(): ModelDictionary {
    return new ModelDictionary(this.#models.all(LONGEST_DISPLAY_NAME, this.#owner), aliases(this.#database));
  }

  /** Starts with a new dictionary. Without names nothing is matched, so loading items costs nothing here. */
  #adopt(dictionary: ModelDictionary): string[] {
    const hash = dictionary.isEmpty ? null : dictionary.hash;
    const isOther = hash !== this.#properties.get('mentions_dictionary');
    const changed = this.#write((db) => {
      this.#put('mentions_owner', dictionary.isEmpty ? null : this.#owner);
      this.#put('mentions_dictionary', hash);
      if (isOther) this.#put('mentions_watermark', null);
      return dictionary.isEmpty ? clearMentions(db) : [];
    });
    this.#dictionary = dictionary;
    return changed;
  }

  #matchNext(dictionary: ModelDictionary): string[] | null {
    const from = this.#properties.number('mentions_watermark');
    const sequence = this.#properties.number('sequence');
    if (dictionary.isEmpty || from === sequence) return null;
    const to = this.#target.get(from, STEP_ITEMS - 1) ?? sequence;
    return this.#write((db) => {
      const changed = this.#items
        .all(from, to)
        .filter(({ key, ...item }) =>
          replaceMentions(db, key, dictionary.modelsIn([item.title, item.original_title, item.summary, item.reason])),
        );
      this.#put('mentions_watermark', to);
      return changed.map(({ id }) => id);
    });
  }

  #write<T>(work: (db: WritableDb) => T): T {
    return transaction(this.#database, work);
  }

  /** Saves a property if its value is different. */
  #put(name: string, value: string | number | null): void {
    if (this.#properties.get(name) !== (value === null ? null : String(value))) this.#properties.set(name, value);
  }
}
