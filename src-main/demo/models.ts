import { readPrice } from '../common/price.ts';
import type { Json, ModelRecord } from '../contract/model/model.ts';
import { type Bilingual, fill, MODEL_TEXTS, type Organisation, ORGANISATIONS } from './content/texts.ts';
import { PURPOSE, SeededRandom } from './random.ts';

/** Document 2 section 2; observed-9-fields. */
export interface CatalogueModel extends ModelRecord {
  canonical_slug: string;
  name: string;
  description: string;
  created: number;
  context_length: number;
  architecture: { [field: string]: Json };
  pricing: Record<string, Json>;
  top_provider: { [field: string]: Json };
  supported_parameters: string[];
  supported_voices: null;
  default_parameters: { [field: string]: Json } | null;
  expiration_date: string | null;
  knowledge_cutoff: string | null;
  per_request_limits: null;
  links: { details: string };
}

interface Family {
  organisation: Organisation;
  model: Bilingual;
}

interface Variant {
  suffix: string;
  label: string;
  note: string;
}

const VARIANTS: readonly Variant[] = MODEL_TEXTS.variants;
const PARAMETERS = MODEL_TEXTS.parameters;
const EMBEDDINGS_COUNT = 17;

const FAMILIES: readonly Family[] = ORGANISATIONS.flatMap((organisation) =>
  organisation.models.map((model) => ({ organisation, model })),
);

/** Ends the list with unusual prices, a router and aliases. */
export function chatModels(count: number): CatalogueModel[] {
  const edgeCases = edgeCaseModels(chatModel(FAMILIES[0] as Family, VARIANTS[0] as Variant));
  const usual = Array.from({ length: count }, (_, index) => usualModel(index));
  const last = [...edgeCases, ...specialModels(usual)];
  return [...usual.slice(0, Math.max(0, count - last.length)), ...last].slice(0, count);
}

export function embeddingsModels(): CatalogueModel[] {
  return ORGANISATIONS.slice(0, EMBEDDINGS_COUNT).map(embeddingsModel);
}

export function datedModel(random: SeededRandom, date: string): CatalogueModel {
  const { label, note } = MODEL_TEXTS.release;
  const variant = { suffix: `-${date}`, label: fill(label, { date }), note: fill(note, { date }) };
  return { ...chatModel(random.pick(FAMILIES), variant), created: Date.parse(date) / 1000, expiration_date: null };
}

/** Takes the first variant of every family, then the second, and so on; then all again as further releases. */
function usualModel(index: number): CatalogueModel {
  const family = FAMILIES[index % FAMILIES.length] as Family;
  const round = Math.floor(index / FAMILIES.length);
  const variant = VARIANTS[round % VARIANTS.length] as Variant;
  const release = Math.floor(round / VARIANTS.length) + 1;
  const { suffix, label } = variant;
  const later = { ...variant, suffix: `-r${release}${suffix}`, label: ` r${release}${label}` };
  return withSpecialFields(chatModel(family, release === 1 ? variant : later));
}

function chatModel({ organisation, model }: Family, { suffix, label, note }: Variant): CatalogueModel {
  const id = `${slug(organisation.name.en)}/${slug(model.en)}${suffix}`;
  const random = new SeededRandom(PURPOSE.model, ...Buffer.from(id));
  const context = random.pick([32_768, 65_536, 131_072, 200_000, 262_144, 1_048_576]);
  const inputs = random.pick([['text'], ['text'], ['text', 'image'], ['text', 'image', 'file'], ['text', 'audio']]);
  const reasons = random.chance(0.4);
  const strengths = random.some(MODEL_TEXTS.strengths, 2).join(' and ');
  return {
    ...common(id, `${organisation.name.en}: ${model.en}${label}`, random),
    description: fill(MODEL_TEXTS.description, {
      model: model.en,
      organisation: organisation.name.en,
      strengths,
      note,
    }),
    context_length: context,
    architecture: {
      input_modalities: inputs,
      output_modalities: ['text'],
      modality: `${inputs.join('+')}->text`,
      instruct_type: random.chance(0.2) ? 'chatml' : null,
      tokenizer: random.pick(['Other', 'BPE', 'SentencePiece']),
    },
    pricing: suffix.endsWith(':free')
      ? { prompt: '0', completion: '0', image: '0', request: '0' }
      : chatPricing(random, inputs, reasons),
    top_provider: {
      context_length: context,
      is_moderated: random.chance(0.3),
      max_completion_tokens: random.chance(0.3) ? null : random.pick([8192, 16_384, 65_536, 131_072]),
    },
    supported_parameters: [
      ...random.some(PARAMETERS, random.between(4, PARAMETERS.length)),
      ...(reasons ? ['reasoning', 'include_reasoning'] : []),
    ],
    default_parameters: random.chance(0.3) ? { temperature: random.pick([0.6, 0.7, 1]), top_p: 0.95 } : null,
    ...(reasons && { reasoning: { mandatory: random.chance(0.3), supported_efforts: ['high', 'medium', 'low'] } }),
    ...(random.chance(0.5) && { hugging_face_id: id.replace(/:.*/, '') }),
  };
}

/** Leaves out some prices: some models lack image and request, a few have only the prompt. */
function chatPricing(random: SeededRandom, inputs: string[], reasons: boolean): Record<string, Json> {
  const prompt = random.pick([2, 6, 10, 15, 18, 25, 40, 75, 110, 125, 250, 300, 1500]);
  if (random.chance(0.1)) return { prompt: perToken(prompt) };
  return {
    prompt: perToken(prompt),
    completion: perToken(prompt * random.between(3, 5)),
    ...(random.chance(0.7) && {
      // As real gateways do: the price of a token.
      image: inputs.includes('image') ? perToken(prompt) : '0',
      request: random.chance(0.1) ? '0.005' : '0',
    }),
    ...(inputs.includes('audio') && { audio: perToken(prompt * 8) }),
    ...(random.chance(0.5) && { input_cache_read: perToken(prompt / 10), input_cache_write: perToken(prompt * 1.25) }),
    ...(reasons && { internal_reasoning: perToken(prompt * 4) }),
    ...(random.chance(0.2) && { web_search: '0.01' }),
    ...(random.chance(0.1) && { discount: 0.25 }),
  };
}

function embeddingsModel(organisation: Organisation, index: number): CatalogueModel {
  const id = `${slug(organisation.name.en)}/embed-${index % 3 === 0 ? 'large' : 'base'}-v${(index % 4) + 1}`;
  const random = new SeededRandom(PURPOSE.model, ...Buffer.from(id));
  const context = random.pick([512, 2048, 8192, 32_768]);
  const images = random.chance(0.2) ? ['text', 'image'] : ['text'];
  return {
    ...common(id, `${organisation.name.en}: Embed ${index % 3 === 0 ? 'Large' : 'Base'} v${(index % 4) + 1}`, random),
    description: fill(MODEL_TEXTS.embeddingsDescription, { context, dimensions: random.pick([384, 768, 1024, 2048]) }),
    context_length: context,
    architecture: {
      input_modalities: images,
      output_modalities: ['embeddings'],
      modality: `${images.join('+')}->embeddings`,
      instruct_type: null,
      tokenizer: 'Other',
    },
    pricing: {
      prompt: index === 4 ? '0' : perToken(random.pick([1, 2, 5, 10, 13])),
      completion: '0',
      image: '0',
      request: '0',
    },
    top_provider: { context_length: context, is_moderated: false, max_completion_tokens: null },
    supported_parameters: [],
    default_parameters: null,
  };
}

function common(id: string, name: string, random: SeededRandom) {
  const created = Date.UTC(2025, random.between(0, 13), random.between(1, 28)) / 1000;
  const day = new Date(created * 1000).toISOString().slice(0, 10);
  return {
    ...nameModel(id, name),
    canonical_slug: `${id.replace(/:.*/, '')}-${day.replaceAll('-', '')}`,
    created,
    supported_voices: null,
    expiration_date: random.chance(0.05) ? '2027-01-31' : null,
    knowledge_cutoff: random.chance(0.5) ? `2025-0${random.between(1, 9)}-30` : null,
    per_request_limits: null,
  };
}

export function nameModel(id: string, name: string) {
  return { id, canonical_slug: id, name, links: { details: `/api/v1/models/${id}/endpoints` } };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Converts US cents per million tokens to USD per token in decimal digits, never with an exponent. */
function perToken(centsAMillion: number): string {
  const tenThousandths = Math.round(centsAMillion * 10_000);
  const digits = String(tenThousandths).padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}

const { router, alias } = MODEL_TEXTS;
/** The date that a gateway of this kind gives a model without an expiry. */
const NO_EXPIRY = '2098-12-31';
const THRESHOLDS = [32_000, 128_000, 256_000];
const ALIASES = 3;

function withSpecialFields(model: CatalogueModel): CatalogueModel {
  const random = new SeededRandom(PURPOSE.model, ...Buffer.from(model.id), 3);
  const overrides = readPrice(model.pricing['prompt']).kind === 'amount' ? tiersOf(model, random) : [];
  const placeholder = model.expiration_date === null && random.chance(0.04);
  return {
    ...model,
    ...(overrides.length > 0 && { pricing: { ...model.pricing, overrides } }),
    ...(placeholder && { expiration_date: NO_EXPIRY }),
  };
}

function specialModels(models: readonly CatalogueModel[]): CatalogueModel[] {
  const [first] = models;
  if (!first) return [];
  const firstOfVendors = new Map(models.toReversed().map((model) => [vendorOf(model), model]));
  return [routerLike(first), ...[...firstOfVendors.values()].toReversed().slice(0, ALIASES).map(aliasOf)];
}

function tiersOf({ pricing, context_length: context }: CatalogueModel, random: SeededRandom): Json[] {
  const kind = random.next();
  if (kind < 0.16) {
    const above = THRESHOLDS.filter((tokens) => tokens * 2 <= context).slice(-2);
    return above.map((tokens, index) => ({ min_prompt_tokens: tokens, ...multiplyPrices(pricing, index + 2) }));
  }
  return kind < 0.21 ? [{ utc_start: '16:30', utc_end: '00:30', ...multiplyPrices(pricing, '0.5') }] : [];
}

function multiplyPrices(pricing: CatalogueModel['pricing'], factor: number | string): Record<string, Json> {
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
    ...nameModel(`${vendorOf(model)}/auto`, router.name),
    description: router.description,
    pricing: { prompt: '-1', completion: '-1', request: '-1', image: '-1' },
  };
}

function aliasOf(model: CatalogueModel): CatalogueModel {
  const [family] = model.id.split('/')[1]?.split('-') ?? [];
  return {
    ...structuredClone(model),
    ...nameModel(`~${vendorOf(model)}/${family ?? 'model'}-latest`, fill(alias.name, { name: model.name })),
    description: fill(alias.description, { name: model.name }),
    alias_target: { slug: model.id, name: model.name },
  };
}

function vendorOf({ id }: CatalogueModel): string {
  return id.split('/')[0] ?? '';
}

const { namespace, label, description, prices } = MODEL_TEXTS.edgeCases;
const EDGE_CASE_PRICES: Record<string, Record<string, Json>> = prices;

export const EDGE_CASES = namespace;

function edgeCaseModels(plain: CatalogueModel): CatalogueModel[] {
  return Object.entries(EDGE_CASE_PRICES).map(([name, pricing]) => {
    const id = `${EDGE_CASES}/${name.toLowerCase().replace(' ', '-')}`;
    return {
      ...structuredClone(plain),
      ...nameModel(id, fill(label, { name })),
      description,
      pricing: { ...pricing },
    };
  });
}
