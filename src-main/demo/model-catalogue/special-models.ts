import type { Json } from '../../contract/model/json.ts';
import { readPrice } from '../../common/price.ts';
import { fill } from '../content/template.ts';
import { MODEL_TEXTS } from '../content/texts.ts';
import { PURPOSE, SeededRandom } from '../random.ts';
import type { CatalogueModel } from './types.ts';

const { router, alias } = MODEL_TEXTS;
/** The date that a gateway of this kind gives a model without an expiry. */
const NO_EXPIRY = '2098-12-31';
const THRESHOLDS = [32_000, 128_000, 256_000];
const ALIASES = 3;

/** Some models with price tiers, by tokens or by the time of day, and some with a placeholder as their expiry. */
export function withSpecialFields(model: CatalogueModel): CatalogueModel {
  const random = new SeededRandom(PURPOSE.model, ...Buffer.from(model.id), 3);
  const overrides = readPrice(model.pricing['prompt']).kind === 'amount' ? tiersOf(model, random) : [];
  const placeholder = model.expiration_date === null && random.chance(0.04);
  return {
    ...model,
    ...(overrides.length > 0 && { pricing: { ...model.pricing, overrides } }),
    ...(placeholder && { expiration_date: NO_EXPIRY }),
  };
}

/** A router, whose price varies, and an alias of the first model of some vendors. */
export function specialModels(models: readonly CatalogueModel[]): CatalogueModel[] {
  const [first] = models;
  if (!first) return [];
  const firstOfVendors = new Map(models.toReversed().map((model) => [vendorOf(model), model]));
  return [routerLike(first), ...[...firstOfVendors.values()].toReversed().slice(0, ALIASES).map(aliasOf)];
}

function tiersOf({ pricing, context_length: context }: CatalogueModel, random: SeededRandom): Json[] {
  const kind = random.next();
  if (kind < 0.16) {
    const above = THRESHOLDS.filter((tokens) => tokens * 2 <= context).slice(-2);
    return above.map((tokens, index) => ({ min_prompt_tokens: tokens, ...multiplied(pricing, index + 2) }));
  }
  return kind < 0.21 ? [{ utc_start: '16:30', utc_end: '00:30', ...multiplied(pricing, '0.5') }] : [];
}

/** The prices of tokens, times a factor. */
function multiplied(pricing: CatalogueModel['pricing'], factor: number | string): Record<string, Json> {
  const names = ['prompt', 'completion', 'input_cache_read'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const price = readPrice(pricing[name]);
      return price.kind === 'amount' ? [[name, price.value.times(factor).toFixed()]] : [];
    }),
  );
}

function routerLike(model: CatalogueModel): CatalogueModel {
  return {
    ...structuredClone(model),
    ...named('auto', model, router.name),
    description: router.description,
    pricing: { prompt: '-1', completion: '-1', request: '-1', image: '-1' },
  };
}

function aliasOf(model: CatalogueModel): CatalogueModel {
  const [family] = model.id.split('/')[1]?.split('-') ?? [];
  return {
    ...structuredClone(model),
    ...named(`${family ?? 'model'}-latest`, model, fill(alias.name, { name: model.name }), '~'),
    description: fill(alias.description, { name: model.name }),
    alias_target: { slug: model.id, name: model.name },
  };
}

function vendorOf({ id }: CatalogueModel): string {
  return id.split('/')[0] ?? '';
}

function named(last: string, like: CatalogueModel, name: string, sign = '') {
  const id = `${sign}${vendorOf(like)}/${last}`;
  return { id, canonical_slug: id, name, links: { details: `/api/v1/models/${id}/endpoints` } };
}
