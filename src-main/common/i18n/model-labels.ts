import { m } from './messages.ts';

export const changeLogKinds = {
  added: m.change_log_kinds_added,
  removed: m.change_log_kinds_removed,
  price: m.change_log_kinds_price,
  context: m.model_fields_context,
  maxCompletion: m.model_fields_max_output,
  modality: m.model_fields_modality,
  parameters: m.change_log_kinds_parameters,
  moderation: m.change_log_kinds_moderation,
  expiry: m.model_fields_expiry,
  cutoff: m.model_fields_cutoff,
  name: m.name,
};

export const modelExportFormats = {
  csv: m.model_export_formats_csv,
  json: m.model_export_formats_json,
  md: m.model_export_formats_md,
};

export const modelFilterExpiry = {
  any: m.any,
  dated: m.model_filter_expiry_dated,
  soon: m.model_filter_expiry_soon,
};

export const modelFilterModeration = {
  any: m.any,
  yes: m.model_filter_moderation_yes,
  no: m.model_filter_moderation_no,
};

export const modelFilterSwitches = {
  free: m.price_free,
  favourites: m.model_filter_parts_favourites,
};

export const modelFilterValues = {
  inputs: m.model_filter_parts_inputs,
  outputs: m.model_filter_parts_outputs,
};

export const modelListNames = {
  models: m.views_models,
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

export const workloadFaults = {
  nameless: m.workload_nameless,
  notWhole: m.workload_not_whole,
  cachedTooMany: m.workload_cached_too_many,
};

export const priceNames = {
  prompt: m.price_names_prompt,
  completion: m.price_names_completion,
  input_cache_read: m.price_names_input_cache_read,
  input_cache_write: m.price_names_input_cache_write,
  internal_reasoning: m.price_names_internal_reasoning,
  audio: m.price_names_audio,
  image: m.price_names_image,
  request: m.price_names_request,
  web_search: m.price_names_web_search,
  discount: m.price_names_discount,
};

/** Explains prices and fields that only developers know. */
export const modelHints = {
  input_cache_read: m.model_hints_cache_read,
  input_cache_write: m.model_hints_cache_write,
  internal_reasoning: m.model_hints_reasoning,
  moderated: m.model_hints_moderated,
  tokenizer: m.model_hints_tokenizer,
};

export const priceUnits = {
  token: m.price_units_token,
  request: m.price_units_request,
  search: m.price_units_search,
  unstated: m.price_units_unstated,
  unknown: m.price_units_unknown,
};

export const keyPlaces = {
  keychain: m.key_places_keychain,
  file: m.key_places_file,
  thisRun: m.key_places_this_run,
  environment: m.key_places_environment,
};

export const keyReasons = {
  host: m.key_reasons_host,
  unavailable: m.key_reasons_unavailable,
  plainText: m.key_reasons_plain_text,
};

export const keyWillBe = {
  keychain: m.key_will_be_keychain,
  file: m.key_will_be_file,
  thisRun: m.key_will_be_this_run,
};
