import type { Database } from 'better-sqlite3';
import type { Listing } from '../contract/model.ts';
import { modelLine } from '../contract/model_fields.ts';
import type { MentionedModel, ModelRecord } from '../contract/models.ts';
import { Properties } from './properties.ts';

interface BodyRow {
  listing: Listing;
  body: string;
}

/** What lists show of the models that their items seem to name. */
export class MentionedModels {
  readonly #properties: Properties;
  readonly #pairs;
  readonly #body;
  /** By id, with the body that each was read from: to read one again takes longer than all the rest. */
  readonly #known = new Map<string, BodyRow & { model: MentionedModel }>();

  constructor(database: Database) {
    this.#properties = new Properties(database, 'main');
    this.#pairs = database.prepare<[string], { key: number; model: string }>(
      'SELECT key, model FROM mention WHERE key IN (SELECT value FROM json_each(?))',
    );
    // An id that both listings have is that of the model.
    this.#body = database.prepare<[string, string], BodyRow>(
      `SELECT listing, body FROM catalogue.model WHERE owner = ? AND listing IN ('models', 'embeddings') AND id = ?
       ORDER BY listing DESC`,
    );
  }

  /** By the items' keys, longest name first. Of models that have left the catalogue nothing is said. */
  of(keys: readonly number[]): Map<number, MentionedModel[]> {
    const models = new Map<number, MentionedModel[]>();
    const owner = this.#properties.get('mentions_owner');
    if (owner === null) return models;
    const read = new Map<string, MentionedModel | null>();
    for (const { key, model: id } of this.#pairs.all(JSON.stringify(keys))) {
      let model = read.get(id);
      if (model === undefined) read.set(id, (model = this.#read(owner, id)));
      if (model) models.set(key, [...(models.get(key) ?? []), model]);
    }
    for (const named of models.values()) named.sort(byLength);
    return models;
  }

  #read(owner: string, id: string): MentionedModel | null {
    const row = this.#body.get(owner, id);
    if (!row) return null;
    const known = this.#known.get(id);
    if (known?.body === row.body && known.listing === row.listing) return known.model;
    const { name, contextLength, pricing } = modelLine(JSON.parse(row.body) as ModelRecord);
    const model = { listing: row.listing, id, name, contextLength, pricing };
    this.#known.set(id, { ...row, model });
    return model;
  }
}

function byLength(a: MentionedModel, b: MentionedModel): number {
  return b.name.length - a.name.length || (a.id < b.id ? -1 : 1);
}
