import { describe, expect, it } from 'vitest';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { openQueries, type Store } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { mentionIndexer, setAliases, storeListed, write, type StoreScene } from '../../support/store.ts';
import { databaseOf, openStoreScene, openTestStore } from '../internals.ts';

const OWNER = 'https://gateway.example';
const OTHER = 'https://other.example';

interface NewModel {
  id: string;
  name?: string;
  [field: string]: string | number | Record<string, string> | null | undefined;
}

function storeModels(store: Store, models: NewModel[], modelList: ModelListName = 'models', owner = OWNER): void {
  const records = models.map(({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { name }) }));
  write(store, (tx) => {
    tx.modelLists.replace({ owner, modelList, records, keyEnding: null }, 0);
  });
}

/** The ids of items whose mentions changed, sorted. */
function follow(indexer: ReturnType<typeof mentionIndexer>): string[] {
  const changed: string[] = [];
  for (let ids = indexer.step(); ids !== null; ids = indexer.step()) changed.push(...ids);
  return changed.sort();
}

/** As `item model`, sorted. */
function mentions(store: Store): string[] {
  const pairs = "SELECT coalesce(id, key) || ' ' || model FROM mention LEFT JOIN item USING (key)";
  return databaseOf(store).prepare<[], string>(pairs).pluck().all().sort();
}

const OPAL = { id: 'vane/opal-4', name: 'Vane: Opal 4' };
const SALTBUSH = { id: 'orrin/saltbush-4', name: 'Orrin: Saltbush 4' };

describe('models named in items', () => {
  it('are found in title, original title, summary and reason, but not in the source name', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    storeListed(store, [
      item({ id: 'a', title: 'Opal 4' }),
      item({ id: 'b', originalTitle: 'Opal 4' }),
      item({ id: 'c', summary: 'Opal 4' }),
      item({ id: 'd', reason: 'Opal 4' }),
      item({ id: 'e', source: { name: 'Opal 4' } }),
    ]);
    expect(follow(mentionIndexer(store, OWNER))).toEqual(['a', 'b', 'c', 'd']);
    expect(mentions(store)).toEqual(['a', 'b', 'c', 'd'].map((id) => `${id} ${OPAL.id}`));
  });

  it('include those of both model lists of one gateway', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    storeModels(store, [{ id: 'vane/embed-opal-1' }], 'embeddings');
    storeModels(store, [SALTBUSH], 'models', OTHER);
    storeListed(store, [item({ title: 'Opal 4, Embed Opal 1, Saltbush 4' })]);
    const indexer = mentionIndexer(store, OWNER);
    follow(indexer);
    expect(mentions(store)).toEqual(['one vane/embed-opal-1', `one ${OPAL.id}`]);
    indexer.namesChanged(OTHER);
    expect(follow(indexer)).toEqual(['one']);
    expect(mentions(store)).toEqual([`one ${SALTBUSH.id}`]);
  });

  it('are reported only for items whose mentions changed', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = mentionIndexer(store, OWNER);
    storeListed(store, [item({ id: 'a', title: 'Opal 4' }), item({ id: 'b' })]);
    expect(follow(indexer)).toEqual(['a']);
    storeListed(store, [item({ id: 'a', title: 'Opal 4 again' }), item({ id: 'c' })]);
    expect(follow(indexer)).toEqual([]);
    setAliases(store, OPAL.id, ['title of c']);
    indexer.namesChanged(OWNER);
    expect(follow(indexer)).toEqual(['c']);
  });
});

describe('the mention indexer', () => {
  it('clears all mentions if no gateway is left', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = mentionIndexer(store, OWNER);
    storeListed(store, items(3, { title: 'Opal 4' }));
    follow(indexer);
    indexer.namesChanged('');
    expect(follow(indexer)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(mentions(store)).toEqual([]);
  });

  it('matches nothing again if only prices changed', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = mentionIndexer(store, OWNER);
    storeListed(store, items(3, { title: 'Opal 4' }));
    follow(indexer);
    storeModels(store, [{ ...OPAL, pricing: { prompt: '1' } }]);
    indexer.namesChanged(OWNER);
    expect(indexer.step()).toBeNull();
  });

  it('takes several steps for a page of long texts, and what changes meanwhile is matched as well', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeModels(store, [OPAL]);
    const long = items(5, { title: 'Opal 4', summary: 'news '.repeat(20_000) });
    storeListed(store, long);
    const indexer = mentionIndexer(store, OWNER);
    indexer.step();
    expect(indexer.step()).toHaveLength(2);
    storeListed(store, [
      { ...long[0]!, title: 'Nothing' },
      { ...long[4]!, title: 'Nothing' },
    ]);
    expect(indexer.step()).toHaveLength(2);
    store.close();
    const second = openTestStore({ folder });
    follow(mentionIndexer(second, OWNER));
    expect(mentions(second)).toEqual(long.slice(1, 4).map(({ id }) => `${id} ${OPAL.id}`));
  });

  it('resumes after a restart, and starts again for a rebuilt mirror', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeModels(store, [OPAL]);
    for (let part = 0; part < 4; part++)
      storeListed(store, items(1200, { title: 'Opal 4' }).slice(part * 300, part * 300 + 300));
    const first = mentionIndexer(store, OWNER);
    first.step();
    expect(first.step()).toHaveLength(500);
    store.close();
    const second = openTestStore({ folder });
    expect(follow(mentionIndexer(second, OWNER))).toHaveLength(700);
    expect(mentions(second)).toHaveLength(1200);
    second.close();
    const rebuilt = openTestStore({ folder, source: 'https://elsewhere.example/' });
    storeListed(rebuilt, items(10, { title: 'Opal 4' }));
    expect(follow(mentionIndexer(rebuilt, OWNER))).toHaveLength(10);
  });
});

const PRICED_OPAL = {
  id: 'vane/opal-4',
  name: 'Vane: Opal 4',
  context_length: 8192,
  pricing: { prompt: '0.00000015' },
};
const MINI = { id: 'vane/opal-4-mini', name: 'Vane: Opal 4 Mini', context_length: null, pricing: 'free' };
const SHOWN_OPAL = {
  modelList: 'models',
  id: 'vane/opal-4',
  name: 'Vane: Opal 4',
  contextLength: 8192,
  pricing: { prompt: '0.00000015' },
};

/** A store with these models and their indexer. */
function openWithModels(records: NewModel[], folder?: string): StoreScene & { find: (owner?: string) => void } {
  const scene = openStoreScene(folder === undefined ? {} : { folder });
  storeModels(scene.store, records);
  const indexer = mentionIndexer(scene.store, OWNER);
  const find = (owner = OWNER): void => {
    indexer.namesChanged(owner);
    while (indexer.step());
  };
  return { ...scene, find };
}

describe('an item', () => {
  it('has the models that it names, with price and context, longest name first', () => {
    const { store, queries, find } = openWithModels([PRICED_OPAL, MINI]);
    storeListed(store, [item({ title: 'Opal 4', summary: 'Opal 4 Mini' }), item({ id: 'two' })]);
    find();
    expect(queries.items.get('one').models).toEqual([
      { modelList: 'models', id: 'vane/opal-4-mini', name: 'Vane: Opal 4 Mini', contextLength: null, pricing: {} },
      SHOWN_OPAL,
    ]);
    expect(queries.items.get('two').models).toEqual([]);
  });

  it('shows a new price at the next read, on any connection', () => {
    const folder = temporaryFolder();
    const { find, ...scene } = openWithModels([PRICED_OPAL], folder);
    storeListed(scene.store, [item({ title: 'Opal 4' })]);
    find();
    const queries = openQueries(folder);
    const prices = (): unknown[] =>
      [queries, scene.queries].map((each) => each.items.get('one').models.map(({ pricing }) => pricing['prompt']));
    expect(prices()).toEqual([['0.00000015'], ['0.00000015']]);
    storeModels(scene.store, [{ ...PRICED_OPAL, pricing: { prompt: '0' } }]);
    expect(prices()).toEqual([['0'], ['0']]);
    storeModels(scene.store, []);
    expect(prices()).toEqual([[], []]);
    queries.close();
  });

  it('has embedding models too, and of an id in both lists the model', () => {
    const { find, ...scene } = openWithModels([PRICED_OPAL]);
    storeModels(scene.store, [{ id: PRICED_OPAL.id, name: 'Vane: Opal 4' }, { id: 'vane/embed-opal' }], 'embeddings');
    storeListed(scene.store, [item({ title: 'Opal 4, embed-opal' })]);
    find();
    expect(scene.queries.items.get('one').models).toEqual([
      { modelList: 'embeddings', id: 'vane/embed-opal', name: 'vane/embed-opal', contextLength: null, pricing: {} },
      SHOWN_OPAL,
    ]);
  });
});
