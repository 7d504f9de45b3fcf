import type { Message } from '../common/i18n/labels.ts';
import { m } from '../common/i18n/messages.ts';
import { vendorName } from '../common/model-line.ts';
import { isJsonObject, type Json, type JsonObject, type ModelLine, type ModelRecord } from '../contract/model/model.ts';

interface Naming {
  /** The gateway's name, or ours; the column's head in CSV. */
  name: string;
  /** The part of the gateway's record; null if it isn't in there. */
  within?: 'architecture' | 'top_provider' | null;
  label: Message;
  column?: Message;
  /** At most twelve characters. */
  terminal: string;
}

type Value =
  | { kind: 'text' | 'day'; value: (line: ModelLine) => string | null }
  | { kind: 'tokens' | 'seconds'; value: (line: ModelLine) => number | null }
  | { kind: 'modalities' | 'list'; value: (line: ModelLine) => readonly string[] }
  | { kind: 'flag'; value: (line: ModelLine) => boolean | null };

export type ModelField = Naming & Value;

/** In display order. */
const FIELDS = {
  name: {
    name: 'name',
    label: m.kind_model,
    terminal: 'Name',
    kind: 'text',
    value: (line) => line.name,
  },
  vendor: {
    name: 'vendor',
    within: null,
    label: m.model_fields_vendor,
    terminal: 'Vendor',
    kind: 'text',
    value: vendorName,
  },
  aliasTarget: {
    name: 'alias_target',
    label: m.model_fields_alias_for,
    terminal: 'Alias for',
    kind: 'text',
    value: (line) => line.aliasTarget,
  },
  context: {
    name: 'context_length',
    label: m.model_fields_context,
    terminal: 'Context',
    kind: 'tokens',
    value: (line) => line.contextLength,
  },
  maxOutput: {
    name: 'max_completion_tokens',
    within: 'top_provider',
    label: m.model_fields_max_output,
    terminal: 'Max output',
    kind: 'tokens',
    value: (line) => line.maxCompletionTokens,
  },
  inputs: {
    name: 'input_modalities',
    within: 'architecture',
    label: m.model_fields_inputs,
    terminal: 'Input',
    kind: 'modalities',
    value: (line) => line.inputModalities,
  },
  outputs: {
    name: 'output_modalities',
    within: 'architecture',
    label: m.model_fields_outputs,
    terminal: 'Output',
    kind: 'modalities',
    value: (line) => line.outputModalities,
  },
  modality: {
    name: 'modality',
    within: 'architecture',
    label: m.model_fields_modality,
    terminal: 'Modality',
    kind: 'text',
    value: (line) => line.modality,
  },
  tokenizer: {
    name: 'tokenizer',
    within: 'architecture',
    label: m.model_fields_tokenizer,
    terminal: 'Tokenizer',
    kind: 'text',
    value: (line) => line.tokenizer,
  },
  instructType: {
    name: 'instruct_type',
    within: 'architecture',
    label: m.model_fields_instruct_type,
    terminal: 'Instruct',
    kind: 'text',
    value: (line) => line.instructType,
  },
  parameters: {
    name: 'supported_parameters',
    label: m.model_fields_parameters,
    column: m.model_fields_parameters,
    terminal: 'Parameters',
    kind: 'list',
    value: (line) => line.supportedParameters,
  },
  moderated: {
    name: 'is_moderated',
    within: 'top_provider',
    label: m.model_fields_moderated,
    terminal: 'Moderated',
    kind: 'flag',
    value: (line) => line.moderated,
  },
  created: {
    name: 'created',
    label: m.model_fields_created,
    terminal: 'Created',
    kind: 'seconds',
    value: (line) => line.created,
  },
  expiry: {
    name: 'expiration_date',
    label: m.model_fields_expiry,
    column: m.models_columns_expiry,
    terminal: 'Expires',
    kind: 'day',
    value: (line) => line.expirationDate,
  },
  cutoff: {
    name: 'knowledge_cutoff',
    label: m.model_fields_cutoff,
    terminal: 'Cutoff',
    kind: 'day',
    value: (line) => line.knowledgeCutoff,
  },
  firstSeen: {
    name: 'first_seen_at',
    within: null,
    label: m.models_columns_first_seen,
    terminal: 'First seen',
    kind: 'day',
    value: (line) => line.firstSeenAt,
  },
} as const satisfies Record<string, ModelField>;

export type ModelFieldId = keyof typeof FIELDS;
export const MODEL_FIELDS: Readonly<Record<ModelFieldId, ModelField>> = FIELDS;

export type Shape = (value: Json) => boolean;

export const isText: Shape = (value) => typeof value === 'string';
export const isNumber: Shape = (value) => typeof value === 'number' && Number.isFinite(value);
const isTexts: Shape = (value) => Array.isArray(value) && value.every(isText);
const SHAPES: Readonly<Record<ModelField['kind'], Shape>> = {
  text: isText,
  day: isText,
  tokens: isNumber,
  seconds: isNumber,
  modalities: isTexts,
  list: isTexts,
  flag: (value) => typeof value === 'boolean',
};

/** Returns fields that are undocumented, or of an undocumented type, by path. `placed` are shown elsewhere. */
export function restOfRecord(record: ModelRecord, placed: Readonly<Record<string, Shape>>): JsonObject {
  const known = Object.values(MODEL_FIELDS).flatMap(({ name, within, kind }): [string, Shape][] =>
    within === null ? [] : [[within === undefined ? name : `${within}.${name}`, SHAPES[kind]]],
  );
  const isAlias: Shape = (value) => isText(value) || (isJsonObject(value) && isText(value['slug'] ?? null));
  const shapes = new Map([...known, ['alias_target', isAlias] as const, ...Object.entries(placed)]);
  const parts = new Set([...shapes.keys()].flatMap((path) => (path.includes('.') ? path.replace(/\..*/, '') : [])));
  const fields = Object.entries(record).flatMap(([name, value]): [string, Json][] =>
    parts.has(name) && isJsonObject(value)
      ? Object.entries(value).map(([member, inner]) => [`${name}.${member}`, inner])
      : [[name, value]],
  );
  const rest = fields.filter(([path, value]) => {
    // Documented fields that are null count as missing; unknown ones are listed.
    if (value === null && (shapes.has(path) || parts.has(path))) return false;
    return !shapes.get(path)?.(value);
  });
  return Object.fromEntries(rest);
}
