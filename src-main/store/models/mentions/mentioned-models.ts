import type { Database } from 'better-sqlite3';
import type { Listing } from '../../../contract/model/item.ts';
import { modelLine } from '../../../common/model-fields.ts';
import type { MentionedModel, ModelRecord } from '../../../contract/model/model.ts';
import { Properties } from '../../database/properties.ts';

/** What lists show of the models that their items seem to name. */
export class MentionedModels {
  readonly #properties: Properties;
  readonly #pairs;
  readonly #hashes;
  readonly #body;
  /** By id, null for one that is not listed: of these listings, for to read a model's record takes longer than all the rest. */
  readonly #known = new Map<string, MentionedModel | null>();
  #listings = '';

  constructor(database: Database) {
    this.#properties = new Properties(database, 'main');
    this.#pairs = database.prepare<[string], { key: number; model: string }>(
      'SELECT key, model FROM mention WHERE key IN (SELECT value FROM json_each(?))',
    );
    this.#hashes = database
      .prepare<[string], string | null>(
        `SELECT group_concat(listing || ' ' || hash) FROM catalogue.listing WHERE owner = ?`,
      )
      .pluck();
    // An id that both listings have is that of the model.
    this.#body = database.prepare<[string, string], { listing: Listing; body: string }>(
      `SELECT listing, body FROM catalogue.model WHERE owner = ? AND listing IN ('models', 'embeddings') AND id = ?
       ORDER BY listing DESC`,
    );
  }

  /** By the items' keys, longest name first. Of models that have left the catalogue nothing is said. */
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
    const listings = `${owner} ${this.#hashes.get(owner) ?? ''}`;
    if (listings === this.#listings) return;
    this.#known.clear();
    this.#listings = listings;
  }

  #model(owner: string, id: string): MentionedModel | null {
    let model = this.#known.get(id);
    if (model === undefined) this.#known.set(id, (model = this.#read(owner, id)));
    return model;
  }

  #read(owner: string, id: string): MentionedModel | null {
    const row = this.#body.get(owner, id);
    if (!row) return null;
    const { name, contextLength, pricing } = modelLine(JSON.parse(row.body) as ModelRecord);
    return { listing: row.listing, id, name, contextLength, pricing };
  }
}

function byLength(a: MentionedModel, b: MentionedModel): number {
  return b.name.length - a.name.length || (a.id < b.id ? -1 : 1);
}
