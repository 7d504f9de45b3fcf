import { describe, expect, it } from 'vitest';
import type { Json, ModelRecord } from '../../../src-main/contract/model/model.ts';
import type { Changes, FetchedModelList } from '../../../src-main/store/index.ts';
import { model, openModelStore, OWNER, priced, type ModelStore } from './model-records.ts';

const HOUR = 3_600_000;
const FREE = { prompt: '0', completion: '0' };
const many = (count: number, vendor = 'a'): ModelRecord[] =>
  Array.from({ length: count }, (_, n) => model(`${vendor}/${String(n)}`));
/** All records, the first `count` of them with other fields. */
const changed = (records: readonly ModelRecord[], count: number, fields: Record<string, Json>): ModelRecord[] =>
  records.map((record, index) => (index < count ? { ...record, ...fields } : record));

interface HeldStore extends ModelStore {
  /** As a sync does it; null if the list is held. */
  receive(records: readonly ModelRecord[], options?: Partial<FetchedModelList>): Changes | null;
  /** As the reader does it; null if nothing is held. */
  accept(): Changes | null;
  lastLoss(): unknown;
}

function storeWith(records: readonly ModelRecord[]): HeldStore {
  const losses: ReturnType<ModelStore['queries']['models']['lossIn']>[] = [];
  const opened = openModelStore();
  opened.replace(records);
  const receive: HeldStore['receive'] = (received, options = {}) => {
    const fetched = { owner: OWNER, modelList: 'models' as const, records: received, keyEnding: null, ...options };
    const loss = opened.queries.models.lossIn(fetched);
    losses.push(loss);
    return opened.store.transaction(({ modelLists, now }) => {
      if (!loss) return modelLists.replace(fetched, now);
      modelLists.hold(fetched);
      return null;
    });
  };
  const accept = (): Changes | null =>
    opened.store.transaction(({ modelLists }) => modelLists.accept(OWNER, 'models', opened.clock.now()));
  return { ...opened, receive, accept, lastLoss: () => losses.at(-1) };
}

describe('a model list', () => {
  const saved = many(400);

  it.each<[string, readonly ModelRecord[], 'models' | 'prices' | 'contextLengths', number]>([
    ['is empty', [], 'models', 0],
    ['lost a quarter of its models', many(300), 'models', 300],
    ['has other models only', many(400, 'b'), 'models', 0],
    ['lost its prices', changed(saved, 400, { pricing: {} }), 'prices', 0],
    ['is free altogether', changed(saved, 400, { pricing: FREE }), 'prices', 0],
    ['has only half of its prices', changed(saved, 400, { pricing: { prompt: '0.1' } }), 'prices', 400],
    ['lost its context lengths', changed(saved, 400, { context_length: null }), 'contextLengths', 0],
  ])('that %s is held, however often it comes, until the reader accepts it', (_, smaller, of, received) => {
    const { receive, accept, idsOf, clock, refreshes, lastLoss } = storeWith(saved);
    for (let day = 0; day < 3; day += 1) {
      expect(receive(smaller)).toBeNull();
      clock.advance(24 * HOUR);
    }
    expect(idsOf()).toHaveLength(400);
    expect(refreshes()).toEqual([]);
    const all = of === 'prices' ? 800 : 400;
    expect(lastLoss()).toEqual({ of, saved: all, received });

    expect(accept()).not.toBeNull();
    expect(idsOf()).toEqual(smaller.map(({ id }) => id));
    expect(accept()).toBeNull();
    expect(refreshes()).toHaveLength(1);
    expect(receive(smaller)).toEqual({ added: 0, revised: 0, withdrawn: 0 });
  });

  it.each<[string, readonly ModelRecord[]]>([
    ['lost a few models', many(390)],
    ['has new models', [...many(200, 'new'), ...saved]],
    ['has other prices in every model', changed(saved, 400, { pricing: { prompt: '7', completion: '8' } })],
  ])('that %s is believed at once', (_, received) => {
    const { receive, idsOf } = storeWith(saved);
    expect(receive(received)).not.toBeNull();
    expect(idsOf()).toHaveLength(received.length);
  });

  it.each<[string, readonly ModelRecord[]]>([
    ['with one model less', many(2)],
    ['whose only paid model is free now', changed(many(3), 1, { pricing: FREE })],
  ])('is short, so one %s is believed', (_, received) => {
    const { receive } = storeWith([priced('a/0', { prompt: '1' }), ...changed(many(3), 3, { pricing: FREE }).slice(1)]);
    expect(receive(received)).not.toBeNull();
  });

  it('with plausible models ends the doubt without a trace in the log', () => {
    const { receive, accept, refreshes } = storeWith(saved);
    for (const wrong of [[], many(10), changed(saved, 400, { pricing: FREE })]) expect(receive(wrong)).toBeNull();
    expect(receive(saved)).toEqual({ added: 0, revised: 0, withdrawn: 0 });
    expect(accept()).toBeNull();
    expect(refreshes()).toEqual([]);
  });

  it('of another key is believed at once, and a first one too', () => {
    const { receive, idsOf } = storeWith(saved);
    expect(receive([])).toBeNull();
    expect(receive(many(2), { keyEnding: 'wxyz' })).toMatchObject({ withdrawn: 398 });
    expect(receive([], { modelList: 'embeddings' })).toMatchObject({ withdrawn: 0 });
    expect(receive(changed(many(40), 40, { pricing: FREE }), { owner: 'https://other.example' })).not.toBeNull();
    expect(idsOf()).toHaveLength(2);
  });
});
