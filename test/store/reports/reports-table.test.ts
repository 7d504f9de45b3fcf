import { describe, expect, it } from 'vitest';
import type { Report, StoredReport } from '../../../src-main/contract/model/report.ts';
import { citation, daily } from '../../support/reports.ts';
import { item, items } from '../../support/items.ts';
import { openStore, openWriter, SELECTED, storeListed, type Store } from '../../support/store.ts';
import { temporaryFolder } from '../../support/folders.ts';

const LABEL = '2026-03-18';
const FRESH = { etag: 'W/"1"', lifetime: 300_000 };

function store({ writer, clock }: Store, report: Report): void {
  writer.write((write) => void write.reports.store(report, FRESH, clock.now()));
}

const shown = ({ reader }: Store, label = LABEL): StoredReport => reader.report('daily', label);
const everythingIn = ({ writer }: Store): string =>
  JSON.stringify([
    writer.database.prepare('SELECT line, body FROM report').all(),
    writer.database.prepare('SELECT * FROM correction').all(),
  ]);

describe('a stored report', () => {
  it('is given back as it came', () => {
    const room = openStore();
    const report = daily(
      { A: ['a'], Empty: [] },
      { extra: { mood: 'calm' }, flashes: [citation('f', { summary: '' })] },
    );
    store(room, report);
    const { sections, flashes, corrections, previous, next, fetchedAt, goneAt, readAt, ...rest } = shown(room);
    expect(rest).toEqual({ ...report, sections: undefined, flashes: undefined });
    expect(sections).toMatchObject(report.sections);
    expect(flashes).toMatchObject(report.flashes);
    expect({ corrections, previous, next, goneAt, readAt }).toEqual({
      corrections: [],
      previous: null,
      next: null,
      goneAt: null,
      readAt: null,
    });
    expect(fetchedAt).toBe('2026-03-18T06:30:00.000Z');
  });

  it('has the neighbours that the index lists, fetched or not, but not those that were gone before', () => {
    const room = openStore();
    const { writer, clock } = room;
    for (const label of ['2026-03-16', '2026-03-18', '2026-03-20']) store(room, daily({}, { label }));
    writer.write(({ reports }) => {
      const line = { ...daily({}), extra: {} };
      reports.list([
        { ...line, label: '2026-03-19' },
        { ...line, label: '2026-03-17' },
      ]);
      reports.markGone('daily', '2026-03-17', clock.now());
    });
    expect(shown(room)).toMatchObject({ previous: '2026-03-16', next: '2026-03-19' });
    expect(() => shown(room, '2026-03-19')).toThrow(expect.objectContaining({ code: 'not_found', retryable: true }));
    expect(() => shown(room, '2026-03-17')).toThrow('no longer has this report');
    expect(() => shown(room, '2026-01-01')).toThrow('not listed');
  });

  it('stays, marked, when the service has it no longer, and loses the mark when it comes back', () => {
    const room = openStore();
    store(room, daily({ A: ['a'] }));
    room.writer.write(({ reports }) => reports.markGone('daily', LABEL, room.clock.now()));
    expect(shown(room)).toMatchObject({ goneAt: '2026-03-18T06:30:00.000Z', sections: [{ label: 'A' }] });
    expect(room.writer.reports.facts('daily', LABEL)).toMatchObject({ etag: null });
    room.writer.write(({ reports }) => reports.confirm('daily', LABEL, FRESH, room.clock.now()));
    expect(shown(room).goneAt).toBeNull();
  });

  it('keeps a correction with the texts before and after, newest first', () => {
    const room = openStore();
    store(room, daily({ A: ['a', 'b'] }));
    room.clock.advance(60_000);
    store(room, daily({ A: ['a', 'b'] }, { headline: 'Second' }));
    room.clock.advance(60_000);
    store(room, daily({ A: ['b', 'a'] }, { headline: 'Second' }));
    expect(shown(room).corrections).toEqual([
      { at: '2026-03-18T06:32:00.000Z', kind: 'reordered', section: 'A', text: null },
      {
        at: '2026-03-18T06:31:00.000Z',
        kind: 'edited',
        section: null,
        text: { field: 'headline', before: 'A headline', after: 'Second' },
      },
    ]);
    expect(room.reader.reportIndex('daily')).toMatchObject([{ label: LABEL, headline: 'Second', corrections: 2 }]);
  });

  it('holds nothing of a withdrawn citation, nor does what was said of it before', () => {
    const room = openStore();
    const secret = citation('secret', { title: 'The first secret title' });
    store(room, daily({ A: [secret, 'b'] }));
    store(
      room,
      daily({ A: [{ ...secret, title: 'The second secret title' }, 'b'] }, { headline: 'The second secret title' }),
    );
    expect(everythingIn(room)).toContain('first secret');
    store(room, daily({ A: ['b'] }, { headline: 'Calm' }));
    expect(everythingIn(room)).not.toContain('secret');
    expect(shown(room).corrections.map(({ kind, text }) => [kind, text])).toEqual([
      ['withdrawn', null],
      ['edited', null],
      ['edited', null],
      ['edited', null],
    ]);
  });

  it('is not written again where nothing changed', () => {
    const room = openStore();
    store(room, daily({ A: ['a'] }));
    const result = room.writer.reports.store(daily({ A: ['a'] }), FRESH, room.clock.now());
    expect(result).toEqual({ outcome: 'unchanged', withdrawn: 0 });
    expect(room.writer.reports.list([{ ...daily({}), overview: 'An overview', extra: {} }])).toEqual([]);
  });

  it('is read for the service that it is of', () => {
    const folder = temporaryFolder();
    const writer = openWriter({ folder });
    expect(writer.markReport('daily', LABEL, true)).toBe(true);
    expect(writer.markReport('daily', LABEL, true)).toBe(false);
    writer.close();
    const other = openStore({ folder, source: 'https://other.example/' });
    store(other, daily({}));
    expect(shown(other).readAt).toBeNull();
    other.writer.markReport('daily', LABEL, true);
    expect(shown(other).readAt).toBe('2026-03-18T06:30:00.000Z');
    expect(other.reader.reportIndex('daily')).toMatchObject([{ readAt: '2026-03-18T06:30:00.000Z' }]);
  });
});

describe('what a report and the feed both have', () => {
  const original = 'https://www.example.org/a/?utm_source=report';
  const key = 'https://www.example.org/a';
  const cited = daily({ A: [citation('a', { links: { aihot: null, original } }), 'other'] });
  const linked = item({ id: 'one', links: { original: 'http://www.example.org/a#top', aihot: null } });
  const [READ, AT] = [true, '2026-03-18T06:30:00.000Z'];

  function both(): Store {
    const room = openStore();
    storeListed(room.writer, [linked, item({ id: 'two' })]);
    store(room, cited);
    return room;
  }
  const citationOf = (room: Store) => shown(room).sections[0]!.items[0]!;

  it('is found by its canonical address', () => {
    expect(citationOf(both())).toMatchObject({ itemId: 'one', readAt: null, key });
    expect(shown(both()).sections[0]!.items[1]).toMatchObject({ itemId: null });
  });

  it('is read in the report once it was read in the feed, and unread again with it', () => {
    const room = both();
    room.writer.mark(['one'], 'read');
    expect(citationOf(room).readAt).toBe(AT);
    room.writer.mark(['one'], 'unread');
    expect(citationOf(room).readAt).toBeNull();
  });

  it('is read in the feed once its citation was read, and unread again with it', () => {
    const room = both();
    expect(room.writer.markCitation(key, READ).before).toEqual([{ id: 'one', value: null }]);
    expect(room.reader.item('one').state.readAt).toBe(AT);
    expect(room.reader.counts().all).toEqual({ total: 2, unread: 1 });
    room.writer.markCitation(key, false);
    expect(room.reader.item('one').state.readAt).toBeNull();
    expect(room.reader.counts().all).toEqual({ total: 2, unread: 2 });
    room.writer.markCitation(key, READ);
    room.writer.mark(['one'], 'unread');
    expect(citationOf(room).readAt).toBeNull();
  });

  it('is read in the feed when it arrives there later', () => {
    const room = openStore();
    store(room, cited);
    room.writer.markCitation(key, READ);
    expect(citationOf(room)).toMatchObject({ itemId: null, readAt: AT });
    storeListed(room.writer, [linked, item({ id: 'two' })]);
    expect(room.reader.item('one').state.readAt).toBe(AT);
    expect(room.reader.counts().all).toEqual({ total: 2, unread: 1 });
    expect(citationOf(room)).toMatchObject({ itemId: 'one', readAt: AT });
  });

  it('is no longer found where an item was withdrawn, or has another original now', () => {
    const room = both();
    room.writer.write((write) => void write.upsert({ ...linked, links: { original: null, aihot: null } }, SELECTED));
    expect(citationOf(room).itemId).toBeNull();
    room.writer.write((write) => void write.upsert(linked, SELECTED));
    expect(citationOf(room).itemId).toBe('one');
    room.writer.write((write) => {
      write.withdraw('one');
    });
    expect(citationOf(room).itemId).toBeNull();
  });

  it('is found in a mirror of an earlier version, too', () => {
    const folder = temporaryFolder();
    const before = openWriter({ folder });
    storeListed(before, [linked, ...items(3)]);
    before.database.exec(`DELETE FROM item_address; DELETE FROM main.property WHERE name = 'addresses'`);
    before.close();
    const room = openStore({ folder });
    store(room, cited);
    expect(citationOf(room).itemId).toBe('one');
  });
});
