import { isJsonObject, type Json, type JsonObject, type ModelLine, type ModelRecord } from '../contract/model/model.ts';
import { numberIn } from './numbers.ts';
import { LATEST_TIME, TEN_YEARS } from './time.ts';

export type ModelFields = Omit<ModelLine, 'modelList' | 'firstSeenAt' | 'favouriteAt'>;

/** In UTF-16 units; the record still has longer texts whole. */
const LONGEST_NAME = 512;
const LONGEST_DESCRIPTION = 20_000;
/** observed-9-aliases. */
const ALIAS_SIGN = '~';

/** Reads the known fields (document 2 section 2), under the gateway's names. Unreadable ones are null or empty. */
export function knownFields(record: JsonObject) {
  const architecture = membersOf(record['architecture']);
  const provider = membersOf(record['top_provider']);
  return {
    name: text(record['name'], LONGEST_NAME),
    alias_target: aliasTargetOf(record['alias_target']),
    description: text(record['description'], LONGEST_DESCRIPTION),
    created: time(record['created']),
    context_length: tokens(record['context_length']),
    architecture: {
      input_modalities: texts(architecture['input_modalities']),
      output_modalities: texts(architecture['output_modalities']),
      modality: text(architecture['modality']),
      tokenizer: text(architecture['tokenizer']),
      instruct_type: text(architecture['instruct_type']),
    },
    pricing: membersOf(record['pricing']),
    top_provider: {
      max_completion_tokens: tokens(provider['max_completion_tokens']),
      is_moderated: flag(provider['is_moderated']),
    },
    supported_parameters: texts(record['supported_parameters']),
    expiration_date: text(record['expiration_date']),
    knowledge_cutoff: text(record['knowledge_cutoff']),
  };
}

export function modelLine(record: ModelRecord): ModelFields {
  const { architecture, top_provider: provider, pricing, ...fields } = knownFields(record);
  return {
    id: record.id,
    name: fields.name ?? record.id,
    vendor: vendorOf(record.id),
    aliasTarget: fields.alias_target,
    description: fields.description,
    created: fields.created,
    contextLength: fields.context_length,
    maxCompletionTokens: provider.max_completion_tokens,
    inputModalities: architecture.input_modalities,
    outputModalities: architecture.output_modalities,
    modality: architecture.modality,
    tokenizer: architecture.tokenizer,
    instructType: architecture.instruct_type,
    pricing,
    moderated: provider.is_moderated,
    supportedParameters: fields.supported_parameters,
    expirationDate: fields.expiration_date,
    knowledgeCutoff: fields.knowledge_cutoff,
  };
}

/** Drops an expiry more than ten years after `now` (ms since 1970), which is a placeholder. */
export function expiryOf(expirationDate: string | null, now: number): string | null {
  return expirationDate !== null && Date.parse(expirationDate) - now > TEN_YEARS ? null : expirationDate;
}

export function isAliasId(id: string): boolean {
  return id.startsWith(ALIAS_SIGN);
}

export function nameWithoutVendor(name: string): string {
  return /^[^:：]+(?::\s+|：\s*)(\S.*)$/su.exec(name)?.[1] ?? name;
}

/** As the name has it, else as the id does. */
export function vendorName({ name, vendor }: Pick<ModelLine, 'name' | 'vendor'>): string | null {
  const rest = nameWithoutVendor(name);
  return rest === name ? vendor : name.slice(0, -rest.length).replace(/[:：]\s*$/u, '');
}

function vendorOf(id: string): string | null {
  const start = isAliasId(id) ? ALIAS_SIGN.length : 0;
  const slash = id.indexOf('/');
  return slash > start ? id.slice(start, slash) : null;
}

/** Some gateways send the id, some an object with it. */
function aliasTargetOf(value: Json | undefined): string | null {
  return text(value) ?? text(membersOf(value)['slug']);
}

function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function text(value: Json | undefined, longest = LONGEST_NAME): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  // The cut may split a surrogate pair.
  return value.length > longest ? value.slice(0, longest).toWellFormed() : value;
}

/** Drops repeated words, which lists saved by earlier versions may have. */
function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? [...new Set(value.filter((entry) => typeof entry === 'string'))] : [];
}

function tokens(value: Json | undefined): number | null {
  const count = numberIn(value);
  return count !== null && Number.isFinite(count) && count >= 0 ? count : null;
}

/** A short text of digits may be a year. */
function time(value: Json | undefined): number | null {
  const seconds = typeof value === 'string' && value.length < 9 ? null : numberIn(value);
  return seconds !== null && Math.abs(seconds) <= LATEST_TIME / 1000 ? seconds : null;
}

function flag(value: Json | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
