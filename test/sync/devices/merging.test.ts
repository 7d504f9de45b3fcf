import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAR_AHEAD, nextStamp, wins, type Mark, type StampedValue } from '../../../src-main/common/marks.ts';
import { contentsOf, marksOf as marksIn, openLine, addChecksum } from '../../../src-main/sync/devices/lines.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';

const NOW = Date.parse('2026-03-18T06:30:00Z');
const YEAR = 365 * 24 * 3_600_000;
const SERVICE = 'https://news.example';
const MACHINES = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(16));

const linesOf = (marks: readonly Mark[]): string[] => contentsOf(marks).map(addChecksum);
/** Null if the line is not whole. */
const marksOf = (line: string): Mark[] | null => {
  const opened = openLine(line, [], 'marks');
  return typeof opened === 'string' ? null : marksIn(opened.content);
};

/** A step of a run: times are durations, in ms. */
type Step =
  | { what: 'mark'; machine: number; item: number; value: number | null }
  | { what: 'time'; ms: number }
  /** One machine reads the files of another one, as a sync tool left them. */
  | { what: 'read'; machine: number; of: number; damage: Damage };

type Damage = 'none' | 'truncated' | 'twice' | 'reversed' | 'conflict' | 'changed' | 'stale';

interface Run {
  machines: number;
  /** How far each clock is off, in ms. */
  off: number[];
  steps: Step[];
}

const DAMAGES: readonly Damage[] = ['none', 'truncated', 'twice', 'reversed', 'conflict', 'changed', 'stale'];
const machine = fc.nat({ max: 4 });
const marking: fc.Arbitrary<Step> = fc
  .tuple(machine, fc.nat({ max: 7 }), fc.option(fc.nat({ max: 1_000 })))
  .map(([by, item, value]) => ({ what: 'mark', machine: by, item, value }));
const waiting: fc.Arbitrary<Step> = fc.nat({ max: 90_000_000 }).map((ms) => ({ what: 'time', ms }));
const reading: fc.Arbitrary<Step> = fc
  .tuple(machine, machine, fc.constantFrom(...DAMAGES))
  .map(([by, of, damage]) => ({ what: 'read', machine: by, of, damage }));
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
  .map(([machines, off, steps]) => ({ machines, off, steps }));

/** A machine as the rules have it: the winner of each key, and an append-only file of its own marks. */
class PureMachine {
  readonly state = new Map<string, Mark>();
  file: string[] = [];
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  mark(id: string, value: string | null, now: number): void {
    const known = this.state.get(id) ?? null;
    const stamp = nextStamp(known, { now, madeAt: null, machine: this.#id });
    const mark: Mark = { kind: 'read', service: SERVICE, id, value, ...stamp };
    this.state.set(id, mark);
    this.file.push(...linesOf([mark]));
  }

  take(lines: readonly string[]): void {
    for (const mark of lines.flatMap((line) => marksOf(line) ?? [])) {
      if (wins(mark, this.state.get(mark.id) ?? null)) this.state.set(mark.id, mark);
    }
  }

  /** The snapshot takes the place of the file. */
  compact(): void {
    this.file = linesOf([...this.state.values()].filter((mark) => mark.machine === this.#id));
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
  const all = MACHINES.slice(0, run.machines).map((id) => new PureMachine(id));
  const at = (index: number): PureMachine => all[index % all.length] as PureMachine;
  let elapsed = 0;
  for (const step of run.steps) {
    if (step.what === 'time') elapsed += step.ms;
    else if (step.what === 'mark') {
      const value = step.value === null ? null : String(step.value);
      at(step.machine).mark(
        `item-${String(step.item)}`,
        value,
        NOW + elapsed + (run.off[step.machine % all.length] ?? 0),
      );
    } else {
      at(step.machine).take(damaged(at(step.of).file, step.damage));
      if (step.damage === 'stale') at(step.of).compact();
    }
  }
  // At the end each machine has every file, in another order each.
  for (const [index, one] of all.entries()) for (const other of rotated(all, index)) one.take(other.file);
  const [first, ...others] = all;
  for (const other of others) expect(other.values).toEqual(first?.values);
  // Snapshots have the same, and merging again changes nothing.
  for (const one of all) one.compact();
  const fresh = new PureMachine('f'.repeat(16));
  for (const one of all.toReversed()) fresh.take(one.file);
  expect(fresh.values).toEqual(first?.values);
  for (const one of all) first?.take(one.file);
  expect(first?.values).toEqual(fresh.values);
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by), ...list.slice(0, by)];
}

describe('merging marks', () => {
  it('gives the same on two to five machines, whatever clocks and files were', { timeout: 120_000 }, async () => {
    const runsWanted = isWhole ? 1_000 : 30;
    const held = await expectHeld(runs, {
      runs: runsWanted,
      limitMs: 110_000,
      check: async (run) => converge(run),
    });
    expect(held).toBe(runsWanted);
  });
});

describe('the stamp of a mark', () => {
  const [one = '', other = ''] = MACHINES;
  const stamp = (known: Parameters<typeof nextStamp>[0], now: number, madeAt: number | null = null) =>
    nextStamp(known, { now, madeAt, machine: one });

  it('wins over what it replaces, also with a slow clock', () => {
    const known = { epoch: 0, time: NOW, machine: other, value: '1' };
    expect(wins({ ...stamp(known, NOW - 40 * YEAR), value: null }, known)).toBe(true);
    expect(stamp(known, NOW - 1_000)).toMatchObject({ epoch: 0, time: NOW + 1 });
  });

  it('puts an end to a mark from a clock that is years ahead', () => {
    const ahead = { epoch: 0, time: NOW + 5 * YEAR, machine: other, value: '1' };
    const next = stamp(ahead, NOW);
    expect(next).toEqual({ epoch: 1, time: NOW, machine: one });
    expect(wins({ ...next, value: null }, ahead)).toBe(true);
    // From then on times decide again, also between others.
    const later = nextStamp(next, { now: NOW + 1_000, madeAt: null, machine: other });
    expect(later).toEqual({ epoch: 1, time: NOW + 1_000, machine: other });
  });

  it('takes a clock that is a little ahead as it is', () => {
    const ahead = { epoch: 0, time: NOW + FAR_AHEAD, machine: other };
    expect(stamp(ahead, NOW)).toEqual({ epoch: 0, time: NOW + FAR_AHEAD + 1, machine: one });
  });

  it('has the time of the action if it is known, and never one that is still to come', () => {
    expect(stamp(null, NOW, NOW - YEAR).time).toBe(NOW - YEAR);
    expect(stamp(null, NOW, NOW + YEAR).time).toBe(NOW);
  });

  it('decides by the machine, then by the value, when times are equal', () => {
    const mark = { epoch: 0, time: NOW, machine: one, value: '1' };
    expect(wins({ ...mark, machine: other }, mark)).toBe(true);
    expect(wins({ ...mark, value: '2' }, mark)).toBe(true);
    expect(wins(mark, { ...mark })).toBe(false);
  });
});

describe('a line', () => {
  const marks: Mark[] = Array.from({ length: 1_200 }, (_none, index) => ({
    kind: 'read',
    service: SERVICE,
    id: `item-${String(index)}`,
    value: '1000',
    epoch: 0,
    time: NOW,
    machine: 'a'.repeat(16),
  }));

  it('has what was marked at once: 1,200 items take 3 lines', () => {
    const lines = linesOf(marks);
    expect(lines).toHaveLength(3);
    expect(lines.flatMap((line) => marksOf(line))).toEqual(marks);
    // Some 13 bytes an item.
    expect(lines.join('\n').length).toBeLessThan(1_200 * 16);
  });

  it('has fewer of them if their ids are long, so that it can be read', () => {
    const address = `https://a.example/${'x'.repeat(8_000)}`;
    const long: Mark[] = marks
      .slice(0, 400)
      .map((one, index) => ({ ...one, kind: 'address', service: '', id: address + String(index), value: '1000' }));
    expect(linesOf(long).flatMap((line) => marksOf(line))).toEqual(long);
  });

  it('is whole or not used, wherever it is cut or changed', () => {
    const [line = ''] = linesOf(marks.slice(0, 2));
    for (let length = 0; length < line.length; length += 1) expect(marksOf(line.slice(0, length))).toBeNull();
    for (let at = 0; at < line.length; at += 1) {
      const changed = `${line.slice(0, at)}${line[at] === '0' ? '1' : '0'}${line.slice(at + 1)}`;
      expect(marksOf(changed) ?? marks.slice(0, 2)).toEqual(marks.slice(0, 2));
    }
  });

  it.each([
    ['an unknown kind', '{"k":"colour","s":"","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":1,"ids":["x"]}'],
    ['an unknown value', '{"k":"star","s":"demo","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":"red","ids":["x"]}'],
    ['an epoch beyond the last', '{"k":"read","s":"demo","by":"aaaaaaaaaaaaaaaa","e":1001,"t":1,"v":1,"ids":["x"]}'],
    ['no service', '{"k":"read","s":"","by":"aaaaaaaaaaaaaaaa","e":0,"t":1,"v":1,"ids":["x"]}'],
    ['a machine that is a path', '{"k":"read","s":"demo","by":"../../../../../","e":0,"t":1,"v":1,"ids":["x"]}'],
    ['a text', '"x"'],
  ])('of %s has no marks for this version', (_case, content) => {
    expect(marksOf(addChecksum(content))).toEqual([]);
  });
});
