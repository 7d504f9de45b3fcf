import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Item, ItemAction, ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { Workload } from '../../src-main/contract/model/model.ts';
import type { ResourceName } from '../../src-main/contract/model/resource.ts';
import {
  openStore,
  type OpenMarking,
  type Origin,
  type Queries,
  type ScheduleState,
  type Store,
  type StoreOptions,
  type Transaction,
  type Before,
  type WriteSummary,
} from '../../src-main/store/index.ts';
import { fakeClock, type FakeClock } from './clock.ts';

export const SOURCE = 'https://news.example';
export const LISTED: Origin = { kind: 'listed' };
export const SELECTED: Origin = { kind: 'selected', generation: 1 };
export const EVERYTHING: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

export interface TestStoreOptions {
  folder?: string;
  source?: string;
  clock?: FakeClock;
}

/** A store in memory or in a folder, closed after the test at the latest. */
export function openTestStore(
  { folder = ':memory:', source = SOURCE, clock = fakeClock() }: TestStoreOptions = {},
  open: (options: StoreOptions) => Store = openStore,
): Store {
  const store = open({ folder, source, now: () => clock.now() });
  onTestFinished(() => {
    store.close();
  });
  return store;
}

export interface StoreScene {
  clock: FakeClock;
  store: Store;
  /** Those of the store. */
  queries: Queries;
  /** Updates the search index. */
  index(): void;
}

/** A store with its clock and its search index. */
export function openStoreScene(options: TestStoreOptions = {}, open?: (options: StoreOptions) => Store): StoreScene {
  const { clock = fakeClock() } = options;
  const store = openTestStore({ ...options, clock }, open);
  const index = (): void => {
    while (stepIndex(store));
  };
  return { clock, store, queries: store.queries, index };
}

/** Does a part of the work of the search index. */
export function stepIndex(store: Store): boolean {
  const isIndexing = (['itemTexts', 'reportTexts'] as const).some((name) => store.derive(name) !== null);
  return isIndexing || store.searchIndexer().merge();
}

/** Removes the mirror of a closed store and its search index, as a reader may do. */
export function removeMirror(folder: string): void {
  for (const name of globSync('{mirror,search}.db*', { cwd: folder })) rmSync(join(folder, name));
}

/** Writes in one transaction, and says what that did to the items. */
export function write(store: Store, work: (tx: Transaction) => void): WriteSummary {
  return store.transaction((tx) => {
    work(tx);
    return tx.summary;
  });
}

export function mark(store: Store, ids: readonly string[], action: ItemAction): Before {
  return store.transaction(({ statuses, now }) => statuses.mark(ids, action, now));
}

export function markAllRead(store: Store, query: ItemsQuery, watermark: number): Before {
  return store.transaction(
    ({ statuses, now }) => statuses.markAllRead({ query, watermark, now, below: null }, 1e9).undo,
  );
}

/** Marks everything in a list as read in steps of `limit` items, as the engine does. Returns the undo. */
export function markInSteps(store: Store, query: ItemsQuery, limit: number, now: number): Before {
  const whole: Before = { kind: 'read', service: SOURCE, pairs: [] };
  let open: OpenMarking | null = { query, watermark: store.queries.mirror.number('sequence'), now, below: null };
  while (open !== null) {
    const part: OpenMarking = open;
    const step = store.transaction(({ statuses }) => statuses.markAllRead(part, limit));
    whole.pairs.push(...step.undo.pairs);
    open = step.next;
  }
  return whole;
}

export function undo(store: Store, action: Before): number {
  return store.transaction(({ statuses }) => statuses.undo(action));
}

/** Finds the models of a gateway that items mention, '' for none. */
export function mentionIndexer(store: Store, owner: string) {
  const namesChanged = (of: string): void => {
    store.transaction(({ mirror }) => {
      mirror.set('mentions_owner', of === '' ? null : of);
    });
  };
  namesChanged(owner);
  return { step: () => store.derive('mentions'), namesChanged };
}

/** Says which gateway's model lists the fetch log speaks of; null for none. */
export function nameGateway(store: Store, owner: string | null): void {
  store.transaction(({ schedule }) => {
    schedule.nameGateway(owner);
  });
}

export function reschedule(store: Store, resource: ResourceName, state: ScheduleState): void {
  store.transaction(({ fetches }) => {
    fetches.put(resource, state);
  });
}

/** True if it was not so before. */
export function favouriteModel(store: Store, id: string, on: boolean): boolean {
  return store.transaction(({ records, now }) => records.turn('favourite', id, on ? now : null));
}

export function setAliases(store: Store, id: string, aliases: readonly string[]): void {
  store.transaction(({ modelStatuses }) => {
    modelStatuses.setAliases(id, aliases);
  });
}

export function saveWorkload(store: Store, workload: Workload): void {
  store.transaction(({ modelStatuses, now }) => {
    modelStatuses.saveWorkload(workload, now);
  });
}

/** The reader has caught up with everything that is written. */
export function endVisit(store: Store): void {
  store.transaction(({ visits, now }) => {
    visits.end(now);
  });
}

/** Stores a complete snapshot of the selected set in one page. */
export function storeSnapshot(store: Store, members: Item[], cursor = 'cursor-1'): void {
  store.transaction(({ items, selectedSet }) => {
    const generation = selectedSet.nextGeneration();
    items.upsertAll(members, { kind: 'selected', generation });
    items.sweepBefore(generation);
    selectedSet.finishSnapshot(generation, cursor);
  });
}

export function storeListed(store: Store, listed: Item[]): void {
  store.transaction(({ items }) => {
    items.upsertAll(listed, LISTED);
  });
}

/** The ids of a list, newest first, from all pages. */
export function idsOf(
  { items }: Pick<Queries, 'items'>,
  query: ItemsQuery = EVERYTHING,
  now = fakeClock().now(),
  limit = 200,
): string[] {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = items.page(query, cursor, limit, now);
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}
