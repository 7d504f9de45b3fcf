import { describe, expect, it } from 'vitest';
import type { ModelListName } from '../../../../src-main/contract/model/resource.ts';
import type { ModelRecord } from '../../../../src-main/contract/model/model.ts';
import { MentionIndexer } from '../../../../src-main/store/models/mentions/mention-indexer.ts';
import { StoreReader } from '../../../../src-main/store/reader.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { item, items } from '../../../support/items.ts';
import { EVERYTHING, openStore, storeListed, type Store } from '../../../support/store.ts';

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

/** A store with these models, and what lets their mentions be found. */
function openWithModels(records: ModelRecord[], folder?: string): Store & { find: (owner?: string) => void } {
  const store = openStore(folder === undefined ? {} : { folder });
  list(store, records);
  const indexer = new MentionIndexer(store.writer.database, OWNER);
  const find = (owner = OWNER): void => {
    indexer.namesChanged(owner);
    while (indexer.step());
  };
  return { ...store, find };
}

function list({ writer }: Store, records: ModelRecord[], modelList: ModelListName = 'models'): void {
  writer.write((write) => {
    write.models.replace({ owner: OWNER, modelList, records, validator: null, keyEnding: null }, 0);
  });
}

describe('an item', () => {
  it('tells the models that it names, with price and context, the longest name first', () => {
    const { writer, reader, find } = openWithModels([OPAL, MINI]);
    storeListed(writer, [item({ title: 'Opal 4', summary: 'Opal 4 Mini' }), item({ id: 'two' })]);
    find();
    expect(reader.item('one').models).toEqual([
      { modelList: 'models', id: 'vane/opal-4-mini', name: 'Vane: Opal 4 Mini', contextLength: null, pricing: {} },
      SHOWN_OPAL,
    ]);
    expect(reader.item('two').models).toEqual([]);
  });

  it('tells them in every list that it stands in', () => {
    const { writer, reader, find, index, clock } = openWithModels([OPAL]);
    writer.endVisit();
    storeListed(writer, [item({ title: 'Opal 4' }), item({ id: 'two' })]);
    find();
    index();
    const models = ({ id }: { id: string }): unknown[] => (id === 'one' ? [SHOWN_OPAL] : []);
    for (const rows of [
      reader.page(EVERYTHING, undefined, 10, clock.now()).rows,
      reader.page({ ...EVERYTHING, text: 'opal' }, undefined, 10, clock.now()).rows,
      reader.visitList('added').rows,
      reader.newsOf(OPAL.id, 10),
    ]) {
      expect(rows.map(({ id }) => id)).toContain('one');
      expect(rows.map((row) => row.models)).toEqual(rows.map(models));
    }
  });

  it('tells a new price with the next reading, on whatever connection', () => {
    const folder = temporaryFolder();
    const { find, ...store } = openWithModels([OPAL], folder);
    storeListed(store.writer, [item({ title: 'Opal 4' })]);
    find();
    const reader = StoreReader.open(folder);
    const prices = (): unknown[] =>
      [reader, store.reader].map((each) => each.item('one').models.map(({ pricing }) => pricing['prompt']));
    expect(prices()).toEqual([['0.00000015'], ['0.00000015']]);
    list(store, [{ ...OPAL, pricing: { prompt: '0' } }]);
    expect(prices()).toEqual([['0'], ['0']]);
    list(store, []);
    expect(prices()).toEqual([[], []]);
    reader.close();
  });

  it('tells the embeddings models, too, and of an id in both model lists the model', () => {
    const { find, ...store } = openWithModels([OPAL]);
    list(store, [{ id: OPAL.id, name: 'Vane: Opal 4' }, { id: 'vane/embed-opal' }], 'embeddings');
    storeListed(store.writer, [item({ title: 'Opal 4, embed-opal' })]);
    find();
    expect(store.reader.item('one').models).toEqual([
      { modelList: 'embeddings', id: 'vane/embed-opal', name: 'vane/embed-opal', contextLength: null, pricing: {} },
      SHOWN_OPAL,
    ]);
  });

  it('tells none where no gateway is named', () => {
    const { writer, reader, find } = openWithModels([OPAL]);
    storeListed(writer, [item({ title: 'Opal 4' })]);
    find('');
    expect(reader.item('one').models).toEqual([]);
  });
});

describe('the news of a model', () => {
  it('are the newest of the items that name it', () => {
    const { writer, reader, find } = openWithModels([OPAL]);
    storeListed(writer, [...items(5, { title: 'Opal 4' }), item({ id: 'other' })]);
    find();
    writer.mark(['item-1'], 'read');
    const rows = reader.newsOf(OPAL.id, 3);
    expect(rows.map(({ id }) => id)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(rows[1]?.state.readAt).not.toBeNull();
    expect(reader.newsOf('vane/unknown', 3)).toEqual([]);
  });
});
