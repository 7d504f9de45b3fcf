import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openQueries, readExported, type Queries, type Store } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { isWhole } from '../../support/proofs.ts';
import { EVERYTHING, mark, openStoreScene, stepIndex, storeListed } from '../../support/store.ts';
import { idsIn, recordsWith } from '../../support/user-data.ts';

const MB = 2 ** 20;
const TEXT = 'A summary of some length, as news have them. '.repeat(7);

/** The size of all write-ahead logs in bytes. */
function logsIn(folder: string): number {
  const logs = readdirSync(folder).filter((name) => name.endsWith('-wal'));
  return logs.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Reads what the page reads after each change. */
function readAsThePage({ items: saved, health }: Queries, now: number): void {
  saved.counts();
  saved.page(EVERYTHING, undefined, 50, now);
  saved.page({ ...EVERYTHING, text: 'title' }, undefined, 50, now);
  health.integrity();
}

/** A mirror with a reader beside it, like that of the app. */
function openScene(size: number) {
  const folder = temporaryFolder();
  const { store, clock, index } = openStoreScene({ folder });
  const saved = items(size, { summary: TEXT });
  for (let at = 0; at < size; at += 1_000) storeListed(store, saved.slice(at, at + 1_000));
  index();
  store.checkpoint();
  const reader = openQueries(folder);
  const read = (): void => readAsThePage(reader, clock.now());
  read();
  return { folder, store, clock, reader, read };
}

function loadInto(store: Store, folder: string, size: number): number {
  let peak = 0;
  // Random in time, as the service's snapshot is.
  const saved = items(size, { summary: TEXT }).map((item, at) => ({ at: (at * 7_919) % size, item }));
  const ordered = saved.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
  for (let at = 0; at < size; at += 1_000) {
    storeListed(store, ordered.slice(at, at + 1_000));
    peak = Math.max(peak, logsIn(folder));
  }
  while (stepIndex(store)) peak = Math.max(peak, logsIn(folder));
  return peak;
}

describe('the write-ahead logs', () => {
  it('stay small through thousands of single marks, without any sync', () => {
    const { folder, store, reader, read } = openScene(1_000);
    let peak = 0;
    for (let n = 0; n < 1_500; n += 1) {
      mark(store, [`item-${n % 1_000}`], n < 1_000 ? 'read' : 'unread');
      if (n % 50 === 0) read();
      peak = Math.max(peak, logsIn(folder));
    }
    reader.close();
    expect(peak).toBeLessThan(16 * MB);
  });

  it('stay below 64 MB while very many items are saved and indexed, and are emptied afterwards', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    expect(loadInto(store, folder, isWhole ? 100_000 : 20_000)).toBeLessThan(64 * MB);
    store.checkpoint();
    expect(logsIn(folder)).toBe(0);
    for (let n = 0; n < 500; n += 1) mark(store, [`item-${n}`], 'star');
    expect(logsIn(folder)).toBeLessThan(16 * MB);
  });

  it('stay below 64 MB during an import of very many states', () => {
    const { folder, store } = openScene(1_000);
    const size = isWhole ? 100_000 : 30_000;
    const ids = Array.from({ length: size }, (_, at) => `other-${(at * 7_919) % size}`);
    const { records } = readExported(recordsWith('read', ids), Date.now());
    store.transaction(({ userData }) => userData.take(records));
    expect(logsIn(folder)).toBeLessThan(64 * MB);
    mark(store, ['item-1'], 'star');
    expect(logsIn(folder)).toBeLessThan(16 * MB);
  });

  it('shrink again after a reader has held them for a while', () => {
    const { folder, store } = openScene(1_000);
    const reader = openQueries(folder);
    const held = reader.userData.records();
    expect(idsIn(held, 'read')).toEqual([]);
    for (let n = 0; n < 1_000; n += 1) mark(store, [`item-${n}`], 'read');
    reader.close();
    store.checkpoint();
    expect(logsIn(folder)).toBe(0);
  });
});
