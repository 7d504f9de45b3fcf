import type { Item } from '../contract/model/item.ts';
import type { ModelListsTable } from './models/model-lists-table.ts';
import type { ReportsTable } from './reports/reports-table.ts';
import type { Origin, Outcome } from './items/items-table.ts';
import type { RankingsTable } from './stories/rankings-table.ts';
import type { SelectedSet } from './items/selected-set.ts';
import type { StoriesTable } from './stories/stories-table.ts';
import type { ValidatorsTable } from './schedule/validators.ts';

/** What one write did to the items. */
export interface WriteSummary {
  added: number;
  revised: number;
  withdrawn: number;
  /** Of revised, completed and withdrawn items. */
  ids: string[];
}

/** Whether a write touched any item. */
export function changesItems({ added, ids }: WriteSummary): boolean {
  return added > 0 || ids.length > 0;
}

/** What can be done within one transaction: all of it comes to stand, or nothing. */
export interface Write {
  readonly summary: WriteSummary;
  readonly selectedSet: SelectedSet;
  readonly validators: ValidatorsTable;
  readonly reports: ReportsTable;
  readonly rankings: RankingsTable;
  readonly stories: StoriesTable;
  readonly models: ModelListsTable;
  upsertAll(items: readonly Item[], origin: Origin): void;
  upsert(item: Item, origin: Origin): Outcome;
  withdraw(id: string): void;
  /** A stored member stays one under this generation, though its record could not be read. */
  keepMember(id: string, generation: number): void;
  /** Members that the snapshot of this generation did not name have left the set. */
  sweepBefore(generation: number): void;
  setProperty(name: string, value: string | null): void;
}
