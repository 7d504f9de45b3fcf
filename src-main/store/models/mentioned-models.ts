import type { ModelListName } from '../../contract/model/resource.ts';
import { modelLine } from '../../common/model-line.ts';
import type { MentionedModel } from '../../contract/model/model.ts';
import { row, rows, value, type Db } from '../sql.ts';
import { recordOf } from './model-records.ts';

// If both lists have an id, it means the one in `models`.
const MODEL = `SELECT model_list AS modelList, body FROM models.model
  WHERE owner = ? AND model_list IN ('models', 'embeddings') AND id = ? ORDER BY model_list DESC`;

/** Null if not listed. Cached because reading a record takes longer than everything else here. */
interface Cache {
  modelLists: string;
  known: Map<string, MentionedModel | null>;
}

const caches = new WeakMap<Db, Cache>();

/** Returns models by item key, longest name first, without those that are no longer listed. */
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

function knownModels(db: Db, owner: string): Cache['known'] {
  const hashes = value<string | null>(
    db,
    "SELECT group_concat(model_list || ' ' || hash) FROM models.model_list WHERE owner = ?",
    owner,
  );
  const modelLists = `${owner} ${hashes ?? ''}`;
  let cache = caches.get(db);
  if (cache?.modelLists !== modelLists) caches.set(db, (cache = { modelLists, known: new Map() }));
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
