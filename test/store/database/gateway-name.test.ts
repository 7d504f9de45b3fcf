import { describe, expect, it } from 'vitest';
import { answeredAt } from '../../../src-main/store/index.ts';
import { model, openModelStore, OWNER } from '../models/model-records.ts';
import { nameGateway, openTestStore, reschedule } from '../../support/store.ts';

const STATE = answeredAt(5, 6);

describe('the name of the gateway', () => {
  it('decides which model lists are counted', () => {
    const { replace, queries, store } = openModelStore();
    replace([model('a/one'), model('a/two')]);
    replace([model('a/vectors')], { modelList: 'embeddings' });
    replace([model('b/one')], { owner: 'demo' });
    const rows = () => [queries.health.countRows('models'), queries.health.countRows('embeddings')];
    expect(rows()).toEqual([0, 0]);
    nameGateway(store, OWNER);
    expect(rows()).toEqual([2, 1]);
    nameGateway(store, 'demo');
    expect(rows()).toEqual([1, 0]);
    nameGateway(store, null);
    expect(rows()).toEqual([0, 0]);
  });

  it.each([['another one'], [null]])('clears the schedules of the previous gateway when it changes: %s', (other) => {
    const store = openTestStore();
    nameGateway(store, OWNER);
    for (const name of ['models', 'embeddings', 'items'] as const) reschedule(store, name, STATE);
    nameGateway(store, other);
    expect(store.queries.mirror.get('gateway')).toBe(other);
    expect(store.queries.schedule.state('models')).toBeNull();
    expect(store.queries.schedule.state('embeddings')).toBeNull();
    expect(store.queries.schedule.state('items')).toEqual(STATE);
  });
});
