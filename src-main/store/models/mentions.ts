import { modelLine } from '../../common/model-line.ts';
import type { MentionedModel } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { mirrorProperties as mirror } from '../database/properties.ts';
import { followItems, itemsAfter, type Derived } from '../derived/derived.ts';
import { perConnection, row, rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { ModelDictionary, type NamedModel } from './model-dictionary.ts';
import { recordOf } from './model-lists.ts';
import { aliases } from './model-statuses.ts';

/** Some 15 ms of work. */
const STEP_ITEMS = 500;
/** In UTF-16 units: a page of the longest texts takes several steps. */
const STEP_LENGTH = 200_000;
const MAX_DISPLAY_NAME = 200; // characters

interface NamingItem {
  key: number;
  id: string;
  title: string;
  original_title: string | null;
  summary: string | null;
  reason: string | null;
}

const HASHES = "SELECT group_concat(model_list || ' ' || hash) FROM user.model_list WHERE owner = ?";
const ITEMS = sql`${itemsAfter('key, id, title, original_title, summary, reason')}`;

/** After a change of names, all items are matched again, and have their mentions until then. */
export const mentions: Derived = {
  version: (db) => dictionaryOf(db).hash,
  restart: (tx) => {
    if (dictionaryOf(tx.db).isEmpty) tx.summary.ids.push(...clearMentions(tx.db));
  },
  step: (tx, place) => {
    const dictionary = dictionaryOf(tx.db);
    // Without names, loading items costs nothing here.
    if (dictionary.isEmpty) return null;
    return followItems<NamingItem>(tx.db, place, { items: ITEMS, most: STEP_ITEMS }, (items) =>
      matchSome(tx, items, dictionary),
    );
  },
};

const namesOf = perConnection(() => ({ of: '', dictionary: new ModelDictionary([], []) }));

function dictionaryOf(db: Db): ModelDictionary {
  const owner = ownerOf(db);
  const others = aliases(db);
  const known = namesOf(db);
  const of = JSON.stringify([owner, listsOf(db, owner), others]);
  if (known.of !== of) Object.assign(known, { of, dictionary: new ModelDictionary(readNames(db, owner), others) });
  return known.dictionary;
}

function readNames(db: Db, owner: string): NamedModel[] {
  return rows<NamedModel>(
    db,
    `SELECT id, CASE WHEN json_valid(body) AND json_type(body, '$.name') = 'text' THEN substr(body ->> '$.name', 1, ?) ELSE id END AS name
     FROM user.model WHERE owner = ?`,
    ...[MAX_DISPLAY_NAME, owner],
  );
}

function ownerOf(db: Db): string {
  return mirror.get(db, 'mentions_owner') ?? '';
}

function listsOf(db: Db, owner: string): string {
  return value<string | null>(db, HASHES, owner) ?? '';
}

function matchSome({ db, summary }: Tx, items: readonly NamingItem[], dictionary: ModelDictionary): number {
  let [matched, length] = [0, 0];
  for (const item of items) {
    if (length >= STEP_LENGTH) break;
    matched += 1;
    const texts = [item.title, item.original_title, item.summary, item.reason];
    length += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (replaceMentions(db, item.key, dictionary.modelsIn(texts))) summary.ids.push(item.id);
  }
  return matched;
}

function replaceMentions(db: WritableDb, key: number, models: readonly string[]): boolean {
  const before = values<string>(db, 'SELECT model FROM mention WHERE key = ? ORDER BY model', key);
  const added = models.filter((model) => !before.includes(model));
  const removed = before.filter((model) => !models.includes(model));
  for (const model of added) run(db, 'INSERT INTO mention (key, model) VALUES (?, ?)', key, model);
  for (const model of removed) run(db, 'DELETE FROM mention WHERE key = ? AND model = ?', key, model);
  return added.length > 0 || removed.length > 0;
}

function clearMentions(db: WritableDb): string[] {
  const ids = values<string>(
    db,
    'SELECT id FROM item_index JOIN item USING (arrival) WHERE item_index.key IN (SELECT key FROM mention)',
  );
  if (ids.length > 0) run(db, 'DELETE FROM mention');
  return ids;
}

// If both lists have an id, it means the one in `models`.
const MODEL = `SELECT model_list AS modelList, body FROM user.model
  WHERE owner = ? AND model_list IN ('models', 'embeddings') AND id = ? ORDER BY model_list DESC`;

/** Null for a model that is not listed. Reading a record takes longer than everything else here. */
const cacheOf = perConnection(() => ({ modelLists: '', known: new Map<string, MentionedModel | null>() }));

/** Returns models by item key, longest name first, without those no longer listed. */
export function mentionedModels(db: Db, keys: readonly number[]): Map<number, MentionedModel[]> {
  const models = new Map<number, MentionedModel[]>();
  const owner = ownerOf(db);
  if (owner === '') return models;
  const pairs = rows<{ key: number; model: string }>(
    db,
    'SELECT key, model FROM mention WHERE key IN (SELECT value FROM json_each(?))',
    JSON.stringify(keys),
  );
  if (pairs.length === 0) return models;
  const known = knownModels(db, owner);
  for (const { key, model: id } of pairs) {
    let model = known.get(id);
    if (model === undefined) known.set(id, (model = readModel(db, owner, id)));
    const named = models.get(key);
    if (model && named) named.push(model);
    else if (model) models.set(key, [model]);
  }
  for (const named of models.values()) named.sort(byLength);
  return models;
}

function knownModels(db: Db, owner: string): Map<string, MentionedModel | null> {
  const modelLists = `${owner} ${listsOf(db, owner)}`;
  const cache = cacheOf(db);
  if (cache.modelLists !== modelLists) Object.assign(cache, { modelLists, known: new Map() });
  return cache.known;
}

function readModel(db: Db, owner: string, id: string): MentionedModel | null {
  const found = row<{ modelList: ModelListName; body: string }>(db, MODEL, owner, id);
  if (!found) return null;
  const { name, contextLength, pricing } = modelLine(recordOf(db, { id, body: found.body }));
  return { modelList: found.modelList, id, name, contextLength, pricing };
}

function byLength(a: MentionedModel, b: MentionedModel): number {
  return b.name.length - a.name.length || (a.id < b.id ? -1 : 1);
}
