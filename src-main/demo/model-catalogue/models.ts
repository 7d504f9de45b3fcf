import type { Json } from '../../contract/model.ts';
import type { ModelRecord } from '../../contract/models.ts';
import { PURPOSE, Dice } from '../dice.ts';
import { fill } from '../content/template.ts';
import type { Bilingual } from '../content/template.ts';
import { MODEL_TEXTS, ORGANISATIONS, type Organisation } from '../content/texts.ts';
import { oddModels } from './oddments.ts';
import { perToken } from './price.ts';

/** A model as the gateway lists it (document 2 section 2; further members as in sheet 3, "Model listing"). */
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

interface Edition {
  suffix: string;
  label: string;
  note: string;
}

const EDITIONS: readonly Edition[] = MODEL_TEXTS.variants;
const PARAMETERS = MODEL_TEXTS.parameters;
const EMBEDDINGS_COUNT = 17;

const FAMILIES: readonly Family[] = ORGANISATIONS.flatMap((organisation) =>
  organisation.models.map((model) => ({ organisation, model })),
);

/** What the holder of the key may use: so many models, made anew at each call. The last few have odd prices. */
export function chatModels(count: number): CatalogueModel[] {
  const odd = oddModels(chatModel(FAMILIES[0] as Family, EDITIONS[0] as Edition));
  const usual = Array.from({ length: Math.max(0, count - odd.length) }, (_, index) => usualModel(index));
  return [...usual, ...odd].slice(0, count);
}

export function embeddingsModels(): CatalogueModel[] {
  return ORGANISATIONS.slice(0, EMBEDDINGS_COUNT).map(embeddingsModel);
}

/** A release of one of the families on a date (`2026-03-12`). */
export function datedModel(dice: Dice, date: string): CatalogueModel {
  const { label, note } = MODEL_TEXTS.release;
  const edition = { suffix: `-${date}`, label: fill(label, { date }), note: fill(note, { date }) };
  return { ...chatModel(dice.pick(FAMILIES), edition), created: Date.parse(date) / 1000, expiration_date: null };
}

/** One edition of all families after the other; when every one was there, the same again as further releases. */
function usualModel(index: number): CatalogueModel {
  const family = FAMILIES[index % FAMILIES.length] as Family;
  const round = Math.floor(index / FAMILIES.length);
  const edition = EDITIONS[round % EDITIONS.length] as Edition;
  const release = Math.floor(round / EDITIONS.length) + 1;
  if (release === 1) return chatModel(family, edition);
  const { suffix, label } = edition;
  return chatModel(family, { ...edition, suffix: `-r${release}${suffix}`, label: ` r${release}${label}` });
}

function chatModel({ organisation, model }: Family, { suffix, label, note }: Edition): CatalogueModel {
  const id = `${slug(organisation.name.en)}/${slug(model.en)}${suffix}`;
  const dice = new Dice(PURPOSE.model, ...Buffer.from(id));
  const context = dice.pick([32_768, 65_536, 131_072, 200_000, 262_144, 1_048_576]);
  const inputs = dice.pick([['text'], ['text'], ['text', 'image'], ['text', 'image', 'file'], ['text', 'audio']]);
  const reasons = dice.chance(0.4);
  const strengths = dice.some(MODEL_TEXTS.strengths, 2).join(' and ');
  return {
    ...common(id, `${organisation.name.en}: ${model.en}${label}`, dice),
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
      instruct_type: dice.chance(0.2) ? 'chatml' : null,
      tokenizer: dice.pick(['Other', 'BPE', 'SentencePiece']),
    },
    pricing: suffix.endsWith(':free')
      ? { prompt: '0', completion: '0', image: '0', request: '0' }
      : chatPricing(dice, inputs, reasons),
    top_provider: {
      context_length: context,
      is_moderated: dice.chance(0.3),
      max_completion_tokens: dice.chance(0.3) ? null : dice.pick([8192, 16_384, 65_536, 131_072]),
    },
    supported_parameters: [
      ...dice.some(PARAMETERS, dice.between(4, PARAMETERS.length)),
      ...(reasons ? ['reasoning', 'include_reasoning'] : []),
    ],
    default_parameters: dice.chance(0.3) ? { temperature: dice.pick([0.6, 0.7, 1]), top_p: 0.95 } : null,
    ...(reasons && { reasoning: { mandatory: dice.chance(0.3), supported_efforts: ['high', 'medium', 'low'] } }),
    ...(dice.chance(0.5) && { hugging_face_id: id.replace(/:.*/, '') }),
  };
}

/** Not every price is always there: some models lack image and request, a few lack everything but the prompt. */
function chatPricing(dice: Dice, inputs: string[], reasons: boolean): Record<string, Json> {
  const prompt = dice.pick([2, 6, 10, 15, 18, 25, 40, 75, 110, 125, 250, 300, 1500]);
  if (dice.chance(0.1)) return { prompt: perToken(prompt) };
  return {
    prompt: perToken(prompt),
    completion: perToken(prompt * dice.between(3, 5)),
    ...(dice.chance(0.7) && {
      image: inputs.includes('image') ? '0.0012' : '0',
      request: dice.chance(0.1) ? '0.005' : '0',
    }),
    ...(inputs.includes('audio') && { audio: perToken(prompt * 8) }),
    ...(dice.chance(0.5) && { input_cache_read: perToken(prompt / 10), input_cache_write: perToken(prompt * 1.25) }),
    ...(reasons && { internal_reasoning: perToken(prompt * 4) }),
    ...(dice.chance(0.2) && { web_search: '0.01' }),
    ...(dice.chance(0.1) && { discount: 0.25 }),
  };
}

function embeddingsModel(organisation: Organisation, index: number): CatalogueModel {
  const id = `${slug(organisation.name.en)}/embed-${index % 3 === 0 ? 'large' : 'base'}-v${(index % 4) + 1}`;
  const dice = new Dice(PURPOSE.model, ...Buffer.from(id));
  const context = dice.pick([512, 2048, 8192, 32_768]);
  const images = dice.chance(0.2) ? ['text', 'image'] : ['text'];
  return {
    ...common(id, `${organisation.name.en}: Embed ${index % 3 === 0 ? 'Large' : 'Base'} v${(index % 4) + 1}`, dice),
    description: fill(MODEL_TEXTS.embeddingsDescription, { context, dimensions: dice.pick([384, 768, 1024, 2048]) }),
    context_length: context,
    architecture: {
      input_modalities: images,
      output_modalities: ['embeddings'],
      modality: `${images.join('+')}->embeddings`,
      instruct_type: null,
      tokenizer: 'Other',
    },
    pricing: {
      prompt: index === 4 ? '0' : perToken(dice.pick([1, 2, 5, 10, 13])),
      completion: '0',
      image: '0',
      request: '0',
    },
    top_provider: { context_length: context, is_moderated: false, max_completion_tokens: null },
    supported_parameters: [],
    default_parameters: null,
  };
}

function common(id: string, name: string, dice: Dice) {
  const created = Date.UTC(2025, dice.between(0, 13), dice.between(1, 28)) / 1000;
  const day = new Date(created * 1000).toISOString().slice(0, 10);
  return {
    id,
    canonical_slug: `${id.replace(/:.*/, '')}-${day.replaceAll('-', '')}`,
    name,
    created,
    supported_voices: null,
    expiration_date: dice.chance(0.05) ? '2027-01-31' : null,
    knowledge_cutoff: dice.chance(0.5) ? `2025-0${dice.between(1, 9)}-30` : null,
    per_request_limits: null,
    links: { details: `/api/v1/models/${id}/endpoints` },
  };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-|-$/g, '');
}
