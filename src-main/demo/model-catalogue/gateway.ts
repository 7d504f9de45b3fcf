import { DEMO_KEY } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { DemoOptions, ModelPatch } from '../options.ts';
import { chatModels, embeddingsModels, type CatalogueModel } from './models.ts';
import { reprice, applyChange, generateChanges, type ModelChange } from './model-history.ts';
import { replay } from '../replay.ts';
import type { Json } from '../../contract/model/json.ts';

const USUAL_COUNT = 120;
const EMBEDDINGS_CHANGE_EVERY = 8;

export class DemoGateway {
  readonly key: string;
  /** For requests without a limit; null for all models. */
  pageSize: number | null = null;
  readonly #clock: DemoOptions['clock'];
  readonly #count: number;
  readonly #modelLists: Record<ModelListName, CatalogueModel[]>;
  readonly #dueChanges: (now: number) => ModelChange[];
  #applied = 0;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living', models = USUAL_COUNT, modelsKey = DEMO_KEY }: DemoOptions) {
    this.key = modelsKey;
    this.#clock = clock;
    this.#count = models;
    this.#modelLists = { models: chatModels(models), embeddings: embeddingsModels() };
    this.#dueChanges = content === 'living' ? replay(generateChanges(seed)) : () => [];
  }

  current(list: ModelListName): CatalogueModel[] {
    for (const change of this.#dueChanges(this.#clock.now())) this.#apply(change);
    return this.#modelLists[list];
  }

  add(list: ModelListName, fields: ModelPatch): CatalogueModel {
    const models = this.current(list);
    this.#added += 1;
    const id = typeof fields['id'] === 'string' ? fields['id'] : `made-up/added-${this.#added}`;
    if (models.some((model) => model.id === id)) throw new Error(`The demo gateway has a model ${id} already.`);
    const [template] = list === 'models' ? chatModels(1) : embeddingsModels();
    const own = { id, canonical_slug: id, name: id, links: { details: `/api/v1/models/${id}/endpoints` } };
    const model = patched(template as CatalogueModel, {
      ...own,
      created: Math.floor(this.#clock.now() / 1000),
      ...fields,
    });
    models.unshift(model);
    return model;
  }

  edit(list: ModelListName, id: string, patch: ModelPatch): CatalogueModel {
    const models = this.current(list);
    const index = indexOf(models, id);
    return (models[index] = patched(models[index] as CatalogueModel, patch));
  }

  remove(list: ModelListName, id: string): void {
    const models = this.current(list);
    models.splice(indexOf(models, id), 1);
  }

  #apply(change: ModelChange): void {
    this.#applied += 1;
    if (this.#applied % EMBEDDINGS_CHANGE_EVERY === 0) reprice(this.#modelLists.embeddings, change);
    else applyChange(this.#modelLists.models, this.#count, change);
  }
}

function indexOf(models: readonly CatalogueModel[], id: string): number {
  const index = models.findIndex((model) => model.id === id);
  if (index < 0) throw new Error(`The demo gateway lists no model ${id}.`);
  return index;
}

type Members = { [name: string]: Json };

/** Overrides fields, also inside objects; undefined removes a field. */
function patched(model: CatalogueModel, patch: ModelPatch): CatalogueModel {
  return overridden(model, patch) as CatalogueModel;
}

function overridden(held: Members, patch: ModelPatch): Members {
  const result: Members = structuredClone(held);
  for (const [name, value] of Object.entries(patch)) {
    const inside = result[name];
    if (value === undefined) Reflect.deleteProperty(result, name);
    else result[name] = isObject(value) ? overridden(isJsonObject(inside) ? inside : {}, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is ModelPatch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJsonObject(value: Json | undefined): value is Members {
  return isObject(value);
}
