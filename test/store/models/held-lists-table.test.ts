import { describe, expect, it } from 'vitest';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import type { FetchedModelList, ModelListChange } from '../../../src-main/store/models/model-lists-table.ts';
import { write } from '../../support/store.ts';
import { model, openModelStore, OWNER, type ModelStore } from './model-records.ts';

const MINUTE = 60_000;
const many = (count: number, vendor = 'a'): ModelRecord[] =>
  Array.from({ length: count }, (_, n) => model(`${vendor}/${String(n)}`));

interface HeldStore extends ModelStore {
  /** As a sync does it; null if the answer is held. */
  receive(records: readonly ModelRecord[], options?: Partial<FetchedModelList>): ModelListChange | null;
  count(): number;
}

function storeWith(records: readonly ModelRecord[]): HeldStore {
  const opened = openModelStore();
  opened.replace(records);
  const receive: HeldStore['receive'] = (received, options = {}) => {
    let done: ModelListChange | null = null;
    write(opened.store, ({ modelLists }) => {
      const whole = { owner: OWNER, modelList: 'models' as const, records: received, validator: null, keyEnding: null };
      done = modelLists.receive({ ...whole, ...options }, opened.clock.now());
    });
    return done;
  };
  return { ...opened, receive, count: () => opened.idsOf().length };
}

describe('a model list', () => {
  it.each([
    ['is empty', 0, true],
    ['lost over half', 4, true],
    ['lost half', 5, false],
    ['lost one', 9, false],
  ])('that %s: held until a later one agrees', (_, left, isHeld) => {
    const { receive, count, queries, clock, refreshes } = storeWith(many(10));
    expect(receive(many(left)) === null).toBe(isHeld);
    expect(count()).toBe(isHeld ? 10 : left);
    const held = queries.models.held(OWNER, 'models');
    expect(held).toEqual(isHeld ? { count: left, at: clock.now(), saved: 10 } : null);
    if (!isHeld) return;
    expect(refreshes()).toEqual([]);
    clock.advance(30 * MINUTE);
    expect(receive(many(left))).toEqual({ added: 0, revised: 0, withdrawn: 10 - left });
    expect([count(), queries.models.held(OWNER, 'models')]).toEqual([left, null]);
    expect(refreshes()).toHaveLength(1);
  });

  it('is held while the second answer comes too soon or has other models', () => {
    const { receive, count, queries, clock } = storeWith(many(10));
    const first = clock.now();
    receive([]);
    clock.advance(29 * MINUTE);
    expect(receive([])).toBeNull();
    expect(queries.models.held(OWNER, 'models')?.at).toBe(first);
    clock.advance(2 * MINUTE);
    expect(receive(many(3))).toBeNull();
    expect(queries.models.held(OWNER, 'models')).toMatchObject({ count: 3, at: clock.now() });
    clock.advance(31 * MINUTE);
    expect(receive([])).toBeNull();
    expect(count()).toBe(10);
  });

  it('may agree in other order and with other prices', () => {
    const { receive, count, clock } = storeWith(many(10));
    receive(many(3));
    clock.advance(31 * MINUTE);
    const later = many(3).map((record) => ({ ...record, pricing: { prompt: '7' } }));
    expect(receive(later.toReversed())).toMatchObject({ withdrawn: 7, revised: 3 });
    expect(count()).toBe(3);
  });

  it('that keeps most models ends the wait, and so does a confirmation of the saved one', () => {
    const { receive, queries, store, clock } = storeWith(many(10));
    receive([]);
    receive(many(9));
    expect(queries.models.held(OWNER, 'models')).toBeNull();
    receive([]);
    write(store, ({ modelLists }) => modelLists.confirmSaved(OWNER, 'models'));
    expect(queries.models.held(OWNER, 'models')).toBeNull();
    clock.advance(31 * MINUTE);
    expect(receive([])).toBeNull();
  });

  it('of another key is believed at once, and a first one too', () => {
    const { receive, count } = storeWith(many(10));
    expect(receive(many(2), { keyEnding: 'wxyz' })).toMatchObject({ withdrawn: 8 });
    expect(receive([], { modelList: 'embeddings' })).toMatchObject({ withdrawn: 0 });
    expect(count()).toBe(2);
  });

  it('waits again if the clock was set back', () => {
    const { receive, queries, clock } = storeWith(many(10));
    receive([]);
    clock.advance(-60 * MINUTE);
    receive([]);
    expect(queries.models.held(OWNER, 'models')?.at).toBe(clock.now());
    clock.advance(31 * MINUTE);
    expect(receive([])).not.toBeNull();
  });
});
