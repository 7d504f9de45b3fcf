import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAR_AHEAD, wins, type StampedValue } from '../../../src-main/common/stamps.ts';
import { isKind, KIND_NAMES, KINDS, kindOf, valueText, type Kind } from '../../../src-main/contract/records.ts';
import type { Store } from '../../../src-main/store/index.ts';
import type { Before, Exported, Key, Merged, Stamped } from '../../../src-main/store/records.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { nextStamp } from '../../support/stamps.ts';
import { openTestStore, SOURCE } from '../../support/store.ts';

const NOW = Date.parse('2026-03-18T06:30:00Z');
const YEAR = 365 * FAR_AHEAD;
const NAMES = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(16));

interface Device {
  name: string;
  clock: FakeClock;
  store: Store;
}

function openDevice(name = NAMES[0] ?? '', now = NOW): Device {
  const clock = fakeClock(now);
  const store = openTestStore({ clock });
  store.transaction(({ records }) => {
    records.nameDevice(name);
  });
  return { name, clock, store };
}

const set = ({ store }: Device, kind: Kind, id: string, value: unknown): Before =>
  store.transaction(({ records }) => records.set(kind, id, value as never));
const restore = ({ store }: Device, before: Before): Before =>
  store.transaction(({ records }) => records.restore(before));
const take = ({ store }: Device, records: readonly Stamped[]) => store.transaction((tx) => tx.records.take(records));
const merge = ({ store }: Device, exported: readonly Exported[]) => {
  const outcomes = store.transaction((tx) => tx.records.merge(exported));
  const sum = (wanted: Merged): number => outcomes.filter((outcome) => outcome === wanted).length;
  return { taken: sum('taken'), unchanged: sum('unchanged'), skipped: sum('skipped') };
};
const get = ({ store }: Device, kind: Kind, id: string): unknown => store.queries.records.get(kind, id);
const all = ({ store }: Device) => store.queries.records.since(0, 100_000);
/** As in the files of a device. */
const told = (device: Device): Stamped[] =>
  all(device)
    .filter(({ isOwn }) => isOwn)
    .map(({ seq: _, isOwn: __, ...record }) => record);
/** Every record by its key, whatever the order in which they came. */
const state = (device: Device): [string, StampedValue][] =>
  all(device)
    .map(({ kind, service, id, epoch, time, device, value }): [string, StampedValue] => [
      JSON.stringify([kind, service, id]),
      { epoch, time, device, value },
    ])
    .sort(([one], [other]) => (one < other ? -1 : 1));

describe('the register, in three examples', () => {
  it('keeps what the reader decided: an item is read, then marked as unread, then both are undone', () => {
    const device = openDevice();
    const read = set(device, 'read', 'item-1', NOW);
    expect(get(device, 'read', 'item-1')).toBe(NOW);
    device.clock.advance(1_000);
    const unread = set(device, 'read', 'item-1', -device.clock.now());
    expect(unread.pairs).toEqual([['item-1', NOW]]);
    restore(device, unread);
    expect(get(device, 'read', 'item-1')).toBe(NOW);
    restore(device, read);
    expect(get(device, 'read', 'item-1')).toBeNull();
    // One row a key; a removal is a value, too, with the latest stamp.
    expect(all(device)).toMatchObject([{ id: 'item-1', value: null, time: NOW + 1_002 }]);
  });

  it('gives two devices the later of two versions of a note, in whatever order they meet', () => {
    const [one, other] = [openDevice(NAMES[0]), openDevice(NAMES[1])];
    const note = (text: string, at: number) => ({ text, createdAt: NOW, changedAt: at, title: '', link: null });
    set(one, 'note', 'item/item-1', note('first', NOW));
    other.clock.advance(5_000);
    set(other, 'note', 'item/item-1', note('second', NOW + 5_000));
    const [ofOne, ofOther] = [told(one), told(other)];
    expect(take(one, ofOther)).toEqual({ taken: 1, refused: 0 });
    expect(take(other, ofOne)).toEqual({ taken: 0, refused: 0 });
    expect(state(one)).toEqual(state(other));
    expect(get(one, 'note', 'item/item-1')).toMatchObject({ text: 'second' });
    // It is the other device's: this one does not tell it again.
    expect(told(one)).toEqual([]);
  });

  it('imports what was removed since, and removes nothing that the file lacks', () => {
    const device = openDevice();
    set(device, 'favourite', 'model-1', NOW);
    set(device, 'favourite', 'model-2', NOW);
    device.clock.advance(1_000);
    set(device, 'favourite', 'model-1', null);
    const file = [{ kind: 'favourite', service: '', id: 'model-1', value: NOW - 5 }];
    expect(merge(device, file)).toEqual({ taken: 1, unchanged: 0, skipped: 0 });
    expect(merge(device, file)).toEqual({ taken: 0, unchanged: 1, skipped: 0 });
    expect(device.store.queries.records.list('favourite')).toEqual([
      ['model-1', NOW - 5],
      ['model-2', NOW],
    ]);
  });
});

/** An id, two values, and the one that stays when a file has the second; for each kind. */
const SAMPLES: Record<Kind, { id: string; values: [unknown, unknown]; merged: unknown; wrong: unknown }> = {
  read: { id: 'item-1', values: [-NOW, 500], merged: 500, wrong: '500' },
  star: {
    id: 'item-1',
    values: [
      { at: 900, time: 800, title: 'Title', link: null },
      { at: 500, time: 800, title: 'Other', link: 'https://a.example/1' },
    ],
    merged: { at: 500, time: 800, title: 'Other', link: 'https://a.example/1' },
    wrong: { at: 900 },
  },
  withdrawn: { id: 'item-1', values: [900, 500], merged: 500, wrong: -1 },
  address: { id: 'https://a.example/1', values: [900, 500], merged: 500, wrong: 1.5 },
  follow: { id: 'story-1', values: [900, 500], merged: 500, wrong: {} },
  story: { id: 'story-1', values: [500, 900], merged: 500, wrong: [] },
  seen: {
    id: 'story-1',
    values: [
      { at: 500, reports: ['a', 'b'], digest: 'one' },
      { at: 900, reports: ['b', 'c'], digest: null },
    ],
    merged: { at: 900, reports: ['a', 'b', 'c'], digest: 'one' },
    wrong: { at: 500, reports: 'a', digest: null },
  },
  report: { id: 'daily/2026-03-18', values: [900, 500], merged: 500, wrong: true },
  note: {
    id: 'report/daily/2026-03-18',
    values: [
      { text: 'first', createdAt: 500, changedAt: 600, title: 'Title', link: null },
      { text: 'second', createdAt: 550, changedAt: 900, title: 'Other', link: 'https://a.example/1' },
    ],
    merged: { text: 'second', createdAt: 500, changedAt: 900, title: 'Other', link: 'https://a.example/1' },
    wrong: { text: 'first', createdAt: 500, changedAt: 600 },
  },
  saved: {
    id: 'ab12',
    values: [
      { name: 'One', query: 'a', notify: 0, position: 0, createdAt: 500 },
      { name: 'Two', query: 'b', notify: 1, position: 1, createdAt: 900 },
    ],
    merged: { name: 'Two', query: 'b', notify: 1, position: 1, createdAt: 500 },
    wrong: { name: ' One', query: 'a', notify: 0, position: 0, createdAt: 500 },
  },
  mute: {
    id: 'source:"A"',
    values: [
      { id: 'ab12', createdAt: 500 },
      { id: 'cd34', createdAt: 400 },
    ],
    merged: { id: 'ab12', createdAt: 500 },
    wrong: { id: '../', createdAt: 500 },
  },
  favourite: { id: 'model-1', values: [900, 500], merged: 500, wrong: false },
  alias: {
    id: 'sonnet',
    values: [
      { alias: 'Sonnet', model: 'model-1', position: 0 },
      { alias: 'sonnet', model: 'model-2', position: 1 },
    ],
    merged: { alias: 'sonnet', model: 'model-2', position: 1 },
    wrong: { alias: 's', model: 'model-1', position: 0 },
  },
  workload: {
    id: 'ab12',
    values: [
      { name: 'Chat', tokensIn: 1, tokensOut: 2, tokensCached: 0, requestsAMonth: 3, createdAt: 500 },
      { name: 'Chat', tokensIn: 9, tokensOut: 2, tokensCached: 0, requestsAMonth: 3, createdAt: 900 },
    ],
    merged: { name: 'Chat', tokensIn: 9, tokensOut: 2, tokensCached: 0, requestsAMonth: 3, createdAt: 500 },
    wrong: { name: 'Chat', tokensIn: -1, tokensOut: 2, tokensCached: 0, requestsAMonth: 3, createdAt: 500 },
  },
  start: { id: 'first', values: [900, 0], merged: 0, wrong: -1 },
  visit: {
    id: 'last',
    values: [
      { build: 'x', sequence: 1, at: 500 },
      { build: 'y', sequence: 2, at: 900 },
    ],
    merged: null,
    wrong: { build: 'x', sequence: 0.5, at: 500 },
  },
  setting: { id: 'theme', values: ['dark', { a: [1, null], b: 'light' }], merged: null, wrong: 'x'.repeat(20_000) },
};

describe.each(KIND_NAMES)('a record of kind %s', (kind) => {
  const { id, values, merged, wrong } = SAMPLES[kind];
  const [first, second] = values;
  const service = KINDS[kind].scope === 'service' ? SOURCE : '';

  it('reaches another device, and is there what it is here', () => {
    const [one, other] = [openDevice(NAMES[0]), openDevice(NAMES[1])];
    set(one, kind, id, first);
    take(other, told(one));
    expect(get(other, kind, id)).toEqual(first);
    other.clock.advance(1_000);
    set(other, kind, id, null);
    take(one, told(other));
    expect(get(one, kind, id)).toBeNull();
    expect(state(one)).toEqual(state(other));
  });

  it('is merged from a file by its rule, in which invalid values and ids mean nothing', () => {
    const device = openDevice();
    const file = (value: unknown, of = id): Exported[] => [{ kind, service, id: of, value }];
    set(device, kind, id, first);
    const isExported = kindOf(kind).exported;
    expect(merge(device, file(second))).toMatchObject(isExported ? { skipped: 0 } : { skipped: 1 });
    expect(get(device, kind, id)).toEqual(isExported ? merged : first);
    expect(merge(device, file(second))).toMatchObject({ taken: 0 });
    expect(merge(device, [...file(wrong), ...file(second, '')])).toEqual({ taken: 0, unchanged: 0, skipped: 2 });
  });
});

describe('a limit', () => {
  it('keeps a file from having more records than the reader may have', () => {
    const device = openDevice();
    const searches = Array.from({ length: 60 }, (_none, at) => ({
      ...{ kind: 'saved', service: '', id: `search-${String(at)}` },
      value: { name: `Search ${String(at)}`, query: 'a', notify: 0, position: at, createdAt: NOW },
    }));
    expect(merge(device, searches)).toEqual({ taken: 50, unchanged: 0, skipped: 10 });
    expect(merge(device, searches)).toEqual({ taken: 0, unchanged: 50, skipped: 10 });
  });

  it('is in bytes, too: what is there may get shorter', () => {
    const device = openDevice();
    const note = (text: string) => ({ text, createdAt: NOW, changedAt: NOW, title: '', link: null });
    const notes = Array.from({ length: 1_300 }, (_none, at) => ({
      ...{ kind: 'note', service: SOURCE, id: `item/item-${String(at)}` },
      value: note('x'.repeat(19_000)),
    }));
    const { taken, skipped } = merge(device, notes);
    expect(taken * 19_000).toBeGreaterThan(23_000_000);
    expect(taken * 19_000).toBeLessThan(24_000_000);
    expect(taken + skipped).toBe(1_300);
    const { records } = device.store.queries;
    expect(records.hasRoom('note', 'item/item-0', note('x'.repeat(18_000)) as never)).toBe(true);
    expect(records.hasRoom('note', 'item/new', note('x'.repeat(19_000)) as never)).toBe(false);
  });
});

describe('a later version', () => {
  it('has kinds that are kept, passed on and left out of nothing but imports', () => {
    const [one, other] = [openDevice(NAMES[0]), openDevice(NAMES[1])];
    const later: Stamped = {
      ...{ kind: 'colour', service: SOURCE, id: 'item-1', value: '{"hue":7}' },
      ...{ epoch: 0, time: NOW, device: NAMES[2] ?? '' },
    };
    take(one, [later]);
    const passed = all(one).map(({ seq: _, isOwn: __, ...record }) => record);
    expect(passed).toEqual([later]);
    take(other, passed);
    expect(state(other)).toEqual(state(one));
    expect(isKind('colour')).toBe(false);
    expect(merge(one, [{ kind: 'colour', service: SOURCE, id: 'x', value: 1 }])).toMatchObject({ skipped: 1 });
  });
});

describe('a device that anyone who can write into the folder made up', () => {
  const made = (device: string, at: number, length = 8): Stamped => ({
    ...{ kind: 'setting', service: '', id: `s${String(at)}`, value: JSON.stringify('x'.repeat(length)) },
    ...{ epoch: 0, time: NOW, device },
  });
  const nameOf = (at: number): string => at.toString(16).padStart(16, '0');

  it('is refused if it is one of very many', () => {
    const device = openDevice();
    const records = Array.from({ length: 300 }, (_none, at) => made(nameOf(at), at));
    expect(take(device, records)).toEqual({ taken: 256, refused: 44 });
    // Those that are known still get in, and what the reader replaces makes room.
    expect(take(device, [made(nameOf(0), 900)])).toEqual({ taken: 1, refused: 0 });
    set(device, 'setting', 's1', 'mine');
    expect(take(device, [made(nameOf(299), 901)])).toEqual({ taken: 1, refused: 0 });
  });

  it('gets no more than a little, once eight have much', () => {
    const device = openDevice();
    const much = (device: string) => Array.from({ length: 40 }, (_none, at) => made(device, at, 16_000));
    const answers = Array.from({ length: 10 }, (_none, at) =>
      take(
        device,
        much(nameOf(at)).map((record) => ({ ...record, id: `d${String(at)}${record.id}` })),
      ),
    );
    expect(answers.filter(({ refused }) => refused === 0)).toHaveLength(8);
    for (const { taken, refused } of answers.slice(8)) expect([taken, refused]).toEqual([16, 24]);
    // The reader's own device has no such limit.
    expect(take(device, much(device.name)).refused).toBe(0);
  });
});

describe('what comes through the shared folder', () => {
  it('under the name of this device has the quota of any device: anyone may write it', () => {
    const one = openDevice();
    const long = valueText('x'.repeat(16_000));
    const many = Array.from({ length: 250 }, (_none, at) => String(at));
    let refused = 0;
    for (let step = 0; step < 26; step += 1) {
      const records = many.map((id) => ({
        ...{ kind: 'setting', service: '', id: `s${String(step)}x${id}`, value: long },
        ...{ epoch: 0, time: NOW, device: one.name },
      }));
      refused += take(one, records).refused;
    }
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(26 * 250);
    // The reader's own acts have none.
    expect(set(one, 'setting', 'theme', 'dark').pairs).toHaveLength(1);
  });

  it('has ten times as many rules as the reader may have, and no more', () => {
    const one = openDevice();
    const rules = Array.from({ length: 600 }, (_none, at) => ({
      ...{ kind: 'saved', service: '', id: `search-${String(at)}`, epoch: 0, time: NOW, device: NAMES[1] ?? '' },
      value: valueText({ name: `Search ${String(at)}`, query: 'a', notify: 0, position: at, createdAt: NOW }),
    }));
    expect(take(one, rules)).toEqual({ taken: 500, refused: 100 });
    expect(
      take(
        one,
        rules.slice(0, 10).map((rule) => ({ ...rule, value: null, time: NOW + 1 })),
      ).taken,
    ).toBe(10);
    expect(take(one, rules.slice(500))).toEqual({ taken: 10, refused: 90 });
  });
});

/** Stories that were merged into others. One that is forgotten may be learned again. */
const ALIASES: readonly [string, string][] = [
  ['story-0', 'story-2'],
  ['story-1', 'story-2'],
  ['story-2', 'story-3'],
];

type Step =
  | { what: 'set'; device: number; kind: 'read' | 'follow'; id: number; value: number | null }
  | { what: 'undo'; device: number }
  | { what: 'time'; ms: number }
  | { what: 'learn' | 'forget'; device: number; alias: number }
  | { what: 'later'; device: number; value: number }
  | { what: 'exchange'; device: number; of: number; reversed: boolean };

const device = fc.nat({ max: 4 });
const steps = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('set' as const),
      device,
      kind: fc.constantFrom('read' as const, 'follow' as const),
      id: fc.nat({ max: 3 }),
      value: fc.option(fc.integer({ min: 1, max: 9 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('undo' as const), device }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('time' as const), ms: fc.nat({ max: 90_000_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom('learn' as const, 'learn' as const, 'forget' as const),
      device,
      alias: fc.nat({ max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('later' as const), device, value: fc.nat({ max: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('exchange' as const), device, of: device, reversed: fc.boolean() }),
  },
);
const histories = fc.record({
  devices: fc.integer({ min: 2, max: 5 }),
  // A day ahead or behind, and far more.
  off: fc.array(fc.constantFrom(0, 0, 0, -1_000, 60_000, FAR_AHEAD + 1, -FAR_AHEAD, 5 * YEAR, -40 * YEAR), {
    minLength: 5,
    maxLength: 5,
  }),
  steps: fc.array(steps, { minLength: 5, maxLength: 50 }),
});

const keyOf = ({ kind, service, id }: Key): string => JSON.stringify([kind, service, id]);
const follow = (id: string): Key => ({ kind: 'follow', service: SOURCE, id });

/** A device with a model of it: the rules of stamps, without a database. */
class Modelled {
  readonly device: Device;
  readonly model = new Map<string, StampedValue>();
  readonly learned = new Set<number>();
  #last: Before[] = [];

  constructor(name: string, now: number) {
    this.device = openDevice(name, now);
  }

  set(kind: Kind, id: string, value: number | null): void {
    this.#last.push(set(this.device, kind, id, value));
    this.#act({ kind, service: SOURCE, id }, value);
  }

  undo(): void {
    const before = this.#last.pop();
    if (!before) return;
    restore(this.device, before);
    for (const [id, value] of before.pairs) this.#act({ ...before, id }, value as number | null);
  }

  take(records: readonly Stamped[]): void {
    take(this.device, records);
    for (const record of records) this.#put(record, record);
    this.adopt();
  }

  /** As each sync does, for what it has learned. */
  adopt(): void {
    for (const [from, to] of ALIASES.filter((_alias, at) => this.learned.has(at))) {
      this.device.store.transaction(({ records }) => records.adopt(follow(from), follow(to)));
      const record = this.model.get(keyOf(follow(from)));
      if (record) this.#put(follow(to), record);
    }
  }

  later(value: number): void {
    const record = { kind: 'colour', service: SOURCE, id: 'item-1', device: this.device.name };
    this.take([{ ...record, epoch: 0, time: this.device.clock.now(), value: valueText({ hue: value }) }]);
  }

  get state(): [string, StampedValue][] {
    return [...this.model].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  #act(key: Key, value: number | null): void {
    const known = this.model.get(keyOf(key)) ?? null;
    const text = value === null ? null : String(value);
    if ((known?.value ?? null) === text) return;
    const [now, device] = [this.device.clock.now(), this.device.name];
    this.model.set(keyOf(key), { value: text, ...nextStamp(known, { now, device }) });
  }

  #put(key: Key, { epoch, time, device, value }: StampedValue): void {
    const here = this.model.get(keyOf(key)) ?? null;
    if (wins({ epoch, time, device, value }, here)) this.model.set(keyOf(key), { epoch, time, device, value });
  }
}

function run(history: { devices: number; off: number[]; steps: Step[] }): void {
  const all = NAMES.slice(0, history.devices).map((name, at) => new Modelled(name, NOW + (history.off[at] ?? 0)));
  const at = (index: number): Modelled => all[index % all.length] as Modelled;
  for (const step of history.steps) {
    if (step.what === 'time') for (const { device } of all) device.clock.advance(step.ms);
    else if (step.what === 'exchange') {
      const records = told(at(step.of).device);
      at(step.device).take(step.reversed ? records.toReversed() : records);
    } else if (step.what === 'undo') at(step.device).undo();
    else if (step.what === 'later') at(step.device).later(step.value);
    else if (step.what === 'set') {
      at(step.device).set(step.kind, `${step.kind === 'read' ? 'item' : 'story'}-${String(step.id)}`, step.value);
    } else {
      at(step.device).learned[step.what === 'learn' ? 'add' : 'delete'](step.alias);
      at(step.device).adopt();
    }
  }
  for (const one of all) expect(state(one.device)).toEqual(one.state);
  // Once each has learned everything and read everything, they are equal, and stay so.
  for (let round = 0; round < 3; round += 1) {
    for (const one of all) {
      for (const alias of ALIASES.keys()) one.learned.add(alias);
      for (const other of all) one.take(told(other.device));
    }
  }
  const [first, ...others] = all;
  for (const { device } of others) expect(state(device)).toEqual(first && state(first.device));
}

describe('devices', () => {
  it('agree after any history of marks, undo, aliases and wrong clocks', async () => {
    await expectHeld(histories, isWhole ? 1_000 : 25, async (history) => run(history));
  });
});
