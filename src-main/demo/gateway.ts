import { isAliasId } from '../common/model-line.ts';
import { readPrice } from '../common/price.ts';
import { type Json, DEMO_KEY } from '../contract/model/model.ts';
import type { ModelListName } from '../contract/model/resource.ts';
import { type CatalogueModel, chatModels, datedModel, EDGE_CASES, embeddingsModels, nameModel } from './models.ts';
import type { DemoOptions, ModelPatch } from './options.ts';
import { PURPOSE, SeededRandom } from './random.ts';
import { replay } from './state.ts';

const USUAL_COUNT = 120;
const EMBEDDINGS_CHANGE_EVERY = 8;

export class DemoGateway {
  readonly key: string;
  readonly #clock: DemoOptions['clock'];
  readonly #count: number;
  #modelLists: Record<ModelListName, CatalogueModel[]> | null = null;
  readonly #dueChanges: (now: number) => ModelChange[];
  #applied = 0;
  #added = 0;

  constructor({ clock, seed = 1, content = 'living', models = USUAL_COUNT, modelsKey = DEMO_KEY }: DemoOptions) {
    this.key = modelsKey;
    this.#clock = clock;
    this.#count = models;
    this.#dueChanges = content === 'living' ? replay(generateChanges(seed)) : () => [];
  }

  current(list: ModelListName): CatalogueModel[] {
    // Made when first asked for: most of a service's start would go to them.
    this.#modelLists ??= { models: chatModels(this.#count), embeddings: embeddingsModels() };
    for (const change of this.#dueChanges(this.#clock.now())) this.#apply(this.#modelLists, change);
    return this.#modelLists[list];
  }

  add(list: ModelListName, fields: ModelPatch): CatalogueModel {
    const models = this.current(list);
    this.#added += 1;
    const id = typeof fields['id'] === 'string' ? fields['id'] : `made-up/added-${this.#added}`;
    if (models.some((model) => model.id === id)) throw new Error(`The demo gateway has a model ${id} already.`);
    const [template] = list === 'models' ? chatModels(1) : embeddingsModels();
    const model = patchModel(template as CatalogueModel, {
      ...nameModel(id, id),
      created: Math.floor(this.#clock.now() / 1000),
      ...fields,
    });
    models.unshift(model);
    return model;
  }

  edit(list: ModelListName, id: string, patch: ModelPatch): CatalogueModel {
    const models = this.current(list);
    const index = indexOf(models, id);
    return (models[index] = patchModel(models[index] as CatalogueModel, patch));
  }

  remove(list: ModelListName, id: string): void {
    const models = this.current(list);
    models.splice(indexOf(models, id), 1);
  }

  #apply({ models, embeddings }: Record<ModelListName, CatalogueModel[]>, change: ModelChange): void {
    this.#applied += 1;
    if (this.#applied % EMBEDDINGS_CHANGE_EVERY === 0) reprice(embeddings, change);
    else applyChange(models, this.#count, change);
  }
}

function indexOf(models: readonly CatalogueModel[], id: string): number {
  const index = models.findIndex((model) => model.id === id);
  if (index < 0) throw new Error(`The demo gateway lists no model ${id}.`);
  return index;
}

type Members = { [name: string]: Json };

/** Overrides fields, also inside objects; undefined removes a field. */
function patchModel<M extends Members>(model: M, patch: ModelPatch): M {
  const result: Members = structuredClone(model);
  for (const [name, value] of Object.entries(patch)) {
    const inside = result[name];
    if (value === undefined) Reflect.deleteProperty(result, name);
    else result[name] = isObject(value) ? patchModel(isJsonObject(inside) ? inside : {}, value) : value;
  }
  return result as M;
}

function isObject(value: unknown): value is ModelPatch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJsonObject(value: Json | undefined): value is Members {
  return isObject(value);
}

const DAY = 86_400_000;
/** Fixed, unlike the first day of the news: a catalogue that started again every month would seem to change back. */
const FIRST_DAY = Date.UTC(2026, 0, 1);
const FURTHEST = 4;

interface ModelChange {
  at: number;
  random: SeededRandom;
}

function* generateChanges(seed: number): Generator<ModelChange, never> {
  for (let day = 0; ; day += 1) {
    const random = new SeededRandom(seed, PURPOSE.modelCatalogue, day);
    const moments = Array.from({ length: random.between(1, 3) }, () => random.between(0, DAY - 1)).sort(
      (a, b) => a - b,
    );
    for (const [index, moment] of moments.entries()) {
      yield { at: FIRST_DAY + day * DAY + moment, random: new SeededRandom(seed, PURPOSE.modelCatalogue, day, index) };
    }
  }
}

type Action = (models: CatalogueModel[], change: ModelChange) => void;

const ACTIONS: readonly Action[] = [
  reprice,
  reprice,
  reprice,
  release,
  release,
  retire,
  retire,
  announceExpiry,
  changeContext,
  changeParameters,
  changeModeration,
];

function applyChange(models: CatalogueModel[], initial: number, change: ModelChange): void {
  const action = change.random.pick(ACTIONS);
  if (action === release && models.length >= initial + FURTHEST) retire(models, change);
  else if (action === retire && models.length <= initial - FURTHEST) release(models, change);
  else action(models, change);
}

function reprice(models: CatalogueModel[], { random }: ModelChange): void {
  const model = anyOf(models, random, ({ pricing }) => readPrice(pricing['prompt']).kind === 'amount');
  if (!model) return;
  const factor = random.pick(['0.5', '0.8', '0.9', '1.1', '1.25', '2']);
  const { overrides } = model.pricing;
  const tiers = Array.isArray(overrides) ? overrides.filter(isJsonObject) : [];
  for (const prices of [model.pricing, ...tiers]) multiply(prices, factor);
}

function multiply(prices: Record<string, Json>, factor: string): void {
  for (const [name, given] of Object.entries(prices)) {
    const price = readPrice(given);
    if (price.kind !== 'amount' || typeof given !== 'string') continue;
    const changed = price.value.times(factor).round(13);
    if (changed.gt(0)) prices[name] = changed.toFixed();
  }
}

function release(models: CatalogueModel[], { at, random }: ModelChange): void {
  const model = datedModel(random, dateOf(at));
  if (!models.some(({ id }) => id === model.id)) models.unshift(model);
}

function retire(models: CatalogueModel[], { at, random }: ModelChange): void {
  const today = dateOf(at);
  const expired = models.find(({ expiration_date: last }) => last !== null && last < today);
  const model = expired ?? anyOf(models, random);
  if (model) models.splice(models.indexOf(model), 1);
}

function announceExpiry(models: CatalogueModel[], { at, random }: ModelChange): void {
  const model = anyOf(models, random, ({ expiration_date: last }) => last === null);
  if (model) model.expiration_date = dateOf(at + random.between(14, 90) * DAY);
}

function changeContext(models: CatalogueModel[], { random }: ModelChange): void {
  const model = anyOf(models, random);
  if (!model) return;
  model.context_length = model.context_length > 1_000_000 ? model.context_length / 2 : model.context_length * 2;
  model.top_provider['context_length'] = model.context_length;
}

function changeParameters(models: CatalogueModel[], { random }: ModelChange): void {
  const model = anyOf(models, random);
  if (!model) return;
  const parameter = random.pick(['parallel_tool_calls', 'min_p', 'structured_outputs', 'logprobs']);
  const had = model.supported_parameters.includes(parameter);
  model.supported_parameters = had
    ? model.supported_parameters.filter((name) => name !== parameter)
    : [...model.supported_parameters, parameter];
}

function changeModeration(models: CatalogueModel[], { random }: ModelChange): void {
  const model = anyOf(models, random);
  if (model) model.top_provider['is_moderated'] = model.top_provider['is_moderated'] !== true;
}

/** Never picks aliases or models with unusual prices. */
function anyOf(
  models: readonly CatalogueModel[],
  random: SeededRandom,
  isWanted: (model: CatalogueModel) => boolean = () => true,
): CatalogueModel | undefined {
  const wanted = models.filter(
    (model) => !model.id.startsWith(`${EDGE_CASES}/`) && !isAliasId(model.id) && isWanted(model),
  );
  return wanted.length === 0 ? undefined : random.pick(wanted);
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
