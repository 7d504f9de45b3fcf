import { modelLine } from '../../src-main/contract/model_fields.ts';
import type { CatalogueRefresh, ChangedField, ModelChange } from '../../src-main/contract/models.ts';
import type { Json } from '../../src-main/contract/model.ts';
import type { ModelFields } from '../../src-main/contract/model_fields.ts';

/** In the order in which they are read. */
export const CHANGED_FIELDS = [
  'added',
  'removed',
  'price',
  'context',
  'maxCompletion',
  'modality',
  'parameters',
  'moderation',
  'expiry',
  'cutoff',
  'name',
] as const satisfies readonly ChangedField[];

export interface ChangeFilter {
  /** Null for every kind. */
  field: ChangedField | null;
  /** Part of a model's name or id, in any case. */
  text: string;
}

/** A refresh as it is read: its differences by their kind. */
export interface ShownRefresh extends Omit<CatalogueRefresh, 'changes'> {
  count: number;
  groups: { field: ChangedField; changes: ModelChange[] }[];
}

/** What of a change log fits a filter; refreshes of which nothing does are left out. */
export function shownRefreshes(refreshes: readonly CatalogueRefresh[], { field, text }: ChangeFilter): ShownRefresh[] {
  const wanted = text.trim().toLowerCase();
  const fits = (change: ModelChange): boolean =>
    (field === null || change.field === field) &&
    (wanted === '' || change.name.toLowerCase().includes(wanted) || change.model.toLowerCase().includes(wanted));
  return refreshes.flatMap(({ changes, ...refresh }) => {
    const fitting = changes.filter(fits);
    const groups = CHANGED_FIELDS.map((name) => ({
      field: name,
      changes: fitting.filter((change) => change.field === name),
    })).filter((group) => group.changes.length > 0);
    return groups.length === 0 ? [] : [{ ...refresh, count: fitting.length, groups }];
  });
}

/** What is told of a model that came or left: its fields, as far as they are kept. Null of other changes. */
export function toldOf({ field, model, before, after }: ModelChange): ModelFields | null {
  const kept: Json | undefined = field === 'added' ? after : field === 'removed' ? before : undefined;
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return null;
  return modelLine({ ...kept, id: model });
}
