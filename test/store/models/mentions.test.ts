import { describe, expect, it } from 'vitest';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { ModelDictionary } from '../../../src-main/store/models/model-dictionary.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { pick, seededRandom } from '../search/search-items.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { EVERYTHING, setAliases, storeListed, write } from '../../support/store.ts';
import { databaseOf, openTestStore, openStoreScene } from '../internals.ts';

const OWNER = 'https://gateway.example';
const OTHER = 'https://other.example';

interface NewModel {
  id: string;
  name?: string;
  [field: string]: string | number | Record<string, string> | undefined;
}

function storeModels(store: Store, models: NewModel[], modelList: ModelListName = 'models', owner = OWNER): void {
  const records = models.map(({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { name }) }));
  write(store, (tx) => {
    tx.modelLists.replace({ owner, modelList, records, validator: null, keyEnding: null }, 0);
  });
}

/** The ids of items whose mentions changed, sorted. */
function follow(indexer: ReturnType<Store['mentionIndexer']>): string[] {
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
    expect(follow(store.mentionIndexer(OWNER))).toEqual(['a', 'b', 'c', 'd']);
    expect(mentions(store)).toEqual(['a', 'b', 'c', 'd'].map((id) => `${id} ${OPAL.id}`));
  });

  it('include those of both model lists of one gateway', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    storeModels(store, [{ id: 'vane/embed-opal-1' }], 'embeddings');
    storeModels(store, [SALTBUSH], 'models', OTHER);
    storeListed(store, [item({ title: 'Opal 4, Embed Opal 1, Saltbush 4' })]);
    const indexer = store.mentionIndexer(OWNER);
    follow(indexer);
    expect(mentions(store)).toEqual(['one vane/embed-opal-1', `one ${OPAL.id}`]);
    indexer.namesChanged(OTHER);
    expect(follow(indexer)).toEqual(['one']);
    expect(mentions(store)).toEqual([`one ${SALTBUSH.id}`]);
  });

  it('are updated with a revision, and deleted at once with a withdrawal', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL, SALTBUSH]);
    storeListed(store, [item({ id: 'a', title: 'Opal 4' }), item({ id: 'b', title: 'Opal 4' })]);
    const indexer = store.mentionIndexer(OWNER);
    follow(indexer);
    storeListed(store, [item({ id: 'a', title: 'Saltbush 4' })]);
    write(store, (tx) => {
      tx.items.withdraw('b');
    });
    expect(mentions(store)).toEqual([`a ${OPAL.id}`]);
    expect(follow(indexer)).toEqual(['a']);
    expect(mentions(store)).toEqual([`a ${SALTBUSH.id}`]);
  });

  it('are reported only for items whose mentions changed', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = store.mentionIndexer(OWNER);
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
  it('writes nothing while there are no models', () => {
    const { store } = openStoreScene();
    const changes = databaseOf(store).prepare<[], number>('SELECT total_changes()').pluck();
    const indexer = store.mentionIndexer('');
    for (const part of [items(3, { title: 'Opal 4' }), [item()]]) {
      storeListed(store, part);
      const before = changes.get();
      expect(follow(indexer)).toEqual([]);
      expect(changes.get()).toBe(before);
    }
  });

  it('finds mentions in items that were saved before the first models', () => {
    const { store } = openStoreScene();
    const indexer = store.mentionIndexer(OWNER);
    storeListed(store, items(20, { title: 'Opal 4' }));
    follow(indexer);
    storeModels(store, [OPAL]);
    indexer.namesChanged(OWNER);
    expect(follow(indexer)).toHaveLength(20);
  });

  it('clears all mentions if no gateway is left', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = store.mentionIndexer(OWNER);
    storeListed(store, items(3, { title: 'Opal 4' }));
    follow(indexer);
    indexer.namesChanged('');
    expect(follow(indexer)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(mentions(store)).toEqual([]);
  });

  it('matches nothing again if only prices changed', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = store.mentionIndexer(OWNER);
    storeListed(store, items(3, { title: 'Opal 4' }));
    follow(indexer);
    storeModels(store, [{ ...OPAL, pricing: { prompt: '1' } }]);
    indexer.namesChanged(OWNER);
    expect(indexer.step()).toEqual([]);
    expect(indexer.step()).toBeNull();
  });

  it('keeps old mentions until it reaches an item again', () => {
    const { store } = openStoreScene();
    storeModels(store, [OPAL]);
    const indexer = store.mentionIndexer(OWNER);
    for (const part of [items(600, { title: 'Opal 4' }), items(1200, { title: 'Opal 4' }).slice(600)]) {
      storeListed(store, part);
    }
    follow(indexer);
    storeModels(store, [{ ...OPAL, name: 'Saltbush' }, SALTBUSH]);
    indexer.namesChanged(OWNER);
    indexer.step();
    expect(mentions(store)).toHaveLength(1200);
    expect(follow(indexer)).toEqual([]);
    expect(mentions(store)).toHaveLength(1200);
  });

  it('resumes after a restart, and starts again for a rebuilt mirror', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeModels(store, [OPAL]);
    for (let part = 0; part < 4; part++)
      storeListed(store, items(1200, { title: 'Opal 4' }).slice(part * 300, part * 300 + 300));
    const first = store.mentionIndexer(OWNER);
    first.step();
    expect(first.step()).toHaveLength(600);
    store.close();
    const second = openTestStore({ folder });
    expect(follow(second.mentionIndexer(OWNER))).toHaveLength(600);
    expect(mentions(second)).toHaveLength(1200);
    second.close();
    const rebuilt = openTestStore({ folder, source: 'https://elsewhere.example/' });
    storeListed(rebuilt, items(10, { title: 'Opal 4' }));
    expect(follow(rebuilt.mentionIndexer(OWNER))).toHaveLength(10);
  });

  it('ends with the result of a fresh match, after any writes, withdrawals and renames', () => {
    const random = seededRandom(11);
    const { store } = openStoreScene();
    let indexer = store.mentionIndexer(OWNER);
    let models: NewModel[] = [];
    const words = [
      'Opal 4',
      'Opal 4.5',
      'Saltbush 4',
      'Saltbush 4 Mini',
      '墨池 2.0',
      'the big one',
      'new',
      '发布',
      'and',
    ];
    const text = (): string => Array.from({ length: 4 }, () => pick(random, words)).join(pick(random, [' ', ', ']));
    const acts: (() => void)[] = [
      () =>
        storeListed(
          store,
          Array.from({ length: 5 }, () =>
            item({ id: `i${Math.floor(random() * 60)}`, title: text(), summary: text() }),
          ),
        ),
      () =>
        write(store, (tx) => {
          tx.items.withdraw(`i${Math.floor(random() * 60)}`);
        }),
      () => {
        const kept = words.filter(() => random() < 0.5);
        models = [OPAL, ...kept.map((name, index) => ({ id: `lab/${index}-${name.length}-x`, name: `Lab: ${name}` }))];
        storeModels(store, models);
        indexer.namesChanged(OWNER);
      },
      () => {
        setAliases(store, OPAL.id, random() < 0.5 ? ['the big one'] : []);
        indexer.namesChanged(OWNER);
      },
      () => indexer.step(),
      () => (indexer = store.mentionIndexer(OWNER)),
    ];
    for (let round = 0; round < 40; round++) {
      for (let act = 0; act < 12; act++) pick(random, acts)();
      // A change of names must be reported; a new indexer reads them by itself.
      indexer.namesChanged(OWNER);
      follow(indexer);
      expect(mentions(store)).toEqual(freshly(store, models));
    }
  });
});

/** The mentions of every saved item, from a separate dictionary. */
function freshly(store: Store, models: NewModel[]): string[] {
  const { queries } = store;
  const named = models.map(({ id, name }) => ({ id, name: name ?? id }));
  const dictionary = new ModelDictionary(named, queries.models.aliases());
  return queries.items
    .page(EVERYTHING, undefined, 200, Date.parse('2026-03-18T08:00:00Z'))
    .rows.flatMap(({ id, title, summary }) => dictionary.modelsIn([title, summary]).map((model) => `${id} ${model}`))
    .sort();
}
