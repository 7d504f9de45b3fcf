import { describe, expect, it } from 'vitest';
import { DERIVED_NAMES, type DerivedName, type Store } from '../../src-main/store/index.ts';
import { forget } from '../../src-main/store/derived/derived.ts';
import { transaction } from '../../src-main/store/sql.ts';
import { item } from '../support/items.ts';
import { citation, daily } from '../support/reports.ts';
import { report, saveStory, storyOf } from '../support/stories.ts';
import { LISTED, mark, mentionIndexer, SELECTED, setAliases, write } from '../support/store.ts';
import { databaseOf, openStoreScene } from './internals.ts';
import { casesOf, isWhole } from '../support/proofs.ts';
import { pick, seededRandom } from './search/search-items.ts';

const GATEWAY = 'https://gateway.example';
const NAMES = ['Opal 4', 'Saltbush 4', 'Opal 4 Mini'];
const WORDS = ['opal', 'saltbush', 'mini', 'other', '"opal 4"'];
const DAYS = ['2026-03-15', '2026-03-16', '2026-03-17'];
const HOUR = 3_600_000;

/** All rows of each kind, without numbers that a new computation chooses. */
const ROWS: Readonly<Record<DerivedName, readonly string[]>> = {
  listIndexes: ['SELECT sql FROM sqlite_schema'],
  statuses: ['SELECT key, unread, starred FROM item_index'],
  counters: [
    'SELECT * FROM counter WHERE n <> 0',
    'SELECT id, bits, unread, starred, n FROM saved_counter JOIN rule USING (slot) WHERE n <> 0',
  ],
  rules: [
    'SELECT kind, id, query, below, gone FROM rule',
    'SELECT id, key, bits FROM rule_match JOIN rule USING (slot)',
    'SELECT key, muted FROM item_index',
  ],
  addresses: ['SELECT * FROM item_address'],
  coverage: ['SELECT * FROM coverage', 'SELECT * FROM fold'],
  mentions: ['SELECT * FROM mention'],
  itemTexts: [
    'SELECT id FROM search.item_text_docsize',
    ...WORDS.map((word) => `SELECT rowid FROM search.item_text WHERE item_text MATCH '${word}'`),
  ],
  reportTexts: [
    'SELECT kind, label, changed, title, names, sources FROM search.report_entry',
    ...WORDS.map(
      (word) => `SELECT label FROM search.report_text JOIN search.report_entry ON id = report_text.rowid
        WHERE report_text MATCH '${word}'`,
    ),
  ],
};

function rowsOf(store: Store, name: DerivedName): string[][] {
  const read = (text: string): unknown[] => databaseOf(store).prepare<[], unknown[]>(text).raw().all();
  return ROWS[name].map((text) =>
    read(text)
      .map((row) => JSON.stringify(row))
      .sort(),
  );
}

function finish(store: Store): void {
  for (const name of DERIVED_NAMES) while (store.derive(name));
}

function changesOf(scene: ReturnType<typeof openStoreScene>, random: () => number): (() => void)[] {
  const { store, clock } = scene;
  const anyId = (): string => `item-${String(Math.floor(random() * 40))}`;
  const address = (): string | null => pick(random, ['https://a.example/1', 'https://a.example/2', null]);
  const saved = (): string[] => store.queries.rules.savedSearches().map(({ id }) => id);
  const anyItem = () =>
    item({
      id: anyId(),
      title: pick(random, [...NAMES, 'Other']),
      summary: pick(random, [...NAMES, null]),
      category: pick(random, ['paper', 'tip', null]),
      links: { original: address(), aihot: null },
      discoveredAt: new Date(clock.now() - Math.floor(random() * 200) * HOUR).toISOString(),
    });
  const upsert = (): void => {
    const items = Array.from({ length: 4 }, anyItem);
    write(store, (tx) => tx.items.upsertAll(items, pick(random, [LISTED, SELECTED])));
  };
  return [
    upsert,
    upsert,
    upsert,
    () => void write(store, (tx) => tx.items.withdraw(anyId())),
    () => void write(store, (tx) => tx.items.leave(anyId())),
    () => write(store, (tx) => void tx.items.dropBefore(clock.now() - Math.floor(random() * 200) * HOUR, 0, 3)),
    () => void mark(store, [anyId(), anyId()], pick(random, ['read', 'unread', 'star', 'unstar'] as const)),
    () => saveStory(store, storyOf(pick(random, ['a', 'b', 'c']), [report(anyId()), report(anyId(), address())])),
    () => {
      const cited = citation(anyId(), { title: pick(random, [...NAMES, 'Other']) });
      const read = daily({ One: [cited] }, { label: pick(random, DAYS) });
      write(store, ({ reports }) => void reports.store(read, clock.now()));
    },
    () =>
      write(store, ({ documents }) => {
        documents.empty('daily', pick(random, DAYS));
      }),
    () => write(store, (tx) => tx.stories.merge(pick(random, ['a', 'b']), 'c')),
    () => write(store, (tx) => void tx.rules.addMute(pick(random, ['category:tip', 'saltbush', 'mini']), tx.now)),
    () =>
      write(store, (tx) => {
        for (const { id } of store.queries.rules.mutes()) if (random() < 0.5) tx.rules.removeMute(id);
      }),
    () =>
      write(store, (tx) => {
        for (const id of saved()) tx.rules.removeSaved(id);
        tx.rules.addSaved(
          { name: 'Some', query: pick(random, ['opal', 'saltbush OR is:starred mini']), notify: false },
          tx.now,
        );
      }),
    () => setAliases(store, 'lab/0', random() < 0.5 ? ['Other'] : []),
    () => {
      const records = NAMES.filter(() => random() < 0.7).map((name, at) => ({ id: `lab/${String(at)}`, name }));
      write(store, (tx) => tx.modelLists.replace({ owner: GATEWAY, modelList: 'models', records, keyEnding: null }, 0));
    },
    () => write(store, (tx) => tx.listIndexes.drop()),
    () => {
      expect(() =>
        write(store, (tx) => {
          tx.items.upsertAll([anyItem(), anyItem()], SELECTED);
          tx.items.withdraw(anyId());
          throw new Error('rolled back');
        }),
      ).toThrow('rolled back');
    },
    () => void store.derive(pick(random, DERIVED_NAMES)),
    () => void store.derive(pick(random, DERIVED_NAMES)),
    () => clock.advance(61_000),
  ];
}

describe('derived data', () => {
  it.each(casesOf([1, 2, 3, 4, 5], [0]))('is after any changes what a new computation finds (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const scene = openStoreScene();
    const { store } = scene;
    mentionIndexer(store, GATEWAY);
    const changes = changesOf(scene, random);
    for (let round = 0; round < (isWhole ? 8 : 5); round += 1) {
      for (let step = 0; step < 40; step += 1) pick(random, changes)();
      finish(store);
      const before = DERIVED_NAMES.map((name) => [name, rowsOf(store, name)]);
      for (const name of DERIVED_NAMES) {
        transaction(databaseOf(store), (db) => {
          forget(db, name, name.endsWith('Texts') ? 'search' : 'main');
        });
        while (store.derive(name));
        expect(
          DERIVED_NAMES.map((one) => [one, rowsOf(store, one)]),
          name,
        ).toEqual(before);
      }
    }
  });
});
