import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import {
  endVisit,
  EVERYTHING,
  idsOf,
  LISTED,
  mark,
  openStoreScene,
  openTestStore,
  SELECTED,
  write,
} from '../../support/store.ts';

const DAY = 86_400_000;
const STARRED = { ...EVERYTHING, state: 'starred' as const };

/** An item that is ten days old by the clock, and so no longer in the service's list. */
function tenDaysOld() {
  const clock = fakeClock();
  const at = new Date(clock.now() - 10 * DAY).toISOString();
  return { clock, old: item({ id: 'old', discoveredAt: at, publishedAt: at }) };
}

describe('an item that leaves the selected set', () => {
  it('is withdrawn if it is too old for the list, and nothing happens if it was no member', () => {
    const { clock, old } = tenDaysOld();
    const { store } = openStoreScene({ clock });
    write(store, (tx) => tx.items.upsert(old, LISTED));
    expect(write(store, (tx) => tx.items.leave('old'))).toMatchObject({ withdrawn: 0, ids: [] });
    write(store, (tx) => tx.items.upsert(old, SELECTED));
    expect(write(store, (tx) => tx.items.leave('old'))).toMatchObject({ withdrawn: 1 });
  });

  it.each(['star', 'note'] as const)('stays at any age if the reader marked it, with its texts (%s)', (marked) => {
    const { clock, old } = tenDaysOld();
    const { store } = openStoreScene({ clock });
    write(store, (tx) => tx.items.upsert(old, SELECTED));
    if (marked === 'star') mark(store, ['old'], 'star');
    else write(store, (tx) => tx.notes.set({ kind: 'item', id: 'old' }, 'Read again', { now: clock.now() }));
    expect(write(store, (tx) => tx.items.leave('old'))).toMatchObject({ withdrawn: 0, ids: ['old'] });
    const { title, links } = old;
    expect(store.queries.items.get('old')).toMatchObject({ title, links, inSelectedSet: false, withdrawnAt: null });
    // The list doesn't go back so far: looking there would withdraw it.
    expect(store.queries.items.openDepartures()).toEqual([]);
    write(store, (tx) => tx.items.dropBefore(clock.now(), 0, 10));
    expect(idsOf(store.queries)).toEqual(['old']);
  });

  it('stays while the time at the service is unknown', () => {
    const { clock, old } = tenDaysOld();
    const { store } = openStoreScene({ clock });
    write(store, (tx) => tx.items.upsert(old, SELECTED));
    expect(write(store, (tx) => tx.items.leave('old', 0))).toMatchObject({ withdrawn: 0, ids: ['old'] });
    expect(idsOf(store.queries, EVERYTHING)).toEqual(['old']);
  });

  it('returns without a trace of its departure if it was deleted meanwhile because of its age', () => {
    const clock = fakeClock();
    const { store } = openStoreScene({ clock });
    const at = new Date(clock.now()).toISOString();
    const one = item({ id: 'one', discoveredAt: at, publishedAt: at });
    write(store, (tx) => tx.items.upsert(one, SELECTED));
    write(store, (tx) => tx.items.leave('one'));
    write(store, (tx) => tx.items.dropBefore(clock.now() + DAY, 0, 10));
    expect(idsOf(store.queries, EVERYTHING)).toEqual([]);
    write(store, (tx) => tx.items.upsert(one, SELECTED));
    expect(store.queries.items.get('one')).toMatchObject({ inSelectedSet: true, leftSelectionAt: null });
  });

  it('is not new again when it returns, and is new when it comes in for the first time', () => {
    const { store, queries } = openStoreScene();
    write(store, (tx) => tx.items.upsertAll(items(2), SELECTED));
    write(store, (tx) => tx.items.upsert(item({ id: 'listed' }), LISTED));
    endVisit(store);
    write(store, (tx) => tx.items.leave('item-1'));
    write(store, (tx) => tx.items.upsertAll(items(2), SELECTED));
    expect(queries.items.get('item-1')).toMatchObject({ inSelectedSet: true, leftSelectionAt: null });
    expect(queries.visits.sinceLast().selected.added).toBe(0);
    write(store, (tx) => tx.items.upsert(item({ id: 'listed' }), SELECTED));
    expect(queries.visits.sinceLast().selected.added).toBe(1);
  });

  it('can return although it was withdrawn by a clock that was years ahead', () => {
    const { clock, old } = tenDaysOld();
    const { store } = openStoreScene({ clock });
    write(store, (tx) => tx.items.upsert(old, LISTED));
    clock.advance(3_000 * DAY);
    write(store, (tx) => tx.items.withdraw('old'));
    clock.leap(-3_000 * DAY);
    expect(write(store, (tx) => tx.items.upsert(old, LISTED))).toMatchObject({ added: 1 });
  });
});

describe('a starred item', () => {
  it('leaves a row when it was withdrawn, also if the star came later', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    write(store, (tx) => tx.items.upsert(item({ id: 'gone' }), LISTED));
    write(store, (tx) => tx.items.withdraw('gone'));
    mark(store, ['gone'], 'star');
    store.close();
    const again = openTestStore({ folder });
    expect(idsOf(again.queries, STARRED)).toEqual(['gone']);
    again.close();
  });

  it('that was withdrawn says so in the next mirror, too, and has its name if the star came before the item', () => {
    const folder = temporaryFolder();
    const { store, clock } = openStoreScene({ folder });
    mark(store, ['early'], 'star');
    write(store, (tx) => tx.items.upsert(item({ id: 'early', title: 'Early' }), LISTED));
    write(store, (tx) => tx.items.withdraw('early'));
    store.close();
    rmSync(join(folder, 'mirror.db'));
    const { rows } = openTestStore({ folder }).queries.items.page(STARRED, undefined, 100, clock.now());
    expect(rows).toMatchObject([{ title: 'Early', withdrawnAt: new Date(clock.now()).toISOString() }]);
  });
});

describe('the mirror', () => {
  it('is sound with an item of 1970', async () => {
    const { store, queries } = openStoreScene({ folder: temporaryFolder() });
    const publishedAt = '1970-01-01T00:00:00Z';
    write(store, (tx) => tx.items.upsert(item({ id: 'first', publishedAt }), LISTED));
    expect(await queries.health.check(0)).toMatchObject({ sound: true, messages: [] });
    store.close();
  });

  it('is not set aside for damage that was found in one before it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'mirror.db-damaged'), '');
    const first = openTestStore({ folder });
    first.close();
    expect(existsSync(join(folder, 'mirror.db-damaged'))).toBe(false);
    const second = openTestStore({ folder });
    expect(second.storageWarnings).toEqual([]);
    second.close();
  });
});
