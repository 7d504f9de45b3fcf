import { describe, expect, it } from 'vitest';
import { FAR_AHEAD, wins, type StampedValue } from '../../../src-main/common/stamps.ts';
import type { Stamped } from '../../../src-main/store/index.ts';
import { addChecksum, contentsOf, openLine, recordsOf as recordsIn } from '../../../src-main/sync/devices/lines.ts';
import { openTestStore } from '../../support/store.ts';
import { fakeClock } from '../../support/clock.ts';

const NOW = Date.parse('2026-03-18T06:30:00Z');
const YEAR = 365 * 24 * 3_600_000;
const SERVICE = 'https://news.example';

const linesOf = (marks: readonly Stamped[]): string[] => contentsOf(marks).map(addChecksum);
/** Null if the line is not whole. */
const recordsOf = (line: string): Stamped[] | null => {
  const opened = openLine(line, [], 'records');
  return typeof opened === 'string' ? null : recordsIn(opened.content);
};

describe('the stamp of a record', () => {
  const [one, other] = ['a'.repeat(16), 'b'.repeat(16)] as const;
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
