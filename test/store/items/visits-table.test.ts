import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { openStore, SELECTED, storeListed, storeSnapshot, type Store } from '../../support/store.ts';

const NOTHING = { added: 0, revised: 0, withdrawn: 0 };

/** A store with five items whose reader has caught up. */
function caughtUpStore(options: { folder?: string; source?: string } = {}): Store {
  const store = openStore(options);
  storeListed(store.writer, items(5));
  store.writer.endVisit();
  return store;
}

function withdraw({ writer }: Store, ...ids: string[]): void {
  writer.write((write) => {
    for (const id of ids) write.withdraw(id);
  });
}

const idsIn = ({ reader }: Store, which: 'added' | 'revised'): string[] =>
  reader.visitList(which).rows.map(({ id }) => id);

describe('what came since the last visit', () => {
  it('is not counted before there was one', () => {
    const store = openStore();
    storeListed(store.writer, items(3));
    expect(store.reader.caughtUp()).toEqual({ since: null, ...NOTHING });
    expect(store.reader.visitList('added')).toEqual({ rows: [], withdrawals: [] });
  });

  it('is nothing right after it', () => {
    expect(caughtUpStore().reader.caughtUp()).toEqual({ since: '2026-03-18T06:30:00.000Z', ...NOTHING });
  });

  it('counts arrivals, revisions and withdrawals, and each list holds what its number says', () => {
    const store = caughtUpStore();
    const fresh = items(2).map((one) => ({ ...one, id: `fresh-${one.id}` }));
    storeListed(store.writer, [...fresh, item({ id: 'item-1', title: 'Put right' })]);
    storeListed(store.writer, [item({ id: 'item-1', title: 'Put right again' })]);
    withdraw(store, 'item-3', 'item-4');
    expect(store.reader.caughtUp()).toMatchObject({ added: 2, revised: 1, withdrawn: 2 });
    expect(idsIn(store, 'added')).toEqual(['fresh-item-0', 'fresh-item-1']);
    expect(idsIn(store, 'revised')).toEqual(['item-1']);
    const { withdrawals } = store.reader.visitList('withdrawn');
    expect(withdrawals).toEqual([
      { id: 'item-3', at: '2026-03-18T06:30:00.000Z' },
      { id: 'item-4', at: '2026-03-18T06:30:00.000Z' },
    ]);
  });

  it('counts an arrival that was revised since once, as new', () => {
    const store = caughtUpStore();
    storeListed(store.writer, [item({ id: 'fresh' })]);
    storeListed(store.writer, [item({ id: 'fresh', title: 'Put right' })]);
    expect(store.reader.caughtUp()).toMatchObject({ added: 1, revised: 0 });
    expect(idsIn(store, 'revised')).toEqual([]);
  });

  it('counts as new what the selected set took up', () => {
    const store = caughtUpStore();
    store.writer.write((write) => {
      write.upsert(item({ id: 'item-2' }), SELECTED);
    });
    expect(idsIn(store, 'added')).toEqual(['item-2']);
  });

  it('does not call withdrawn what came back', () => {
    const store = caughtUpStore();
    withdraw(store, 'item-0', 'item-1');
    storeListed(store.writer, [item({ id: 'item-0' })]);
    expect(store.reader.caughtUp()).toMatchObject({ added: 1, withdrawn: 1 });
    expect(store.reader.visitList('withdrawn').withdrawals.map(({ id }) => id)).toEqual(['item-1']);
  });

  it('is not made more by a second snapshot of the same set, and exact about what it lacks', () => {
    const store = openStore();
    storeSnapshot(store.writer, items(20));
    store.writer.endVisit();
    storeSnapshot(store.writer, items(20).slice(0, 18), 'cursor-2');
    expect(store.reader.caughtUp()).toMatchObject({ added: 0, revised: 0, withdrawn: 2 });
  });

  it('is of one service: another one has its own visit', () => {
    const folder = temporaryFolder();
    const first = caughtUpStore({ folder, source: 'https://a.example/' });
    storeListed(first.writer, [item({ id: 'fresh' })]);
    first.writer.close();
    const second = openStore({ folder, source: 'https://b.example/' });
    expect(second.reader.caughtUp()).toMatchObject({ since: null });
    storeListed(second.writer, items(3));
    second.writer.endVisit();
    second.writer.close();
    expect(openStore({ folder, source: 'https://a.example/' }).reader.caughtUp()).toMatchObject({ added: 1 });
  });

  it('begins anew with a mirror that was built anew, whose writes are numbered from the start', () => {
    const folder = temporaryFolder();
    const { writer } = caughtUpStore({ folder });
    writer.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `mirror.db${end}`), { force: true });
    const rebuilt = openStore({ folder });
    expect(existsSync(join(folder, 'mirror.db'))).toBe(true);
    for (let n = 0; n < 9; n += 1) storeListed(rebuilt.writer, [item({ id: `again-${n}` })]);
    expect(rebuilt.reader.caughtUp()).toEqual({ since: null, ...NOTHING });
  });

  it('is not counted from a visit to a later state of the mirror than the one that is there', () => {
    const store = caughtUpStore();
    store.writer.database.exec("UPDATE property SET value = '0' WHERE name = 'sequence'");
    expect(store.reader.caughtUp()).toMatchObject({ since: null });
  });

  it('outlives a restart', () => {
    const folder = temporaryFolder();
    const store = caughtUpStore({ folder });
    storeListed(store.writer, [item({ id: 'fresh' })]);
    store.writer.close();
    expect(openStore({ folder }).reader.caughtUp()).toMatchObject({ since: '2026-03-18T06:30:00.000Z', added: 1 });
  });
});
