import type { Database } from 'better-sqlite3';
import type { ModelListName } from '../../../contract/model/resource.ts';
import { modelLine } from '../../../common/model-fields.ts';
import type { MentionedModel } from '../../../contract/model/model.ts';
import type { Properties } from '../../database/properties.ts';
import { recordOf } from '../model-records.ts';

/** The models that items seem to name, as lists show them. */
export class MentionedModels {
  readonly #database: Database;
  readonly #properties: Properties;
  readonly #pairs;
  readonly #hashes;
  readonly #body;
  /**
   * Models by id, null if not listed. Cached for the present model lists, because reading a record takes longer than
   * everything else here.
   */
  readonly #known = new Map<string, MentionedModel | null>();
  #modelLists = '';

  /** @param mirror the properties of mirror.db */
  constructor(database: Database, mirror: Properties) {
    this.#database = database;
    this.#properties = mirror;
    this.#pairs = database.prepare<[string], { key: number; model: string }>(
      'SELECT key, model FROM mention WHERE key IN (SELECT value FROM json_each(?))',
    );
    this.#hashes = database
      .prepare<[string], string | null>(
        `SELECT group_concat(model_list || ' ' || hash) FROM models.model_list WHERE owner = ?`,
      )
      .pluck();
    // If both lists have an id, it means the one in `models`.
    this.#body = database.prepare<[string, string], { modelList: ModelListName; body: string }>(
      `SELECT model_list AS modelList, body FROM models.model WHERE owner = ? AND model_list IN ('models', 'embeddings') AND id = ?
       ORDER BY model_list DESC`,
    );
  }

  /** Models by item key, longest name first, without models that are no longer listed. */
  of(keys: readonly number[]): Map<number, MentionedModel[]> {
    const models = new Map<number, MentionedModel[]>();
    const owner = this.#properties.get('mentions_owner');
    if (owner === null) return models;
    const pairs = this.#pairs.all(JSON.stringify(keys));
    if (pairs.length > 0) this.#forgetOthers(owner);
    for (const { key, model: id } of pairs) {
      const model = this.#model(owner, id);
      const named = models.get(key);
      if (model && named) named.push(model);
      else if (model) models.set(key, [model]);
    }
    for (const named of models.values()) named.sort(byLength);
    return models;
  }

  #forgetOthers(owner: string): void {
    const modelLists = `${owner} ${this.#hashes.get(owner) ?? ''}`;
    if (modelLists === this.#modelLists) return;
    this.#known.clear();
    this.#modelLists = modelLists;
  }

  #model(owner: string, id: string): MentionedModel | null {
    let model = this.#known.get(id);
    if (model === undefined) this.#known.set(id, (model = this.#read(owner, id)));
    return model;
  }

  #read(owner: string, id: string): MentionedModel | null {
    const row = this.#body.get(owner, id);
    if (!row) return null;
    const { name, contextLength, pricing } = modelLine(recordOf(this.#database, { id, body: row.body }));
    return { modelList: row.modelList, id, name, contextLength, pricing };
  }
}

function byLength(a: MentionedModel, b: MentionedModel): number {
  return b.name.length - a.name.length || (a.id < b.id ? -1 : 1);
}
