import { m } from '../messages.ts';

export const modelsUnits = {
  token: m.models_units_token,
  request: m.models_units_request,
  unstated: m.models_units_unstated,
  search: m.models_units_search,
  share: m.models_units_share,
  unknown: m.models_units_unknown,
};

export const priceHistoryUnits = {
  token: m.price_history_units_token,
  request: m.price_history_units_request,
  unstated: m.price_history_units_unstated,
  search: m.price_history_units_search,
  share: m.price_history_units_share,
  unknown: m.price_history_units_unknown,
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

export const priceUnits = {
  token: m.price_units_token,
  request: m.price_units_request,
  unstated: m.price_units_unstated,
  search: m.price_units_search,
  share: m.price_units_share,
  unknown: m.price_units_unknown,
};
