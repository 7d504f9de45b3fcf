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
