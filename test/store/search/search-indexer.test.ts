import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSearchIndexer, type Store } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import {
  EVERYTHING,
  idsOf,
  LISTED,
  openStoreScene,
  SELECTED,
  storeListed,
  write,
  type StoreScene,
} from '../../support/store.ts';

interface Scene extends StoreScene {
  folder: string;
  /** Updates the search index through a connection of its own, as the thread does. */
  indexBeside(): void;
}

function openScene(folder = temporaryFolder()): Scene {
  const scene = openStoreScene({ folder });
  const beside = openSearchIndexer(folder);
  onTestFinished(() => {
    beside.close();
  });
  const indexBeside = (): void => {
    while (beside.index());
  };
  return { ...scene, folder, indexBeside };
}

const found = ({ queries }: Pick<Scene, 'queries'>, text: string): string[] => idsOf(queries, { ...EVERYTHING, text });
const named = (id: string, title: string, minute = 0) =>
  item({ id, title, discoveredAt: `2026-03-18T05:${String(minute).padStart(2, '0')}:00Z` });
const withdraw = (store: Store, id: string): void => {
  write(store, ({ items }) => {
    items.withdraw(id);
  });
};

describe('a search indexer with a connection of its own', () => {
  it('indexes what another connection writes, and takes turns with that one', () => {
    const scene = openScene();
    const expected: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      storeListed(scene.store, [named(`i${String(n)}`, '推理模型', n)]);
      expected.unshift(`i${String(n)}`);
      if (n % 3 === 0) {
        const id = expected.splice(n % expected.length, 1)[0] ?? '';
        withdraw(scene.store, id);
      }
      if (n % 5 === 1) scene.index();
      if (n % 5 === 3) scene.indexBeside();
    }
    scene.indexBeside();
    expect(found(scene, '推理')).toEqual(expected);
  });

  it('never delays a write to the mirror', () => {
    const scene = openScene();
    scene.index();
    // The thread is in the middle of a step.
    const thread = new Database(join(scene.folder, 'search.db'));
    onTestFinished(() => void thread.close());
    thread.exec('BEGIN IMMEDIATE');
    const run = vi.spyOn(Object.getPrototypeOf(thread.prepare('SELECT 1')) as Database.Statement, 'run');
    onTestFinished(() => {
      run.mockRestore();
    });
    const written = () => (run.mock.contexts as Database.Statement[]).map(({ source }) => source);
    storeListed(scene.store, [named('a', 'model')]);
    // One of the search index would wait for the lock.
    expect(written().filter((sql) => /\bsearch\./.test(sql))).toEqual([]);
    expect(written()).toContainEqual(expect.stringMatching(/INSERT INTO item\b/));
    thread.exec('COMMIT');
    scene.indexBeside();
    expect(written()).toContainEqual(expect.stringMatching(/\bsearch\./));
    expect(found(scene, 'model')).toEqual(['a']);
  });

  it('a withdrawn item is never a result, even before the index follows', () => {
    const scene = openScene();
    storeListed(scene.store, [named('a', 'model'), named('b', 'model', 1)]);
    scene.indexBeside();
    expect(found(scene, 'model')).toEqual(['b', 'a']);
    withdraw(scene.store, 'b');
    expect(found(scene, 'model')).toEqual(['a']);
    expect(scene.queries.items.count({ ...EVERYTHING, text: 'model' }, scene.clock.now())).toEqual({ count: 1 });
  });

  it('removes items that were deleted because of their age, and indexes new ones at their place', () => {
    const scene = openScene();
    const { store } = scene;
    storeListed(store, [named('old', 'model')]);
    scene.indexBeside();
    store.transaction(({ items }) => items.dropBefore(scene.clock.now(), 0, 10));
    // The same second, so the same key.
    write(store, ({ items }) => {
      items.upsert(named('new', 'agent'), LISTED);
    });
    scene.indexBeside();
    expect([found(scene, 'model'), found(scene, 'agent')]).toEqual([[], ['new']]);
    store.transaction(({ items }) => items.dropBefore(scene.clock.now(), 0, 10));
    scene.indexBeside();
    const file = new Database(join(scene.folder, 'mirror.db'), { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare('SELECT count(*) FROM gone').pluck().get()).toBe(1);
    expect(found(scene, 'agent')).toEqual([]);
  });

  it('starts over for another build of the mirror', () => {
    const scene = openScene();
    storeListed(scene.store, [named('a', 'model')]);
    scene.indexBeside();
    const file = new Database(join(scene.folder, 'mirror.db'));
    file.exec("UPDATE property SET value = 'another' WHERE name = 'build'");
    file.exec("UPDATE item SET title = 'agent'");
    file.close();
    const again = openSearchIndexer(scene.folder);
    onTestFinished(() => {
      again.close();
    });
    while (again.index());
    expect([found(scene, 'model'), found(scene, 'agent')]).toEqual([[], ['a']]);
  });

  it('merges once a load is over, not while more is to come', () => {
    const folder = temporaryFolder();
    const { store, queries } = openStoreScene({ folder });
    const indexer = openSearchIndexer(folder);
    onTestFinished(() => {
      indexer.close();
    });
    const state = new Database(join(folder, 'search.db'), { readonly: true });
    onTestFinished(() => void state.close());
    const merges = (): unknown =>
      state.prepare("SELECT v FROM item_text_config WHERE k = 'automerge'").pluck().get() ?? 4;
    for (let n = 0; n < 3; n += 1) {
      write(store, ({ items }) => {
        items.upsert(named(`i${String(n)}`, 'model', n), SELECTED);
      });
      while (indexer.index(true));
      expect(merges()).toBe(0);
    }
    expect(idsOf(queries, { ...EVERYTHING, text: 'model' })).toHaveLength(3);
    while (indexer.merge());
    expect(merges()).toBe(4);
    expect(idsOf(queries, { ...EVERYTHING, text: 'model' })).toHaveLength(3);
  });
});
