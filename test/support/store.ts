import { onTestFinished } from 'vitest';
import type { Item, ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { Origin } from '../../src-main/store/items/items-table.ts';
import { StoreReader } from '../../src-main/store/reader.ts';
import { SearchIndexer } from '../../src-main/store/search/search-indexer.ts';
import { StoreWriter } from '../../src-main/store/writer.ts';
import { fakeClock, type FakeClock } from './clock.ts';

export const SOURCE = 'https://news.example/';
export const LISTED: Origin = { kind: 'listed' };
export const SELECTED: Origin = { kind: 'selected', generation: 1 };
export const EVERYTHING: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

/** A writer that is closed after the test, at the latest. */
export function openWriter({ folder = ':memory:', source = SOURCE, clock = fakeClock() } = {}): StoreWriter {
  const writer = new StoreWriter(folder, source, () => clock.now());
  onTestFinished(() => {
    writer.close();
  });
  return writer;
}

export interface Store {
  clock: FakeClock;
  writer: StoreWriter;
  /** On the writer's connection. */
  reader: StoreReader;
  /** Updates the search index. */
  index(): void;
}

/** A writer and a reader of one store, in memory or in a folder. */
export function openStore(options: { folder?: string; source?: string } = {}): Store {
  const clock = fakeClock();
  const writer = openWriter({ ...options, clock });
  const indexer = new SearchIndexer(writer.database);
  const index = (): void => {
    while (indexer.step());
  };
  return { clock, writer, reader: new StoreReader(writer.database), index };
}

/** Stores a complete snapshot of the selected set in one page. */
export function storeSnapshot(writer: StoreWriter, members: Item[], cursor = 'cursor-1'): void {
  writer.write((write) => {
    const generation = write.selectedSet.nextGeneration();
    write.upsertAll(members, { kind: 'selected', generation });
    write.sweepBefore(generation);
    write.selectedSet.finishSnapshot(generation, cursor);
  });
}

export function storeListed(writer: StoreWriter, listed: Item[]): void {
  writer.write((write) => {
    write.upsertAll(listed, LISTED);
  });
}

/** The ids of a list, newest first, from all pages. */
export function idsOf(
  reader: StoreReader,
  query: ItemsQuery = EVERYTHING,
  now = fakeClock().now(),
  limit = 200,
): string[] {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = reader.page(query, cursor, limit, now);
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}
