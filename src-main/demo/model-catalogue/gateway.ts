import { DEMO_KEY } from '../../contract/model/gateway.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { DemoOptions, ModelPatch } from '../options.ts';
import { chatModels, embeddingsModels } from './models.ts';
import type { CatalogueModel } from './types.ts';
import { reprice, applyChange, generateChanges, type ModelChange } from './model-history.ts';
import { replay } from '../replay.ts';
import { patched } from './patch.ts';

/** How many models the holder of the key sees at first. */
const USUAL_COUNT = 120;
/** One change in this many is to the embedding models. */
const EMBEDDINGS_CHANGE_EVERY = 8;

/** The model service: its two model lists as they are now. */
export class DemoGateway {
  /** The only key that lists the user's models. */
  readonly key: string;
  /** Models per page if a request sets no limit; null for all of them. */
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

  /** A list as it is now, in the order in which it is served. */
  current(list: ModelListName): CatalogueModel[] {
    for (const change of this.#dueChanges(this.#clock.now())) this.#apply(change);
    return this.#modelLists[list];
  }

  /** Adds the newest model of a list. Errors: throws for an id that is taken. */
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

  /** Errors: throws for a model that is not listed. */
  edit(list: ModelListName, id: string, patch: ModelPatch): CatalogueModel {
    const models = this.current(list);
    const index = indexOf(models, id);
    return (models[index] = patched(models[index] as CatalogueModel, patch));
  }

  /** Errors: throws for a model that is not listed. */
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
