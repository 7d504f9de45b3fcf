import { describe, expect, it } from 'vitest';
import { openTestStore, write } from '../../support/store.ts';
import type { Store } from '../../../src-main/store/index.ts';

function set(store: Store, resource: string, address: string, etag: string | null): void {
  write(store, (tx) => {
    tx.schedule.setValidator(resource, address, etag);
  });
}

describe('a validator', () => {
  it('is saved byte for byte', () => {
    const store = openTestStore();
    const etag = 'W/"aé 1\\"';
    write(store, (tx) => {
      tx.schedule.setValidator('items', 'mode=all', etag);
    });
    expect(store.queries.schedule.validator('items', 'mode=all')).toBe(etag);
  });

  it('is valid only for the address that it came from', () => {
    const store = openTestStore();
    set(store, 'selected', 'cursor-1', '"1"');
    expect(store.queries.schedule.validator('selected', 'cursor-2')).toBeUndefined();
    expect(store.queries.schedule.validator('items', 'cursor-1')).toBeUndefined();
    set(store, 'selected', 'cursor-2', '"2"');
    expect(store.queries.schedule.validator('selected', 'cursor-1')).toBeUndefined();
    expect(store.queries.schedule.validator('selected', 'cursor-2')).toBe('"2"');
  });

  it('is removed if the new body has none, and when it is cleared', () => {
    const store = openTestStore();
    set(store, 'items', 'mode=all', '"1"');
    set(store, 'items', 'mode=all', null);
    expect(store.queries.schedule.validator('items', 'mode=all')).toBeUndefined();
    set(store, 'items', 'mode=all', '"2"');
    write(store, (tx) => {
      tx.schedule.clearValidator('items');
    });
    expect(store.queries.schedule.validator('items', 'mode=all')).toBeUndefined();
  });

  it('is not saved without the body: a write that throws keeps the old one', () => {
    const store = openTestStore();
    set(store, 'items', 'mode=all', '"1"');
    expect(() =>
      write(store, (tx) => {
        tx.schedule.setValidator('items', 'mode=all', '"2"');
        throw new Error('cut short');
      }),
    ).toThrow('cut short');
    expect(store.queries.schedule.validator('items', 'mode=all')).toBe('"1"');
  });
});
