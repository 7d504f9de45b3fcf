import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAR_AHEAD, wins, type StampedValue } from '../../../src-main/common/stamps.ts';
import type { Stamped } from '../../../src-main/store/index.ts';
import { addChecksum, contentsOf, openLine, recordsOf as recordsIn } from '../../../src-main/sync/devices/lines.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { nextStamp } from '../../support/stamps.ts';
import { openTestStore } from '../../support/store.ts';
import { fakeClock } from '../../support/clock.ts';

const NOW = Date.parse('2026-03-18T06:30:00Z');
const YEAR = 365 * 24 * 3_600_000;
const SERVICE = 'https://news.example';
const DEVICES = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(16));

const linesOf = (marks: readonly Stamped[]): string[] => contentsOf(marks).map(addChecksum);
/** Null if the line is not whole. */
const recordsOf = (line: string): Stamped[] | null => {
  const opened = openLine(line, [], 'records');
  return typeof opened === 'string' ? null : recordsIn(opened.content);
};

/** A step of a run: times are durations, in ms. */
type Step =
  | { what: 'mark'; device: number; item: number; value: number | null }
  | { what: 'time'; ms: number }
  /** One device reads the files of another one, as a sync tool left them. */
  | { what: 'read'; device: number; of: number; damage: Damage };

type Damage = 'none' | 'truncated' | 'twice' | 'reversed' | 'conflict' | 'changed' | 'stale';

interface Run {
  devices: number;
  /** How far each clock is off, in ms. */
  off: number[];
  steps: Step[];
}

const DAMAGES: readonly Damage[] = ['none', 'truncated', 'twice', 'reversed', 'conflict', 'changed', 'stale'];
const device = fc.nat({ max: 4 });
const marking: fc.Arbitrary<Step> = fc
  .tuple(device, fc.nat({ max: 7 }), fc.option(fc.nat({ max: 1_000 })))
  .map(([by, item, value]) => ({ what: 'mark', device: by, item, value }));
const waiting: fc.Arbitrary<Step> = fc.nat({ max: 90_000_000 }).map((ms) => ({ what: 'time', ms }));
const reading: fc.Arbitrary<Step> = fc
  .tuple(device, device, fc.constantFrom(...DAMAGES))
  .map(([by, of, damage]) => ({ what: 'read', device: by, of, damage }));
const offsets = fc.constantFrom(0, 0, 0, -40 * YEAR, -1_000, 60_000, 5 * YEAR, 100 * YEAR);
const runs: fc.Arbitrary<Run> = fc
  .tuple(
    fc.integer({ min: 2, max: 5 }),
    fc.array(offsets, { minLength: 5, maxLength: 5 }),
    fc.array(
      fc.oneof({ weight: 4, arbitrary: marking }, { weight: 1, arbitrary: waiting }, { weight: 2, arbitrary: reading }),
      { minLength: 5, maxLength: 60 },
    ),
  )
  .map(([devices, off, steps]) => ({ devices, off, steps }));

/** A device as the rules have it: the winner of each key, and an append-only file of its own marks. */
class PureDevice {
  readonly state = new Map<string, Stamped>();
  file: string[] = [];
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  mark(id: string, value: string | null, now: number): void {
    const known = this.state.get(id) ?? null;
    const stamp = nextStamp(known, { now, device: this.#id });
    const mark: Stamped = { kind: 'follow', service: SERVICE, id, value, ...stamp };
    this.state.set(id, mark);
    this.file.push(...linesOf([mark]));
  }

  take(lines: readonly string[]): void {
    for (const mark of lines.flatMap((line) => recordsOf(line) ?? [])) {
      if (wins(mark, this.state.get(mark.id) ?? null)) this.state.set(mark.id, mark);
    }
  }

  /** The snapshot takes the place of the file. */
  compact(): void {
    this.file = linesOf([...this.state.values()].filter((mark) => mark.device === this.#id));
  }

  get values(): [string, StampedValue][] {
    return [...this.state].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

function damaged(lines: readonly string[], damage: Damage): string[] {
  const last = lines.at(-1) ?? '';
  const half = last.slice(0, last.length / 2);
  const middle = lines[Math.floor(lines.length / 2)] ?? '';
  switch (damage) {
    case 'truncated':
      return [...lines.slice(0, -1), half];
    case 'twice':
      return [...lines, ...lines];
    case 'reversed':
      return lines.toReversed();
    case 'conflict':
      return [...lines.slice(0, lines.length / 2), ...lines.slice(0, lines.length / 3)];
    case 'changed':
      return lines.map((line) => (line === middle ? line.replace(/\d(?=\D*$)/, 'x') : line));
    case 'stale':
      return lines.slice(0, lines.length / 2);
    default:
      return [...lines];
  }
}

function converge(run: Run): void {
  const all = DEVICES.slice(0, run.devices).map((id) => new PureDevice(id));
  const at = (index: number): PureDevice => all[index % all.length] as PureDevice;
  let elapsed = 0;
  for (const step of run.steps) {
    if (step.what === 'time') elapsed += step.ms;
    else if (step.what === 'mark') {
      const value = step.value === null ? null : String(step.value);
      at(step.device).mark(
        `item-${String(step.item)}`,
        value,
        NOW + elapsed + (run.off[step.device % all.length] ?? 0),
      );
    } else {
      at(step.device).take(damaged(at(step.of).file, step.damage));
      if (step.damage === 'stale') at(step.of).compact();
    }
  }
  // At the end each device has every file, in another order each.
  for (const [index, one] of all.entries()) for (const other of rotated(all, index)) one.take(other.file);
  const [first, ...others] = all;
  for (const other of others) expect(other.values).toEqual(first?.values);
  // Snapshots have the same, and merging again changes nothing.
  for (const one of all) one.compact();
  const fresh = new PureDevice('f'.repeat(16));
  for (const one of all.toReversed()) fresh.take(one.file);
  expect(fresh.values).toEqual(first?.values);
  for (const one of all) first?.take(one.file);
  expect(first?.values).toEqual(fresh.values);
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by), ...list.slice(0, by)];
}

describe('merging marks', () => {
  it('gives the same on two to five devices, whatever clocks and files were', { timeout: 120_000 }, async () => {
    const runsWanted = isWhole ? 1_000 : 30;
    const held = await expectHeld(runs, {
      runs: runsWanted,
      limitMs: 110_000,
      check: async (run) => converge(run),
    });
    expect(held).toBe(runsWanted);
  });
});

describe('the stamp of a record', () => {
  const [one = '', other = ''] = DEVICES;
  const key = { kind: 'favourite', service: '', id: 'maker/model' };

  /** The stamp of an act at `now` that replaces `known`. */
  function replaced(known: StampedValue | null, now: number, device = one): StampedValue {
    const store = openTestStore({ clock: fakeClock(now) });
    store.transaction(({ records }) => {
      records.nameDevice(device);
      if (known) records.take([{ ...key, ...known }]);
      records.set('favourite', key.id, 7);
    });
    const found = store.queries.records.stamped(key);
    const { epoch = -1, time = -1, device: by = '', value = null } = found ?? {};
    return { epoch, time, device: by, value };
  }

  it('wins over what it replaces, also with a slow clock', () => {
    const known = { epoch: 0, time: NOW, device: other, value: '1' };
    expect(wins(replaced(known, NOW - 40 * YEAR), known)).toBe(true);
    expect(replaced(known, NOW - 1_000)).toMatchObject({ epoch: 0, time: NOW + 1 });
    expect(replaced(null, NOW)).toEqual({ epoch: 0, time: NOW, device: one, value: '7' });
  });

  it('puts an end to one from a clock that is years ahead', () => {
    const ahead = { epoch: 0, time: NOW + 5 * YEAR, device: other, value: '1' };
    const next = replaced(ahead, NOW);
    expect(next).toEqual({ epoch: 1, time: NOW, device: one, value: '7' });
    expect(wins(next, ahead)).toBe(true);
    // From then on times decide again, also between others.
    const later = replaced({ ...next, value: '1' }, NOW + 1_000, other);
    expect(later).toMatchObject({ epoch: 1, time: NOW + 1_000, device: other });
  });

  it('takes a clock that is a little ahead as it is', () => {
    const ahead = { epoch: 0, time: NOW + FAR_AHEAD, device: other, value: '1' };
    expect(replaced(ahead, NOW)).toMatchObject({ epoch: 0, time: NOW + FAR_AHEAD + 1, device: one });
  });

  it('decides by the device, then by the value, when times are equal', () => {
    const record = { epoch: 0, time: NOW, device: one, value: '1' };
    expect(wins({ ...record, device: other }, record)).toBe(true);
    expect(wins({ ...record, value: '2' }, record)).toBe(true);
    expect(wins(record, { ...record })).toBe(false);
  });

  it('is that of the service, if its time is known: the clock of the computer may be wrong', () => {
    const store = openTestStore({ clock: fakeClock(NOW + YEAR) });
    store.stampWith(() => NOW);
    store.transaction(({ records }) => void records.set('favourite', key.id, 7));
    expect(store.queries.records.stamped(key)).toMatchObject({ time: NOW });
  });
});

describe('a line', () => {
  const records: Stamped[] = Array.from({ length: 1_200 }, (_none, index) => ({
    kind: 'read',
    service: SERVICE,
    id: `item-${String(index)}`,
    value: '1000',
    epoch: 0,
    time: NOW,
    device: 'a'.repeat(16),
  }));

  it('has what was marked at once: 1,200 items take 3 lines', () => {
    const lines = linesOf(records);
    expect(lines).toHaveLength(3);
    expect(lines.flatMap((line) => recordsOf(line))).toEqual(records);
    // Some 13 bytes an item.
    expect(lines.join('\n').length).toBeLessThan(1_200 * 16);
  });

  it('has fewer of them if their ids are long, so that it can be read', () => {
    const address = `https://a.example/${'x'.repeat(8_000)}`;
    const long: Stamped[] = records
      .slice(0, 400)
      .map((one, index) => ({ ...one, kind: 'address', service: '', id: address + String(index), value: '1000' }));
    expect(linesOf(long).flatMap((line) => recordsOf(line))).toEqual(long);
  });

  it('is whole or not used, wherever it is cut or changed', () => {
    const [line = ''] = linesOf(records.slice(0, 2));
    for (let length = 0; length < line.length; length += 1) expect(recordsOf(line.slice(0, length))).toBeNull();
    for (let at = 0; at < line.length; at += 1) {
      const changed = `${line.slice(0, at)}${line[at] === '0' ? '1' : '0'}${line.slice(at + 1)}`;
      expect(recordsOf(changed) ?? records.slice(0, 2)).toEqual(records.slice(0, 2));
    }
  });

  it('has kinds of later versions, which are passed on', () => {
    const later = { ...records.slice(0, 1)[0], kind: 'colour', value: '{"hue":7}' } as Stamped;
    expect(linesOf([later]).map(recordsOf)).toEqual([[later]]);
  });

  it.each([
    ['a kind that is not shared', '{"k":"alias","s":"","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":null,"ids":["x"]}'],
    ['a kind that no version has', '{"k":"../x","s":"","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":1,"ids":["x"]}'],
    ['an unknown value', '{"k":"star","s":"demo","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":"red","ids":["x"]}'],
    ['an epoch beyond the last', '{"k":"read","s":"demo","by":"aaaaaaaaaaaaaaaa","e":1001,"t":1,"v":1,"ids":["x"]}'],
    ['no service', '{"k":"read","s":"","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":1,"ids":["x"]}'],
    ['a device that is a path', '{"k":"read","s":"demo","by":"../../../../../","e":0,"t":1,"v":1,"ids":["x"]}'],
    ['a text', '"x"'],
  ])('of %s has no records for this version', (_case, content) => {
    expect(recordsOf(addChecksum(content))).toEqual([]);
  });
});
