import { describe, expect, it } from 'vitest';
import type { RunRecord, ScheduleState, Store } from '../../../src-main/store/index.ts';
import { openTestStore, reschedule, write } from '../../support/store.ts';

const STATE: ScheduleState = {
  requestedAt: 1_000,
  answeredAt: null,
  lifetime: 60_000,
  dueAt: 61_000,
  failures: 2,
  failure: { code: 'rate_limited', message: 'Too many requests', retryable: true, requestId: 'r-1' },
};

function run(startedAt: number, rest: Partial<RunRecord> = {}): RunRecord {
  return {
    resource: 'items',
    startedAt,
    endedAt: startedAt + 10,
    status: 'ok',
    requests: 1,
    added: 2,
    revised: 3,
    withdrawn: 4,
    skipped: 5,
    skippedReasons: ['a: is no text', '推理'],
    ...rest,
  };
}

function record(store: Store, done: RunRecord, state: ScheduleState | null): void {
  store.transaction(({ schedule }) => {
    schedule.record(done, state);
  });
}

describe('the schedule', () => {
  it('keeps the newest 200 runs of each resource', () => {
    const { schedule, record } = withSchedule();
    record(run(0, { resource: 'selected' }), STATE);
    for (let n = 1; n <= 205; n += 1) record(run(n), STATE);
    const kept = schedule.runs('items', 1_000);
    expect(kept).toHaveLength(200);
    expect([kept[0]?.startedAt, kept.at(-1)?.startedAt]).toEqual([205, 6]);
    expect(schedule.runs('selected', 10)).toHaveLength(1);
  });

  it('saves a run without a schedule, and a schedule without a run', () => {
    const store = openTestStore();
    record(store, run(1), null);
    expect(store.queries.schedule.state('items')).toBeNull();
    reschedule(store, 'items', STATE);
    expect(store.queries.schedule.state('items')).toEqual(STATE);
    expect(store.queries.schedule.runs('items', 10)).toEqual([run(1)]);
  });

  function withSchedule() {
    const store = openTestStore();
    return {
      schedule: store.queries.schedule,
      record: (done: RunRecord, state: ScheduleState | null) => {
        record(store, done, state);
      },
    };
  }
});

function set(store: Store, resource: string, address: string, etag: string | null): void {
  write(store, (tx) => {
    tx.fetches.put(resource, { address, etag });
  });
}

describe('a validator', () => {
  it('is saved byte for byte', () => {
    const store = openTestStore();
    const etag = 'W/"aé 1\\"';
    write(store, (tx) => {
      tx.fetches.put('items', { address: 'mode=all', etag });
    });
    expect(store.queries.fetches.etag('items', 'mode=all')).toBe(etag);
  });

  it('is valid only for the address that it came from', () => {
    const store = openTestStore();
    set(store, 'selected', 'cursor-1', '"1"');
    expect(store.queries.fetches.etag('selected', 'cursor-2')).toBeUndefined();
    expect(store.queries.fetches.etag('items', 'cursor-1')).toBeUndefined();
    set(store, 'selected', 'cursor-2', '"2"');
    expect(store.queries.fetches.etag('selected', 'cursor-1')).toBeUndefined();
    expect(store.queries.fetches.etag('selected', 'cursor-2')).toBe('"2"');
  });

  it('is removed if the new body has none, and when it is cleared', () => {
    const store = openTestStore();
    set(store, 'items', 'mode=all', '"1"');
    set(store, 'items', 'mode=all', null);
    expect(store.queries.fetches.etag('items', 'mode=all')).toBeUndefined();
    set(store, 'items', 'mode=all', '"2"');
    write(store, (tx) => {
      tx.fetches.put('items', { etag: null });
    });
    expect(store.queries.fetches.etag('items', 'mode=all')).toBeUndefined();
  });
});
