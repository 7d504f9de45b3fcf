import { nameKey } from '../../common/text.ts';
import { KINDS } from '../../contract/records.ts';
import { adoptAddress } from '../items/addresses.ts';
import { workloads } from '../models/model-statuses.ts';
import { list, merge, type Exported, type Merged } from '../records.ts';
import { savedSearchRows } from '../rules/rules.ts';
import type { Tx } from '../tx.ts';

const MAX_ALIASES = 20;

/** `skipped`: exceeded a limit. */
export interface Taken {
  taken: number;
  unchanged: number;
  skipped: number;
}

/** Removes nothing. Keeps the earlier of two times and the later version of a note; replaces aliases and workloads. */
export function takeExported(tx: Tx, exported: readonly Exported[]): Taken {
  const sum: Taken = { taken: 0, unchanged: 0, skipped: 0 };
  for (const outcome of takeRecords(tx, exported)) sum[outcome] += 1;
  followAddresses(tx);
  return sum;
}

function takeRecords(tx: Tx, exported: readonly Exported[]): Merged[] {
  const { fitting, left } = aliasesWithRoom(tx, exported);
  const outcomes = merge(tx, withKnownNames(tx, fitting));
  return [...outcomes, ...left.map((): Merged => 'skipped')];
}

/** The items of an address are read with it. */
function followAddresses(tx: Tx): void {
  for (const { kind, ids } of tx.changed) if (kind === 'address') for (const id of ids) adoptAddress(tx, id);
}

/** A search or workload of the same name is the same one. */
function withKnownNames({ db }: Tx, exported: readonly Exported[]): Exported[] {
  const known = {
    saved: new Map(savedSearchRows(db).map(({ id, name }) => [nameKey(name), id])),
    workload: new Map(workloads(db).map(({ id, name }) => [nameKey(name), String(id)])),
  };
  return exported.map((record) => {
    if (record.kind !== 'saved' && record.kind !== 'workload') return record;
    const { success, data } = KINDS[record.kind].value.safeParse(record.value);
    const id = success ? known[record.kind].get(nameKey(data.name)) : undefined;
    return id === undefined ? record : { ...record, id };
  });
}

function aliasesWithRoom({ db }: Tx, exported: readonly Exported[]): { fitting: Exported[]; left: Exported[] } {
  const models = new Map(list(db, 'alias').map(([folded, { model }]) => [folded, model]));
  const counts = new Map<string, number>();
  for (const model of models.values()) counts.set(model, (counts.get(model) ?? 0) + 1);
  const fitting: Exported[] = [];
  const left: Exported[] = [];
  for (const record of exported) {
    const alias = record.kind === 'alias' ? KINDS.alias.value.safeParse(record.value).data : undefined;
    const isNew = alias !== undefined && models.get(record.id) !== alias.model;
    const count = isNew ? (counts.get(alias.model) ?? 0) + 1 : 0;
    if (isNew) counts.set(alias.model, count);
    (count > MAX_ALIASES ? left : fitting).push(record);
  }
  return { fitting, left };
}
