import { m } from '../messages.ts';

export const changeLogKinds = {
  added: m.change_log_kinds_added,
  removed: m.change_log_kinds_removed,
  price: m.change_log_kinds_price,
  context: m.change_log_kinds_context,
  maxCompletion: m.change_log_kinds_max_completion,
  modality: m.change_log_kinds_modality,
  parameters: m.change_log_kinds_parameters,
  moderation: m.change_log_kinds_moderation,
  expiry: m.change_log_kinds_expiry,
  cutoff: m.change_log_kinds_cutoff,
  name: m.change_log_kinds_name,
};

export const changeLogLists = {
  models: m.change_log_lists_models,
  embeddings: m.change_log_lists_embeddings,
};
