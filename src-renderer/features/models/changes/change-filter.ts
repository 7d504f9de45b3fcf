import type { ModelListName } from '../../../../src-main/contract/model/resource.ts';
import {
  CHANGED_FIELDS,
  type ChangedField,
  type ModelChange,
  type ModelRefresh,
} from '../../../../src-main/contract/model/model.ts';

export interface ChangeFilter {
  modelList: ModelListName;
  /** Null for every kind. */
  field: ChangedField | null;
  /** Part of a model's name or id, in any case. */
  text: string;
}

export interface ChangedModel {
  model: string;
  name: string;
  changes: ModelChange[];
}

/** A refresh with its changes grouped by kind, then by model. */
export interface FilteredRefresh extends Omit<ModelRefresh, 'changes'> {
  count: number;
  groups: { field: ChangedField; models: ChangedModel[] }[];
}

/** Filters a change log. Refreshes without a matching change are left out. */
export function filterRefreshes(refreshes: readonly ModelRefresh[], filter: ChangeFilter): FilteredRefresh[] {
  const wanted = filter.text.trim().toLowerCase();
  const fits = ({ field, name, model }: ModelChange): boolean =>
    (filter.field === null || field === filter.field) &&
    (wanted === '' || name.toLowerCase().includes(wanted) || model.toLowerCase().includes(wanted));
  return refreshes.flatMap(({ changes, ...refresh }) => {
    const fitting = refresh.modelList === filter.modelList ? changes.filter(fits) : [];
    if (fitting.length === 0) return [];
    const groups = CHANGED_FIELDS.map((field) => ({ field, models: byModel(fitting, field) }));
    return [{ ...refresh, count: fitting.length, groups: groups.filter(({ models }) => models.length > 0) }];
  });
}

function byModel(changes: readonly ModelChange[], field: ChangedField): ChangedModel[] {
  const models = new Map<string, ChangedModel>();
  for (const change of changes) {
    if (change.field !== field) continue;
    const known = models.get(change.model);
    if (known) known.changes.push(change);
    else models.set(change.model, { model: change.model, name: change.name, changes: [change] });
  }
  return [...models.values()];
}
