import { m } from '../messages.ts';

export const modelExportFormats = {
  csv: m.model_export_formats_csv,
  json: m.model_export_formats_json,
  md: m.model_export_formats_md,
};

export const modelExportNotes = {
  csv: m.model_export_notes_csv,
  json: m.model_export_notes_json,
  md: m.model_export_notes_md,
};

export const modelFieldNames = {
  context: m.model_fields_context,
  modality: m.model_fields_modality,
  parameters: m.model_fields_parameters,
  expiry: m.model_fields_expiry,
  cutoff: m.model_fields_cutoff,
  vendor: m.model_fields_vendor,
  aliasTarget: m.model_fields_alias_for,
  created: m.model_fields_created,
  tokenizer: m.model_fields_tokenizer,
  instructType: m.model_fields_instruct_type,
  moderated: m.model_fields_moderated,
  maxOutput: m.model_fields_max_output,
  inputs: m.model_fields_inputs,
  outputs: m.model_fields_outputs,
};

export const modelFilterExpiry = {
  any: m.model_filter_expiry_any,
  dated: m.model_filter_expiry_dated,
  soon: m.model_filter_expiry_soon,
};

export const modelFilterModeration = {
  any: m.model_filter_moderation_any,
  yes: m.model_filter_moderation_yes,
  no: m.model_filter_moderation_no,
};

export const modelFilterSwitches = {
  free: m.model_filter_parts_free,
  favourites: m.model_filter_parts_favourites,
};

export const modelFilterValues = {
  inputs: m.model_filter_parts_inputs,
  outputs: m.model_filter_parts_outputs,
};

export const modelPageKinds = {
  models: m.model_page_kinds_models,
  embeddings: m.model_page_kinds_embeddings,
};

export const modelsColumns = {
  name: m.models_columns_name,
  vendor: m.models_columns_vendor,
  context: m.models_columns_context,
  maxOutput: m.models_columns_max_output,
  cost: m.models_columns_cost,
  inputs: m.models_columns_inputs,
  outputs: m.models_columns_outputs,
  created: m.models_columns_created,
  expiry: m.models_columns_expiry,
  cutoff: m.models_columns_cutoff,
  moderated: m.models_columns_moderated,
  parameters: m.models_columns_parameters,
  tokenizer: m.models_columns_tokenizer,
  firstSeen: m.models_columns_first_seen,
};

export const modelListNames = {
  models: m.models_lists_models,
  embeddings: m.models_lists_embeddings,
};

export const modelsModalities = {
  text: m.models_modalities_text,
  image: m.models_modalities_image,
  audio: m.models_modalities_audio,
  video: m.models_modalities_video,
  file: m.models_modalities_file,
  embeddings: m.models_modalities_embeddings,
};

export const modelsPanels = {
  table: m.models_panels_table,
  chart: m.models_panels_chart,
  changes: m.models_panels_changes,
};

export const workloadFaults = {
  nameless: m.workload_nameless,
  notWhole: m.workload_not_whole,
  cachedTooMany: m.workload_cached_too_many,
};
