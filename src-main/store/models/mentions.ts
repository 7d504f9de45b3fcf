import { mirrorProperties as mirror } from '../database/properties.ts';
import { rows, run, transaction, value, values, type Db, type WritableDb } from '../sql.ts';
import { ModelDictionary, type NamedModel } from './model-dictionary.ts';
import { aliases } from './model-statuses.ts';

/** Approximate number of items per step: some 15 ms of work. */
const STEP_ITEMS = 500;
const MAX_DISPLAY_NAME = 200; // characters

interface NamingItem {
  key: number;
  id: string;
  title: string;
  original_title: string | null;
  summary: string | null;
  reason: string | null;
}

/**
 * Each step takes complete writes after its watermark, so it can stop and resume after any step. When the names change,
 * all items are matched again; until then each keeps its old mentions.
 */
export class MentionIndexer {
  readonly #db: Db;
  #owner: string;
  #dictionary: ModelDictionary | null = null;

  /** @param owner the name of the gateway whose models to find; '' for none */
  constructor(db: Db, owner: string) {
    this.#db = db;
    this.#owner = owner;
  }

  /** Call it when models, aliases or the gateway changed. */
  namesChanged(owner: string): void {
    this.#owner = owner;
    this.#dictionary = null;
  }

  /** Returns the ids of items whose mentions changed; null when up to date. */
  step(): string[] | null {
    if (this.#dictionary) return matchNext(this.#db, this.#dictionary);
    const dictionary = readDictionary(this.#db, this.#owner);
    const changed = transaction(this.#db, (db) => adopt(db, dictionary, this.#owner));
    this.#dictionary = dictionary;
    return changed;
  }
}

function readDictionary(db: Db, owner: string): ModelDictionary {
  const models = rows<NamedModel>(
    db,
    `SELECT id, CASE WHEN json_valid(body) AND json_type(body, '$.name') = 'text' THEN substr(body ->> '$.name', 1, ?) ELSE id END AS name
     FROM models.model WHERE owner = ?`,
    ...[MAX_DISPLAY_NAME, owner],
  );
  return new ModelDictionary(models, aliases(db));
}

/** Without names nothing is matched, so loading items costs nothing here. */
function adopt(db: WritableDb, dictionary: ModelDictionary, owner: string): string[] {
  const hash = dictionary.isEmpty ? null : dictionary.hash;
  const isOther = hash !== mirror.get(db, 'mentions_dictionary');
  put(db, 'mentions_owner', dictionary.isEmpty ? null : owner);
  put(db, 'mentions_dictionary', hash);
  if (isOther) put(db, 'mentions_watermark', null);
  return dictionary.isEmpty ? clearMentions(db) : [];
}

function matchNext(db: Db, dictionary: ModelDictionary): string[] | null {
  const from = mirror.number(db, 'mentions_watermark');
  const sequence = mirror.number(db, 'sequence');
  if (dictionary.isEmpty || from === sequence) return null;
  const to =
    value<number>(
      db,
      'SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?',
      ...[from, STEP_ITEMS - 1],
    ) ?? sequence;
  return transaction(db, (writable) => {
    const items = rows<NamingItem>(
      writable,
      'SELECT key, id, title, original_title, summary, reason FROM item WHERE changed > ? AND changed <= ?',
      ...[from, to],
    );
    const changed = items.filter(({ key, title, original_title: original, summary, reason }) =>
      replaceMentions(writable, key, dictionary.modelsIn([title, original, summary, reason])),
    );
    put(writable, 'mentions_watermark', to);
    return changed.map(({ id }) => id);
  });
}

function put(db: WritableDb, name: string, to: string | number | null): void {
  if (mirror.get(db, name) !== (to === null ? null : String(to))) mirror.set(db, name, to);
}

function replaceMentions(db: WritableDb, key: number, models: readonly string[]): boolean {
  const before = values<string>(db, 'SELECT model FROM mention WHERE key = ? ORDER BY model', key);
  const added = models.filter((model) => !before.includes(model));
  const removed = before.filter((model) => !models.includes(model));
  for (const model of added) run(db, 'INSERT INTO mention (key, model) VALUES (?, ?)', key, model);
  for (const model of removed) run(db, 'DELETE FROM mention WHERE key = ? AND model = ?', key, model);
  return added.length > 0 || removed.length > 0;
}

export function removeMentions(db: WritableDb, key: number): void {
  run(db, 'DELETE FROM mention WHERE key = ?', key);
}

export function moveMentions(db: WritableDb, from: number, to: number): void {
  run(db, 'UPDATE mention SET key = ? WHERE key = ?', to, from);
}

function clearMentions(db: WritableDb): string[] {
  const ids = values<string>(
    db,
    'SELECT id FROM item_index JOIN item USING (arrival) WHERE item_index.key IN (SELECT key FROM mention)',
  );
  if (ids.length > 0) run(db, 'DELETE FROM mention');
  return ids;
}
