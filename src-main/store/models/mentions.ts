import { modelLine } from '../../common/model-line.ts';
import type { MentionedModel } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { mirrorProperties as mirror } from '../database/properties.ts';
import { perConnection, row, rows, run, transaction, value, values, type Db, type WritableDb } from '../sql.ts';
import { endOfStep } from '../tx.ts';
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

const ITEM = 'SELECT key, id, title, original_title, summary, reason FROM item WHERE arrival = ?';

/** The items of complete writes that are not matched yet, in `item.arrival`. `to` is the last of these writes. */
interface Part {
  to: number;
  left: number[];
}

/** Keeps its place by complete writes, so it can stop after any step. After a change of names, it matches all items. */
export class MentionIndexer {
  readonly #db: Db;
  #owner: string;
  #dictionary: ModelDictionary | null = null;
  #part: Part | null = null;

  /** `owner` is '' for none. */
  constructor(db: Db, owner: string) {
    this.#db = db;
    this.#owner = owner;
  }

  namesChanged(owner: string): void {
    this.#owner = owner;
    this.#dictionary = null;
    this.#part = null;
  }

  /** Returns the ids of items whose mentions changed; null when up to date. */
  step(): string[] | null {
    if (this.#dictionary) return this.#matchNext(this.#dictionary);
    const dictionary = readDictionary(this.#db, this.#owner);
    const changed = transaction(this.#db, (db) => adopt(db, dictionary, this.#owner));
    this.#dictionary = dictionary;
    return changed;
  }

  #matchNext(dictionary: ModelDictionary): string[] | null {
    const part = this.#part ?? (dictionary.isEmpty ? null : nextPart(this.#db));
    if (part === null) return null;
    const { changed, left } = transaction(this.#db, (db) => {
      const matched = matchSome(db, part.left, dictionary);
      if (matched.left.length === 0) mirror.set(db, 'mentions_watermark', part.to);
      return matched;
    });
    this.#part = left.length === 0 ? null : { ...part, left };
    return changed;
  }
}

function readDictionary(db: Db, owner: string): ModelDictionary {
  const models = rows<NamedModel>(
    db,
    `SELECT id, CASE WHEN json_valid(body) AND json_type(body, '$.name') = 'text' THEN substr(body ->> '$.name', 1, ?) ELSE id END AS name
     FROM user.model WHERE owner = ?`,
    ...[MAX_DISPLAY_NAME, owner],
  );
  return new ModelDictionary(models, aliases(db));
}

/** Without names, loading items costs nothing here. */
function adopt(db: WritableDb, dictionary: ModelDictionary, owner: string): string[] {
  const hash = dictionary.isEmpty ? null : dictionary.hash;
  const isOther = hash !== mirror.get(db, 'mentions_dictionary');
  mirror.set(db, 'mentions_owner', dictionary.isEmpty ? null : owner);
  mirror.set(db, 'mentions_dictionary', hash);
  if (isOther) mirror.set(db, 'mentions_watermark', null);
  return dictionary.isEmpty ? clearMentions(db) : [];
}

function nextPart(db: Db): Part | null {
  const from = mirror.number(db, 'mentions_watermark');
  const sequence = mirror.number(db, 'sequence');
  if (from === sequence) return null;
  const to = endOfStep(db, from, STEP_ITEMS) ?? sequence;
  return { to, left: values<number>(db, 'SELECT arrival FROM item WHERE changed > ? AND changed <= ?', from, to) };
}

function matchSome(db: WritableDb, arrivals: readonly number[], dictionary: ModelDictionary) {
  const changed: string[] = [];
  let [matched, length] = [0, 0];
  for (const arrival of arrivals) {
    if (length >= STEP_LENGTH) break;
    matched += 1;
    const item = row<NamingItem>(db, ITEM, arrival);
    if (!item) continue;
    const texts = [item.title, item.original_title, item.summary, item.reason];
    length += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (replaceMentions(db, item.key, dictionary.modelsIn(texts))) changed.push(item.id);
  }
  return { changed, left: arrivals.slice(matched) };
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
  const owner = value<string>(db, "SELECT value FROM main.property WHERE name = 'mentions_owner'");
  if (owner === undefined) return models;
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
  const hashes = value<string | null>(
    db,
    "SELECT group_concat(model_list || ' ' || hash) FROM user.model_list WHERE owner = ?",
    owner,
  );
  const modelLists = `${owner} ${hashes ?? ''}`;
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
