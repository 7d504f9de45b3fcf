import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src-main/contract/model/item.ts';
import { item } from '../../support/items.ts';
import { LISTED, openStore, storeListed, type Store } from '../../support/store.ts';

const FIRST = item({ title: 'One', summary: 'As it was.', attribution: { name: 'Wire', url: null } });

function storeWith(...versions: Partial<Item>[]): Store {
  const store = openStore();
  storeListed(store.writer, [FIRST]);
  for (const version of versions) {
    store.clock.advance(60_000);
    storeListed(store.writer, [{ ...FIRST, ...version }]);
  }
  return store;
}

const rowsIn = ({ writer }: Store): unknown => writer.database.prepare('SELECT count(*) FROM revision').pluck().get();

describe('the revisions of an item', () => {
  it('are none while it is as it came', () => {
    expect(storeWith({}).reader.revisions('one')).toEqual([]);
  });

  it('tell each text that changed, before and after, newest first', () => {
    const { reader } = storeWith(
      { title: 'Two' },
      { title: 'Three', summary: null, originalTitle: 'Drei', source: { name: 'Another' } },
    );
    expect(reader.revisions('one')).toEqual([
      {
        at: '2026-03-18T06:32:00.000Z',
        fields: [
          { field: 'title', before: 'Two', after: 'Three' },
          { field: 'originalTitle', before: null, after: 'Drei' },
          { field: 'summary', before: 'As it was.', after: null },
          { field: 'source.name', before: 'A source', after: 'Another' },
        ],
      },
      { at: '2026-03-18T06:31:00.000Z', fields: [{ field: 'title', before: 'One', after: 'Two' }] },
    ]);
  });

  it('tell links and attributions in words', () => {
    const { reader } = storeWith({
      links: { original: 'https://example.org/moved', aihot: null },
      attribution: { name: 'Wire', url: 'https://wire.example' },
    });
    expect(reader.revisions('one')[0]?.fields).toEqual([
      { field: 'links.original', before: 'https://example.org/one', after: 'https://example.org/moved' },
      { field: 'attribution', before: 'Wire', after: 'Wire https://wire.example' },
    ]);
  });

  it('are not made by what no reader reads', () => {
    expect(storeWith({ score: 50, category: 'paper', extra: { a: 1 } }).reader.revisions('one')).toEqual([]);
  });

  it('are kept for the newest twenty', () => {
    const store = storeWith(...Array.from({ length: 25 }, (_, n) => ({ title: `Version ${n}` })));
    const revisions = store.reader.revisions('one');
    expect(revisions).toHaveLength(20);
    expect(revisions[0]?.fields[0]).toMatchObject({ before: 'Version 23', after: 'Version 24' });
    expect(rowsIn(store)).toBe(20);
  });

  it('go with the item, and do not come back with it', () => {
    const store = storeWith({ title: 'Two' });
    store.writer.write((write) => {
      write.withdraw('one');
    });
    expect(rowsIn(store)).toBe(0);
    expect(() => store.reader.revisions('one')).toThrow(expect.objectContaining({ code: 'not_found' }));
    store.writer.write((write) => {
      write.upsert(FIRST, LISTED);
    });
    expect(store.reader.revisions('one')).toEqual([]);
  });
});
