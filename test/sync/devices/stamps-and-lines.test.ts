import { describe, expect, it } from 'vitest';
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

it('the stamp of a record has the time of the service, if that is known: the clock of the computer may be wrong', () => {
  const store = openTestStore({ clock: fakeClock(NOW + YEAR) });
  store.stampWith(() => NOW);
  store.transaction(({ records }) => void records.set('favourite', 'maker/model', 7));
  expect(store.queries.records.stamped({ kind: 'favourite', service: '', id: 'maker/model' })).toMatchObject({
    time: NOW,
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
