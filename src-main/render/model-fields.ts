import type { Message } from '../common/i18n/labels/message.ts';
import { m } from '../common/i18n/messages.ts';
import type { ModelLine } from '../contract/model/model.ts';

interface Naming {
  /** The gateway's name, or ours for what is not in its record. It heads the column in CSV. */
  name: string;
  /** The part of the gateway's record that has it; null for what is not in it. */
  within: 'record' | 'architecture' | 'top_provider' | null;
  /** Shown on the page. */
  label: Message;
  /** Shown above a column, where it differs. */
  column?: Message;
  /** Shown in a terminal: at most twelve characters. */
  terminal: string;
}

/** Decides how a field is written, sorted and aligned. */
type Value =
  | { kind: 'text' | 'day'; value: (line: ModelLine) => string | null }
  | { kind: 'tokens' | 'seconds'; value: (line: ModelLine) => number | null }
  | { kind: 'modalities' | 'list'; value: (line: ModelLine) => readonly string[] }
  | { kind: 'flag'; value: (line: ModelLine) => boolean | null };

export type ModelField = Naming & Value;

/** The fields of a model besides its id, description and prices, in the order in which they are listed. */
const FIELDS = {
  name: {
    name: 'name',
    within: 'record',
    label: m.models_columns_name,
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
    value: (line) => line.vendor,
  },
  aliasTarget: {
    name: 'alias_target',
    within: 'record',
    label: m.model_fields_alias_for,
    terminal: 'Alias for',
    kind: 'text',
    value: (line) => line.aliasTarget,
  },
  context: {
    name: 'context_length',
    within: 'record',
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
    within: 'record',
    label: m.model_fields_parameters,
    column: m.models_columns_parameters,
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
    within: 'record',
    label: m.model_fields_created,
    terminal: 'Created',
    kind: 'seconds',
    value: (line) => line.created,
  },
  expiry: {
    name: 'expiration_date',
    within: 'record',
    label: m.model_fields_expiry,
    column: m.models_columns_expiry,
    terminal: 'Expires',
    kind: 'day',
    value: (line) => line.expirationDate,
  },
  cutoff: {
    name: 'knowledge_cutoff',
    within: 'record',
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

export function isModelField(id: string): id is ModelFieldId {
  return Object.hasOwn(FIELDS, id);
}
