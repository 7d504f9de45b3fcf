import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { endVisit, SELECTED, storeListed, type StoreScene, storeSnapshot, write } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

const NO_ITEMS = { added: 0, older: 0, revised: 0 };
const NOTHING = { ...NO_ITEMS, withdrawn: 0, selected: NO_ITEMS };

/** A store with five items, all of them seen. */
function storeAfterVisit(options: { folder?: string; source?: string } = {}): StoreScene {
  const scene = openStoreScene(options);
  storeListed(scene.store, items(5));
  endVisit(scene.store);
  return scene;
}

function withdraw({ store }: StoreScene, ...ids: string[]): void {
  write(store, (tx) => {
    for (const id of ids) tx.items.withdraw(id);
  });
}

const idsIn = ({ queries }: StoreScene, which: 'added' | 'older' | 'revised'): string[] =>
  queries.visits.list(which).rows.map(({ id }) => id);

describe('what is new since the last visit', () => {
  it('is not counted before the first visit', () => {
    const scene = openStoreScene();
    storeListed(scene.store, items(3));
    expect(scene.queries.visits.sinceLast()).toEqual({ since: null, newestKey: null, ...NOTHING });
    expect(scene.queries.visits.list('added')).toEqual({ rows: [], withdrawals: [] });
  });

  it('is nothing right after the visit', () => {
    const scene = storeAfterVisit();
    const [newestKey] = scene.queries.items.places(
      { scope: 'all', window: 'any', state: 'any' },
      undefined,
      1,
      0,
    ).places;
    const since = '2026-03-18T06:30:00.000Z';
    expect(scene.queries.visits.sinceLast()).toEqual({ since, newestKey, ...NOTHING });
    storeListed(scene.store, [item({ id: 'new' })]);
    expect(scene.queries.visits.sinceLast()).toMatchObject({ newestKey, added: 1 });
  });

  it('includes additions, revisions and withdrawals, and each list matches its count', () => {
    const scene = storeAfterVisit();
    const fresh = items(2).map((one) => ({ ...one, id: `fresh-${one.id}` }));
    storeListed(scene.store, [...fresh, item({ id: 'item-1', title: 'Put right' })]);
    storeListed(scene.store, [item({ id: 'item-1', title: 'Put right again' })]);
    // An added item that is revised is new, once.
    storeListed(scene.store, [{ ...fresh[0]!, title: 'Put right' }]);
    withdraw(scene, 'item-3', 'item-4');
    expect(scene.queries.visits.sinceLast()).toMatchObject({ added: 2, revised: 1, withdrawn: 2 });
    expect(idsIn(scene, 'added')).toEqual(['fresh-item-0', 'fresh-item-1']);
    expect(idsIn(scene, 'revised')).toEqual(['item-1']);
    const { withdrawals } = scene.queries.visits.list('withdrawn');
    expect(withdrawals).toEqual([
      { id: 'item-3', at: '2026-03-18T06:30:00.000Z' },
      { id: 'item-4', at: '2026-03-18T06:30:00.000Z' },
    ]);
  });

  it('is counted and listed for the selected set alone, too', () => {
    const scene = openStoreScene();
    storeSnapshot(scene.store, items(4), 'c1');
    storeListed(scene.store, [item({ id: 'listed' })]);
    endVisit(scene.store);
    const discoveredAt = '2026-03-15T06:00:00Z';
    storeListed(scene.store, [
      item({ id: 'new-listed' }),
      item({ id: 'late-listed', discoveredAt }),
      item({ id: 'listed', title: 'Put right' }),
    ]);
    write(scene.store, (tx) => {
      tx.items.upsertAll(
        [
          item({ id: 'new-selected' }),
          item({ id: 'late-selected', discoveredAt }),
          item({ id: 'item-1', title: 'Put right' }),
        ],
        SELECTED,
      );
    });
    expect(scene.queries.visits.sinceLast()).toMatchObject({
      ...{ added: 2, older: 2, revised: 2 },
      selected: { added: 1, older: 1, revised: 1 },
    });
    const listed = (which: 'added' | 'older' | 'revised'): string[] =>
      scene.queries.visits.list(which, 'selected').rows.map(({ id }) => id);
    expect([listed('added'), listed('older'), listed('revised')]).toEqual([
      ['new-selected'],
      ['late-selected'],
      ['item-1'],
    ]);
    expect(idsIn(scene, 'added').sort()).toEqual(['new-listed', 'new-selected']);
  });

  it('counts older items apart, which were added more than 72 hours after their time', () => {
    const scene = storeAfterVisit();
    scene.clock.advance(60_000);
    const discoveredAt = '2026-03-18T06:30:30Z';
    storeListed(scene.store, [
      item({ id: 'fresh', discoveredAt }),
      item({ id: 'late', discoveredAt: '2026-03-15T06:00:00Z' }),
      ...items(300).map(({ id }) => item({ id: `old-${id}`, discoveredAt, publishedAt: '2017-05-01T00:00:00Z' })),
    ]);
    expect(scene.queries.visits.sinceLast()).toMatchObject({ added: 1, older: 301 });
    expect(idsIn(scene, 'added')).toEqual(['fresh']);
    const older = idsIn(scene, 'older');
    expect(older).toHaveLength(301);
    expect(older[0]).toBe('late');
    expect(scene.queries.items.page({ scope: 'all', window: 'any', state: 'any' }, undefined, 1, 0).rows[0]?.id).toBe(
      'fresh',
    );
  });

  it('excludes withdrawn items that returned, and does not call them new', () => {
    const scene = storeAfterVisit();
    withdraw(scene, 'item-0', 'item-1');
    scene.clock.advance(60_000);
    storeListed(scene.store, [item({ id: 'item-0' })]);
    expect(scene.queries.visits.sinceLast()).toMatchObject({ added: 0, withdrawn: 1 });
    expect(idsIn(scene, 'added')).toEqual([]);
    expect(scene.queries.visits.list('withdrawn').withdrawals.map(({ id }) => id)).toEqual(['item-1']);
  });

  it('is separate for each service', () => {
    const folder = temporaryFolder();
    const first = storeAfterVisit({ folder, source: 'https://a.example/' });
    storeListed(first.store, [item({ id: 'fresh' })]);
    first.store.close();
    const second = openStoreScene({ folder, source: 'https://b.example/' });
    expect(second.queries.visits.sinceLast()).toMatchObject({ since: null });
    storeListed(second.store, items(3));
    endVisit(second.store);
    second.store.close();
    expect(openStoreScene({ folder, source: 'https://a.example/' }).queries.visits.sinceLast()).toMatchObject({
      added: 1,
    });
  });

  it('restarts with a rebuilt mirror, whose writes are numbered from the start', () => {
    const folder = temporaryFolder();
    const { store } = storeAfterVisit({ folder });
    store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `mirror.db${end}`), { force: true });
    const rebuilt = openStoreScene({ folder });
    expect(existsSync(join(folder, 'mirror.db'))).toBe(true);
    for (let n = 0; n < 9; n += 1) storeListed(rebuilt.store, [item({ id: `again-${n}` })]);
    expect(rebuilt.queries.visits.sinceLast()).toEqual({ since: null, newestKey: null, ...NOTHING });
  });

  it('ignores a visit to a later state of the mirror than the present one', () => {
    const scene = storeAfterVisit();
    databaseOf(scene.store).exec("UPDATE property SET value = '0' WHERE name = 'sequence'");
    expect(scene.queries.visits.sinceLast()).toMatchObject({ since: null });
  });
});
