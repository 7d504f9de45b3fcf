import { describe, expect, it } from 'vitest';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { openQueries } from '../../../src-main/store/index.ts';
import {
  endVisit,
  EVERYTHING,
  mark,
  openStoreScene,
  storeListed,
  type StoreScene,
  write,
} from '../../support/store.ts';

const OWNER = 'https://gateway.example';
const OPAL = { id: 'vane/opal-4', name: 'Vane: Opal 4', context_length: 8192, pricing: { prompt: '0.00000015' } };
const MINI = { id: 'vane/opal-4-mini', name: 'Vane: Opal 4 Mini', context_length: null, pricing: 'free' };
const SHOWN_OPAL = {
  modelList: 'models',
  id: 'vane/opal-4',
  name: 'Vane: Opal 4',
  contextLength: 8192,
  pricing: { prompt: '0.00000015' },
};

/** A store with these models and their indexer. */
function openWithModels(records: ModelRecord[], folder?: string): StoreScene & { find: (owner?: string) => void } {
  const scene = openStoreScene(folder === undefined ? {} : { folder });
  list(scene, records);
  const indexer = scene.store.mentionIndexer(OWNER);
  const find = (owner = OWNER): void => {
    indexer.namesChanged(owner);
    while (indexer.step());
  };
  return { ...scene, find };
}

function list({ store }: StoreScene, records: ModelRecord[], modelList: ModelListName = 'models'): void {
  write(store, (tx) => {
    tx.modelLists.replace({ owner: OWNER, modelList, records, validator: null, keyEnding: null }, 0);
  });
}

describe('an item', () => {
  it('has the models that it names, with price and context, longest name first', () => {
    const { store, queries, find } = openWithModels([OPAL, MINI]);
    storeListed(store, [item({ title: 'Opal 4', summary: 'Opal 4 Mini' }), item({ id: 'two' })]);
    find();
    expect(queries.items.get('one').models).toEqual([
      { modelList: 'models', id: 'vane/opal-4-mini', name: 'Vane: Opal 4 Mini', contextLength: null, pricing: {} },
      SHOWN_OPAL,
    ]);
    expect(queries.items.get('two').models).toEqual([]);
  });

  it('has them in every list that contains it', () => {
    const { store, queries, find, index, clock } = openWithModels([OPAL]);
    endVisit(store);
    storeListed(store, [item({ title: 'Opal 4' }), item({ id: 'two' })]);
    find();
    index();
    const models = ({ id }: { id: string }): unknown[] => (id === 'one' ? [SHOWN_OPAL] : []);
    for (const rows of [
      queries.items.page(EVERYTHING, undefined, 10, clock.now()).rows,
      queries.items.page({ ...EVERYTHING, text: 'opal' }, undefined, 10, clock.now()).rows,
      queries.visits.list('added').rows,
      queries.items.listNaming(OPAL.id, 10),
    ]) {
      expect(rows.map(({ id }) => id)).toContain('one');
      expect(rows.map((row) => row.models)).toEqual(rows.map(models));
    }
  });

  it('shows a new price at the next read, on any connection', () => {
    const folder = temporaryFolder();
    const { find, ...scene } = openWithModels([OPAL], folder);
    storeListed(scene.store, [item({ title: 'Opal 4' })]);
    find();
    const queries = openQueries(folder);
    const prices = (): unknown[] =>
      [queries, scene.queries].map((each) => each.items.get('one').models.map(({ pricing }) => pricing['prompt']));
    expect(prices()).toEqual([['0.00000015'], ['0.00000015']]);
    list(scene, [{ ...OPAL, pricing: { prompt: '0' } }]);
    expect(prices()).toEqual([['0'], ['0']]);
    list(scene, []);
    expect(prices()).toEqual([[], []]);
    queries.close();
  });

  it('has embedding models too, and of an id in both lists the model', () => {
    const { find, ...scene } = openWithModels([OPAL]);
    list(scene, [{ id: OPAL.id, name: 'Vane: Opal 4' }, { id: 'vane/embed-opal' }], 'embeddings');
    storeListed(scene.store, [item({ title: 'Opal 4, embed-opal' })]);
    find();
    expect(scene.queries.items.get('one').models).toEqual([
      { modelList: 'embeddings', id: 'vane/embed-opal', name: 'vane/embed-opal', contextLength: null, pricing: {} },
      SHOWN_OPAL,
    ]);
  });

  it('has none without a gateway', () => {
    const { store, queries, find } = openWithModels([OPAL]);
    storeListed(store, [item({ title: 'Opal 4' })]);
    find('');
    expect(queries.items.get('one').models).toEqual([]);
  });
});

describe('the news of a model', () => {
  it('are the newest items that name it', () => {
    const { store, queries, find } = openWithModels([OPAL]);
    storeListed(store, [...items(5, { title: 'Opal 4' }), item({ id: 'other' })]);
    find();
    mark(store, ['item-1'], 'read');
    const rows = queries.items.listNaming(OPAL.id, 3);
    expect(rows.map(({ id }) => id)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(rows[1]?.state.readAt).not.toBeNull();
    expect(queries.items.listNaming('vane/unknown', 3)).toEqual([]);
  });
});
