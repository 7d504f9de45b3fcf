import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src-main/contract/model/item.ts';
import { item } from '../../support/items.ts';
import { LISTED, write, storeListed, type StoreScene } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

const FIRST = item({ title: 'One', summary: 'As it was.', attribution: { name: 'Wire', url: null } });

function storeWith(...versions: Partial<Item>[]): StoreScene {
  const scene = openStoreScene();
  storeListed(scene.store, [FIRST]);
  for (const version of versions) {
    scene.clock.advance(60_000);
    storeListed(scene.store, [{ ...FIRST, ...version }]);
  }
  return scene;
}

const rowsIn = ({ store }: StoreScene): unknown =>
  databaseOf(store).prepare('SELECT count(*) FROM revision').pluck().get();

describe('the revisions of an item', () => {
  it('hold each changed text, before and after, newest first', () => {
    const { queries } = storeWith(
      { title: 'Two' },
      { title: 'Three', summary: null, originalTitle: 'Drei', source: { name: 'Another' } },
    );
    expect(queries.items.revisions('one')).toEqual([
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

  it('show links and names of attributions as text', () => {
    const { queries } = storeWith({
      links: { original: 'https://example.org/moved', aihot: null },
      attribution: { name: 'Wire and Sons', url: 'https://wire.example' },
    });
    expect(queries.items.revisions('one')[0]?.fields).toEqual([
      { field: 'links.original', before: 'https://example.org/one', after: 'https://example.org/moved' },
      { field: 'attribution', before: 'Wire', after: 'Wire and Sons' },
    ]);
  });

  it('ignore a new domain of the service, which changes no text', () => {
    const { store, queries } = storeWith();
    const moved: Item = {
      ...FIRST,
      links: { ...FIRST.links, aihot: 'https://new.example/one' },
      attribution: { name: 'Wire', url: 'https://new.example' },
    };
    const summary = write(store, (tx) => {
      tx.items.upsert(moved, LISTED);
    });
    expect(summary).toMatchObject({ revised: 0, ids: ['one'] });
    expect(queries.items.get('one')).toMatchObject({
      links: moved.links,
      attribution: moved.attribution,
      revisedAt: null,
    });
    expect(queries.items.revisions('one')).toEqual([]);
  });

  it('ignore changes of fields that are not shown', () => {
    expect(storeWith({ score: 50, category: 'paper', extra: { a: 1 } }).queries.items.revisions('one')).toEqual([]);
  });

  it('are limited to the newest twenty', () => {
    const scene = storeWith(...Array.from({ length: 25 }, (_, n) => ({ title: `Version ${n}` })));
    const revisions = scene.queries.items.revisions('one');
    expect(revisions).toHaveLength(20);
    expect(revisions[0]?.fields[0]).toMatchObject({ before: 'Version 23', after: 'Version 24' });
    expect(rowsIn(scene)).toBe(20);
  });

  it('are deleted with the item, and not restored with it', () => {
    const scene = storeWith({ title: 'Two' });
    write(scene.store, (tx) => {
      tx.items.withdraw('one');
    });
    expect(rowsIn(scene)).toBe(0);
    expect(() => scene.queries.items.revisions('one')).toThrow(expect.objectContaining({ code: 'not_found' }));
    scene.clock.advance(60_000);
    write(scene.store, (tx) => {
      tx.items.upsert(FIRST, LISTED);
    });
    expect(scene.queries.items.revisions('one')).toEqual([]);
  });
});
