import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareSearch, type SearchableItem } from '../../../src-main/store/search/search-index.ts';
import { parseSearch } from '../../../src-main/store/search/search-query.ts';
import { transaction } from '../../../src-main/store/sql.ts';
import { fieldTokens, findKeys, matches, matchesFields, openIndex } from './plain-search.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isWhole } from '../../support/proofs.ts';
import { itemTitled, randomItem, randomQuery, seededRandom } from './search-items.ts';

function open(): Database.Database {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  return database;
}

function indexOf(items: SearchableItem[]) {
  const database = open();
  const index = openIndex(database);
  index.apply(items);
  return { index, find: (text: string, limit = 1e6): number[] => findKeys(database, parseSearch(text, 0), { limit }) };
}

const CORPUS = [
  itemTitled(1, 'A new reasoning model', { originalTitle: '新的推理模型发布' }),
  itemTitled(2, 'Reasoning about models', { summary: 'GPT-5 and Qwen3 compared in a café' }),
  itemTitled(3, '模型的推理能力', { sourceName: 'ＯｐｅｎＡＩ Blog' }),
  itemTitled(4, 'Café prices', { reason: 'new' }),
  itemTitled(5, 'GPT推理 modelling', { summary: 'model: new, reasoning' }),
];

describe('searching', () => {
  it.each([
    ['推理', [5, 3, 1]],
    ['推理模型', [1]],
    ['"推理 模型"', [1]],
    ['模型 推理', [3, 1]],
    ['reasoning ', [5, 2, 1]],
    ['"new reasoning model"', [1]],
    ['reas', [5, 2, 1]],
    ['reas ', []],
    ['reas*', [5, 2, 1]],
    ['"reas"', []],
    ['"new reas', [5, 1]],
    ['model ', [5, 1]],
    ['model', [5, 2, 1]],
    ['gpt-5', [2]],
    ['cafe', [4, 2]],
    ['ｏｐｅｎａｉ', [3]],
    ['-推理 reasoning', [2]],
    ['reasoning -"new reasoning"', [2]],
    ['-reasoning', []],
    ['prices OR gpt-5', [4, 2]],
    ['(prices OR gpt-5) new', [4]],
  ])('%j finds %j, newest first', (text, keys) => {
    expect(indexOf(CORPUS).find(text)).toEqual(keys);
    expect(CORPUS.filter((item) => matches(item, parseSearch(text, 0))).map((item) => item.key)).toEqual(
      keys.toReversed(),
    );
  });

  it('matches no phrase across two fields', () => {
    const item = itemTitled(1, 'first second', { originalTitle: 'third', summary: 'fourth', sourceName: 'fifth' });
    const { find } = indexOf([item]);
    expect([find('"second third"'), find('"fourth fifth"'), find('second third fifth')]).toEqual([[], [], [1]]);
  });
});

describe('the index and a plain scan', () => {
  it('agree on thousands of random items and hundreds of random queries, through updates and removals', () => {
    const random = seededRandom(20_261_120);
    const database = open();
    const index = openIndex(database);
    const stored = new Map<number, SearchableItem>();
    for (let batch = 0; batch < 40; batch++) {
      const upserts = Array.from({ length: 100 }, () => randomItem(random, Math.floor(random() * 4_000)));
      const removals = Array.from({ length: 10 }, () => Math.floor(random() * 4_000));
      index.apply(upserts, removals);
      for (const key of removals) stored.delete(key);
      for (const item of upserts) stored.set(item.key, item);
    }
    const items = [...stored.values()].sort((a, b) => b.key - a.key);
    const read = items.map((item) => ({ key: item.key, fields: fieldTokens(item) }));
    expect(items.length).toBeGreaterThan(2_000);
    let found = 0;
    const queries = isWhole ? 600 : 200;
    for (let i = 0; i < queries; i++) {
      const text = randomQuery(random);
      const search = parseSearch(text, 0);
      const keys = findKeys(database, search, { limit: 1e6 });
      const expected = read.filter(({ fields }) => matchesFields(fields, search)).map(({ key }) => key);
      expect(keys, JSON.stringify(text)).toEqual(expected);
      if (keys.length > 0) found++;
    }
    expect(found).toBeGreaterThan(queries / 3);
  });
});

describe('the index', () => {
  it('applies a batch completely or not at all', () => {
    const { index, find } = indexOf(CORPUS);
    const broken = { ...itemTitled(20, 'broken'), key: 0.5 };
    expect(() => index.apply([itemTitled(10, 'fresh'), broken], [1])).toThrow();
    expect([find('fresh'), find('"new reasoning model"')]).toEqual([[], [1]]);
  });

  it('survives closing the file, and is empty after clear', () => {
    const path = join(temporaryFolder(), 'search.db');
    const first = new Database(':memory:');
    openIndex(first, path).apply(CORPUS);
    first.close();
    const second = open();
    const index = openIndex(second, path);
    expect(findKeys(second, parseSearch('模', 0), { limit: 9 })).toEqual([3, 1]);
    index.clear();
    expect(findKeys(second, parseSearch('模', 0), { limit: 9 })).toEqual([]);
    index.apply(CORPUS);
    expect(findKeys(second, parseSearch('模', 0), { limit: 9 })).toEqual([3, 1]);
  });

  it('is rebuilt if its file has another layout', () => {
    const database = open();
    openIndex(database).apply(CORPUS);
    database.pragma('search.user_version = 999');
    transaction(database, prepareSearch);
    expect(findKeys(database, parseSearch('模', 0), { limit: 9 })).toEqual([]);
  });

  it('loads in many batches, merges at the end, and completes an interrupted load after it is reopened', () => {
    const file = join(temporaryFolder(), 'search.db');
    const index = openIndex(open(), file);
    index.beginLoad();
    for (let key = 0; key < 60; key++) index.apply([itemTitled(key, 'model')]);
    expect(index.isLoading()).toBe(true);
    const database = open();
    const reopened = openIndex(database, file);
    expect(reopened.isLoading()).toBe(true);
    reopened.endLoad();
    expect(index.isLoading()).toBe(false);
    expect(index.mergeStep()).toBe(false);
    expect(findKeys(database, parseSearch('model', 0), { limit: 100 })).toHaveLength(60);
  });
});
