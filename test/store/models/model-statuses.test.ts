import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../src-main/contract/model/model.ts';
import { fakeClock } from '../../support/clock.ts';
import { model, openModelStore, OWNER } from './model-records.ts';
import { favouriteModel, openStoreScene, saveWorkload, setAliases } from '../../support/store.ts';

const CHAT: Workload = { name: 'Chat', tokensIn: 2_000, tokensOut: 500, tokensCached: 1_500, requestsAMonth: 30_000 };

function errorResponse(code: string, ...words: string[]): Error {
  const message = expect.stringMatching(new RegExp(words.join('.*'))) as string;
  return expect.objectContaining({ code, message }) as Error;
}

describe('a favourite', () => {
  it('holds at every gateway and in both model lists, from the time of the clock', () => {
    const { replace, store, queries, clock } = openModelStore();
    replace([model('a/one'), model('a/two')]);
    replace([model('a/one')], { modelList: 'embeddings' });
    replace([model('a/one')], { owner: 'demo' });
    expect(favouriteModel(store, 'a/one', true)).toBe(true);
    const at = new Date(clock.now()).toISOString();
    const times = (owner: string, modelList: 'models' | 'embeddings') =>
      queries.models.list(owner, modelList).lines.map(({ favouriteAt }) => favouriteAt);
    expect(times(OWNER, 'models')).toEqual([at, null]);
    expect(times(OWNER, 'embeddings')).toEqual([at]);
    expect(times('demo', 'models')).toEqual([at]);
    expect(queries.models.get(OWNER, 'models', 'a/one').favouriteAt).toBe(at);
  });

  it('keeps its time if it is set again or its model was gone, and is removed when cleared', () => {
    const { replace, store, queries, clock } = openModelStore();
    replace([model('a/one')]);
    favouriteModel(store, 'a/one', true);
    const time = () => queries.models.get(OWNER, 'models', 'a/one').favouriteAt;
    const before = time();
    clock.advance(1_000);
    expect(favouriteModel(store, 'a/one', true)).toBe(false);
    for (const records of [[], [model('a/one')]]) replace(records);
    expect(time()).toBe(before);
    expect(favouriteModel(store, 'a/one', false)).toBe(true);
    expect(favouriteModel(store, 'a/one', false)).toBe(false);
    expect(time()).toBeNull();
  });
});

describe('aliases', () => {
  it('are saved as written, in order, and replaced together', () => {
    const { replace, store, queries } = openModelStore();
    replace([model('a/one')]);
    const aliases = () => queries.models.get(OWNER, 'models', 'a/one').aliases;
    setAliases(store, 'a/one', ['Zeta', ' 大模型 ', 'Alpha 1']);
    expect(aliases()).toEqual(['Zeta', '大模型', 'Alpha 1']);
    setAliases(store, 'a/one', ['ALPHA 1']);
    expect(aliases()).toEqual(['ALPHA 1']);
    setAliases(store, 'a/one', []);
    expect(queries.models.aliases()).toEqual([]);
  });

  it('count as one if they differ only in case, width or spacing, and blank ones are ignored', () => {
    const { store, queries } = openStoreScene();
    setAliases(store, 'a/one', ['Straße', 'STRASSE', 'ＧＰＴ 4', 'gpt  4', '  ']);
    expect(queries.models.aliases()).toEqual([
      { alias: 'Straße', model: 'a/one' },
      { alias: 'ＧＰＴ 4', model: 'a/one' },
    ]);
  });

  it('of another model are rejected with its name, and nothing changes', () => {
    const { store, queries } = openStoreScene();
    setAliases(store, 'a/one', ['Uno']);
    setAliases(store, 'a/two', ['Due']);
    const taken = () => {
      setAliases(store, 'a/two', ['Zwei', 'UNO']);
    };
    expect(taken).toThrow(errorResponse('invalid_argument', 'a/one', 'UNO'));
    expect(queries.models.aliases()).toEqual([
      { alias: 'Uno', model: 'a/one' },
      { alias: 'Due', model: 'a/two' },
    ]);
    setAliases(store, 'a/one', []);
    expect(taken).not.toThrow();
  });
});

/** An id is the time of its first save, or the next one. */
const FIRST = fakeClock().now();

describe('workloads', () => {
  it('have unique names, ignoring case', () => {
    const { store, queries } = openStoreScene();
    saveWorkload(store, CHAT);
    saveWorkload(store, { ...CHAT, name: 'Batch' });
    const before = queries.models.workloads();
    for (const workload of [
      { ...CHAT, name: 'cHAT ' },
      { ...CHAT, id: FIRST + 1 },
    ]) {
      expect(() => {
        saveWorkload(store, workload);
      }).toThrow(errorResponse('invalid_argument', 'Chat'));
    }
    expect(queries.models.workloads()).toEqual(before);
  });

  it('that were removed never give their ids to others', () => {
    const { store, queries } = openStoreScene();
    saveWorkload(store, CHAT);
    store.transaction(({ modelStatuses }) => modelStatuses.removeWorkload(FIRST));
    store.transaction(({ modelStatuses }) => modelStatuses.removeWorkload(FIRST));
    expect(queries.models.workloads()).toEqual([]);
    expect(() => {
      saveWorkload(store, { ...CHAT, id: FIRST });
    }).toThrow(errorResponse('not_found', 'removed'));
    saveWorkload(store, CHAT);
    expect(queries.models.workloads()).toEqual([{ ...CHAT, id: FIRST + 1 }]);
  });
});
