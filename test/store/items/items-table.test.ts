import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src-main/contract/model/item.ts';
import type { Json } from '../../../src-main/contract/model/json.ts';
import type { Origin, Outcome } from '../../../src-main/store/items/items-table.ts';
import type { WriteSummary } from '../../../src-main/store/write.ts';
import type { StoreWriter } from '../../../src-main/store/writer.ts';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, LISTED, openStore, SELECTED, storeListed, storeSnapshot } from '../../support/store.ts';

function upsert(writer: StoreWriter, told: Item, origin: Origin): Outcome {
  let outcome: Outcome | undefined;
  writer.write((write) => {
    outcome = write.upsert(told, origin);
  });
  return outcome as Outcome;
}

function withdraw(writer: StoreWriter, id: string): WriteSummary {
  return writer.write((write) => {
    write.withdraw(id);
  });
}

describe('an item that comes in', () => {
  it('is added, then unchanged, then revised', () => {
    const { writer, reader, clock } = openStore();
    expect(upsert(writer, item(), LISTED)).toBe('added');
    expect(upsert(writer, item(), LISTED)).toBe('unchanged');
    clock.advance(60_000);
    expect(upsert(writer, item({ title: 'Another title' }), LISTED)).toBe('revised');
    expect(reader.item('one')).toMatchObject({
      title: 'Another title',
      revisedAt: new Date(clock.now()).toISOString(),
    });
  });

  it('is no revision to the reader where only its score or category changed', () => {
    const { writer, reader } = openStore();
    upsert(writer, item(), LISTED);
    expect(upsert(writer, item({ score: 12.5, category: 'paper' }), LISTED)).toBe('revised');
    expect(reader.item('one')).toMatchObject({ score: 12.5, category: 'paper', revisedAt: null });
  });

  it('is completed by the reason that the list brings to a member of the selected set', () => {
    const { writer, reader } = openStore();
    upsert(writer, item(), SELECTED);
    expect(upsert(writer, item({ reason: 'Read it' }), LISTED)).toBe('completed');
    expect(reader.item('one')).toMatchObject({ reason: 'Read it', revisedAt: null });
  });

  it('is completed, and so told of, where all that is new is its seat in the selected set', () => {
    const { writer } = openStore();
    upsert(writer, item(), LISTED);
    const before = writer.sequence;
    expect(upsert(writer, item(), SELECTED)).toBe('completed');
    expect(writer.sequence).toBe(before + 1);
    expect(upsert(writer, item(), { kind: 'selected', generation: 2 })).toBe('unchanged');
  });

  it('keeps its reason when a later upsert of the selected set lacks it', () => {
    const { writer, reader } = openStore();
    upsert(writer, item({ reason: 'Read it' }), LISTED);
    upsert(writer, item({ title: 'Another title' }), SELECTED);
    expect(reader.item('one')).toMatchObject({ title: 'Another title', reason: 'Read it' });
  });

  it('is not set back by a list that is older than the selected set', () => {
    const { writer, reader } = openStore();
    upsert(writer, item({ title: 'The corrected title', category: 'paper' }), SELECTED);
    expect(upsert(writer, item({ title: 'The first title', category: 'tip' }), LISTED)).toBe('unchanged');
    expect(reader.item('one')).toMatchObject({ title: 'The corrected title', category: 'paper' });
  });

  it('leaves the sequence alone where nothing changed', () => {
    const { writer } = openStore();
    storeListed(writer, [item()]);
    const before = writer.sequence;
    storeListed(writer, [item()]);
    expect(writer.sequence).toBe(before);
  });

  it('tells what one write did', () => {
    const { writer } = openStore();
    storeListed(writer, [item({ id: 'revised' }), item({ id: 'gone' }), item({ id: 'same' })]);
    const summary = writer.write((write) => {
      write.upsertAll([item({ id: 'new' }), item({ id: 'same' }), item({ id: 'revised', title: 'New' })], LISTED);
      write.withdraw('gone');
      write.withdraw('never there');
    });
    expect(summary).toEqual({ added: 1, revised: 1, withdrawn: 1, ids: ['revised', 'gone'] });
  });

  it('is not there at all after a write that throws', () => {
    const { writer, reader } = openStore();
    expect(() =>
      writer.write((write) => {
        write.upsert(item(), LISTED);
        throw new Error('The page could not be read');
      }),
    ).toThrow('The page could not be read');
    expect(idsOf(reader)).toEqual([]);
    expect(writer.sequence).toBe(0);
  });
});

describe('what an item holds', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": [1, null]}') as Item['extra'];

  it.each<[string, Partial<Item>]>([
    ['unknown fields', { extra: { future: { deep: [1, 'two', null] } } }],
    ['unknown members of source', { source: { name: null, country: 'CN', ids: [1] } }],
    ['unknown members of links', { links: { original: null, aihot: 'https://a.example', video: 'https://b.example' } }],
    ['unknown members of attribution', { attribution: { name: 'A', url: null, licence: { name: 'CC' } } }],
    ['names that mean something to JavaScript', { extra: hostile }],
    ['a category that nobody knows', { category: 'ai-gardening' }],
    ['an empty text', { title: '', summary: '' }],
    ['NUL and control characters', { title: 'a\0b\u0007', summary: '\0' }],
    ['emoji and other scripts', { title: '👩‍👩‍👧 推理模型 \u202Eabc', summary: '𠮷' }],
    ['markup and SQL', { title: `<script>alert('x')</script>`, summary: `'); DROP TABLE item; --` }],
    ['numbers with a fraction', { score: 0.1 + 0.2, selected: false }],
    ['times that cannot be read', { discoveredAt: 'yesterday', publishedAt: '' }],
    ['a long text', { summary: '长'.repeat(100_000) }],
  ])('comes back as it was: %s', (_, fields) => {
    const { writer, reader } = openStore();
    const told = item(fields);
    storeListed(writer, [told]);
    expect(reader.item('one')).toMatchObject(told as unknown as Record<string, Json>);
    expect(JSON.stringify(reader.item('one').extra)).toBe(JSON.stringify(told.extra));
    expect(upsert(writer, told, LISTED)).toBe('unchanged');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is stored well-formed where half a character came', () => {
    const { writer, reader } = openStore();
    storeListed(writer, [item({ title: 'broken \ud83d here' })]);
    expect(reader.item('one').title).toBe('broken \ufffd here');
  });

  it('takes ids that mean something to JavaScript or SQL', () => {
    const { writer, reader } = openStore();
    const ids = ['__proto__', 'constructor', "it's", '%', '推理', ' '];
    storeListed(
      writer,
      ids.map((id) => item({ id })),
    );
    expect(idsOf(reader).toSorted()).toEqual(ids.toSorted());
    expect(ids.map((id) => reader.item(id).id)).toEqual(ids);
  });
});

describe('the order of items', () => {
  it('holds for thousands of one and the same second', () => {
    const { writer, reader } = openStore();
    const crowd = Array.from({ length: 5_000 }, (_, index) => item({ id: `c${index}` }));
    for (let at = 0; at < crowd.length; at += 1_000) storeListed(writer, crowd.slice(at, at + 1_000));
    const order = idsOf(reader);
    expect(new Set(order).size).toBe(5_000);
    storeListed(writer, crowd.toReversed());
    expect(idsOf(reader)).toEqual(order);
    expect(idsOf(reader, EVERYTHING, undefined, 7)).toEqual(order);
  });

  it('finds places for what comes later into seconds that others overflowed into', () => {
    const { writer, reader } = openStore();
    storeListed(
      writer,
      Array.from({ length: 1_000 }, (_, index) => item({ id: `c${index}` })),
    );
    const later = Array.from({ length: 20 }, (_, n) =>
      item({ id: `later-${n}`, discoveredAt: new Date(Date.parse('2026-03-18T06:00:00Z') + n * 1_000).toISOString() }),
    );
    storeListed(writer, later);
    expect(new Set(idsOf(reader)).size).toBe(1_020);
  });

  it('keeps the order of the answer, newest first, within a second', () => {
    const { writer, reader } = openStore();
    storeListed(writer, [item({ id: 'a' }), item({ id: 'b' }), item({ id: 'c' })]);
    expect(idsOf(reader)).toEqual(['a', 'b', 'c']);
  });

  it('goes by parts of a second within one write', () => {
    const { writer, reader } = openStore();
    const at = (ms: number): string => `2026-03-18T06:00:00.${ms}Z`;
    storeListed(writer, [item({ id: 'a', discoveredAt: at(100) }), item({ id: 'b', discoveredAt: at(900) })]);
    expect(idsOf(reader)).toEqual(['b', 'a']);
  });

  it('takes the publication for want of a discovery, and now for want of both', () => {
    const { writer, reader } = openStore();
    storeListed(writer, [
      item({ id: 'old', discoveredAt: null, publishedAt: '2025-01-01T00:00:00Z' }),
      item({ id: 'unknown', discoveredAt: null }),
      item({ id: 'unreadable', discoveredAt: '2026-99-99', publishedAt: 'soon' }),
      item({ id: 'not yet', discoveredAt: '9999-12-31T23:59:59Z', publishedAt: null }),
      item({ id: 'before 1970', discoveredAt: '1899-01-01T00:00:00Z' }),
      item({ id: 'recent' }),
    ]);
    expect(idsOf(reader)).toEqual(['unknown', 'unreadable', 'not yet', 'before 1970', 'recent', 'old']);
  });
});

describe('a withdrawal', () => {
  it('takes an item out once, and does no harm twice or for an unknown id', () => {
    const { writer, reader } = openStore();
    storeSnapshot(writer, [item()]);
    expect(withdraw(writer, 'one')).toEqual({ added: 0, revised: 0, withdrawn: 1, ids: ['one'] });
    expect(withdraw(writer, 'one').withdrawn).toBe(0);
    expect(withdraw(writer, 'never there').withdrawn).toBe(0);
    expect(() => reader.item('one')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(reader.counts().all).toEqual({ total: 0, unread: 0 });
  });

  it('is over when the selected set names the item again, also within one write', () => {
    const { writer, reader, index } = openStore();
    storeSnapshot(writer, [item({ title: 'Withdrawn' })]);
    writer.write((write) => {
      write.withdraw('one');
      write.upsert(item({ title: 'Returned' }), SELECTED);
    });
    index();
    expect(reader.item('one').title).toBe('Returned');
    expect(idsOf(reader, { ...EVERYTHING, text: 'returned' })).toEqual(['one']);
    expect(upsert(writer, item({ title: 'Returned', selected: true }), LISTED)).toBe('unchanged');
  });

  it('refuses a list that still calls the item selected', () => {
    const { writer, reader } = openStore();
    storeSnapshot(writer, [item()]);
    withdraw(writer, 'one');
    expect(upsert(writer, item({ selected: true }), LISTED)).toBe('refused');
    expect(idsOf(reader)).toEqual([]);
  });

  it('lets a list bring the item back as one that is not selected', () => {
    const { writer, reader } = openStore();
    storeSnapshot(writer, [item()]);
    withdraw(writer, 'one');
    expect(upsert(writer, item({ selected: false }), LISTED)).toBe('added');
    expect(reader.item('one').inSelectedSet).toBe(false);
  });

  it('asks for a whole answer of the list next time', () => {
    const { writer } = openStore();
    storeSnapshot(writer, [item()]);
    writer.write((write) => {
      write.validators.set('items', 'mode=all', 'W/"1"');
    });
    withdraw(writer, 'never there');
    expect(writer.validators.get('items', 'mode=all')).toBe('W/"1"');
    withdraw(writer, 'one');
    expect(writer.validators.get('items', 'mode=all')).toBeUndefined();
  });
});
