import { DEMO_KEY } from '../../contract/gateway.ts';
import type { Listing } from '../../contract/model.ts';
import type { DemoOptions, ModelPatch } from '../options.ts';
import { chatModels, embeddingsModels } from './models.ts';
import type { CatalogueModel } from './models.ts';
import { reprice, applyChange, generateChanges } from './model-history.ts';
import type { ModelChange } from './model-history.ts';
import { patched } from './patch.ts';

/** As many as the holder of the key sees at first. */
const USUAL_COUNT = 120;
/** One change in so many is the embeddings models'. */
const EMBEDDINGS_CHANGE_EVERY = 8;

/** What a gateway lists, as it stands now; each service has its own. */
export class DemoGateway {
  /** The only key that lists the user's models. */
  readonly key: string;
  /** Models a page where a request does not say; null for all of them. */
  pageSize: number | null = null;
  readonly #clock: DemoOptions['clock'];
  readonly #count: number;
  readonly #listings: Record<Listing, CatalogueModel[]>;
  readonly #changes: Generator<ModelChange, never> | null;
  #next: ModelChange | null = null;
  #applied = 0;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living', models = USUAL_COUNT, modelsKey = DEMO_KEY }: DemoOptions) {
    this.key = modelsKey;
    this.#clock = clock;
    this.#count = models;
    this.#listings = { models: chatModels(models), embeddings: embeddingsModels() };
    this.#changes = content === 'living' ? generateChanges(seed) : null;
  }

  /** A listing as it is now, in the order in which it is served. */
  served(listing: Listing): readonly CatalogueModel[] {
    this.#advance();
    return this.#listings[listing];
  }

  /** A new model at the head of its listing, as the newest one. Errors: throws for an id that is taken. */
  add(listing: Listing, fields: ModelPatch): CatalogueModel {
    const models = this.#current(listing);
    this.#added += 1;
    const id = typeof fields['id'] === 'string' ? fields['id'] : `made-up/added-${this.#added}`;
    if (models.some((model) => model.id === id)) throw new Error(`The demo gateway has a model ${id} already.`);
    const [like] = listing === 'models' ? chatModels(1) : embeddingsModels();
    const own = { id, canonical_slug: id, name: id, links: { details: `/api/v1/models/${id}/endpoints` } };
    const model = patched(like as CatalogueModel, { ...own, created: Math.floor(this.#clock.now() / 1000), ...fields });
    models.unshift(model);
    return model;
  }

  /** Errors: throws for a model that is not listed. */
  edit(listing: Listing, id: string, patch: ModelPatch): CatalogueModel {
    const models = this.#current(listing);
    const index = indexOf(models, id);
    const model = patched(models[index] as CatalogueModel, patch);
    models[index] = model;
    return model;
  }

  /** Errors: throws for a model that is not listed. */
  remove(listing: Listing, id: string): void {
    const models = this.#current(listing);
    models.splice(indexOf(models, id), 1);
  }

  #current(listing: Listing): CatalogueModel[] {
    this.#advance();
    return this.#listings[listing];
  }

  /** Lets everything happen that the clock says has happened. */
  #advance(): void {
    if (this.#changes === null) return;
    const now = this.#clock.now();
    this.#next ??= this.#changes.next().value;
    while (this.#next.at <= now) {
      this.#apply(this.#next);
      this.#next = this.#changes.next().value;
    }
  }

  #apply(change: ModelChange): void {
    this.#applied += 1;
    if (this.#applied % EMBEDDINGS_CHANGE_EVERY === 0) reprice(this.#listings.embeddings, change);
    else applyChange(this.#listings.models, this.#count, change);
  }
}

function indexOf(models: readonly CatalogueModel[], id: string): number {
  const index = models.findIndex((model) => model.id === id);
  if (index < 0) throw new Error(`The demo gateway lists no model ${id}.`);
  return index;
}
