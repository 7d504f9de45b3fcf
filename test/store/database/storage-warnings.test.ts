import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listBackups, restoreBackup, standingWarnings } from '../../../src-main/store/index.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { EVERYTHING, idsOf, mark, openStoreScene, openTestStore, storeListed } from '../../support/store.ts';

const DAY = 24 * 3_600_000;
const STARRED = { ...EVERYTHING, state: 'starred' } as const;
const namesIn = (folder: string) => listBackups(folder).map(({ name }) => name);

/** A closed folder with a backup of each of three days; item-0, then item-1, then item-2 is starred. */
function folderWithBackups(clock: FakeClock): string {
  const folder = temporaryFolder();
  const store = openTestStore({ folder, clock });
  storeListed(store, items(30));
  for (let n = 0; n < 3; n += 1) {
    mark(store, [`item-${n}`], 'star');
    expect(store.backUpDaily()).toBe('made');
    clock.advance(DAY);
  }
  store.close();
  return folder;
}

const spoil = (folder: string, name = 'user.db') => writeFileSync(join(folder, name), 'No database. '.repeat(100));

/** Marks other items on the next days, as a reader does who noticed nothing. */
function liveOn(folder: string, clock: FakeClock, days: number): void {
  const store = openTestStore({ folder, clock });
  for (let n = 0; n < days; n += 1) {
    mark(store, [`item-${10 + n}`], 'read');
    expect(store.backUpDaily()).toBe('made');
    clock.advance(DAY);
  }
  store.close();
}

describe('a warning about a stored file', () => {
  it.each(['user.db', 'mirror.db'])('stays until it is dismissed, whichever process finds the damage: %s', (name) => {
    const clock = fakeClock();
    const folder = folderWithBackups(clock);
    spoil(folder, name);
    const found = openTestStore({ folder, clock });
    const warnings = found.storageWarnings;
    expect(warnings).toMatchObject([{ file: name, reason: 'damaged' }]);
    found.close();

    clock.advance(30 * DAY);
    const later = openTestStore({ folder, clock });
    expect(later.storageWarnings).toEqual(warnings);
    expect(standingWarnings(folder)).toEqual(warnings);
    const aside = warnings[0]?.setAsideAs ?? '';
    expect(later.dismissWarning(aside)).toBe(true);
    expect(later.storageWarnings).toEqual([]);
    expect(later.dismissWarning(aside)).toBe(false);
    later.close();
    expect(openTestStore({ folder, clock }).storageWarnings).toEqual([]);
    expect(existsSync(join(folder, aside))).toBe(true);
  });

  it('ends when the file that was set aside is moved away', () => {
    const folder = folderWithBackups(fakeClock());
    spoil(folder, 'mirror.db');
    const store = openTestStore({ folder });
    store.close();
    rmSync(join(folder, store.storageWarnings[0]?.setAsideAs ?? ''));
    expect(openTestStore({ folder }).storageWarnings).toEqual([]);
  });

  it('is not one about a file that was replaced with a backup, or about another file', () => {
    const folder = folderWithBackups(fakeClock());
    restoreBackup(folder, namesIn(folder)[0] ?? '', Date.now());
    for (const name of ['user.db.damaged-yesterday', 'notes.txt', 'user.db.damaged-2026-99-99T00-00-00-000Z'])
      writeFileSync(join(folder, name), '');
    expect(standingWarnings(folder)).toEqual([]);
    expect(standingWarnings(join(folder, 'nowhere'))).toEqual([]);
    expect(standingWarnings(':memory:')).toEqual([]);
  });

  it('about user.db is not pushed out by those about other files', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'user.db.damaged-2026-03-17T06-30-00-000Z'), '');
    for (let n = 100; n < 200; n += 1) writeFileSync(join(folder, `mirror.db.damaged-2026-03-18T06-30-00-${n}Z`), '');
    const warnings = standingWarnings(folder);
    expect(warnings).toHaveLength(21);
    expect(warnings[0]).toMatchObject({ file: 'user.db' });
  });
});

describe('a lost user.db', () => {
  it('is offered from the newest backup before the damage, however long nobody looks', () => {
    const clock = fakeClock();
    const folder = folderWithBackups(clock);
    const before = namesIn(folder);
    spoil(folder);
    liveOn(folder, clock, 10);
    const { store } = openStoreScene({ folder, clock });
    expect(store.storageWarnings).toMatchObject([{ file: 'user.db', backup: before[0] }]);
    // Those before the damage, and seven after it.
    expect(namesIn(folder)).toEqual([...namesIn(folder).slice(0, 7), ...before]);
    store.close();

    restoreBackup(folder, before[0] ?? '', clock.now());
    const restored = openStoreScene({ folder, clock });
    expect(idsOf(restored.queries, STARRED)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(restored.store.storageWarnings).toEqual([]);
  });

  it('leaves its newest backup after the warning was dismissed', () => {
    const clock = fakeClock();
    const folder = folderWithBackups(clock);
    const before = namesIn(folder);
    spoil(folder);
    liveOn(folder, clock, 2);
    const store = openTestStore({ folder, clock });
    store.dismissWarning(store.storageWarnings[0]?.setAsideAs ?? '');
    store.close();
    const again = openTestStore({ folder, clock });
    for (let n = 20; n < 29; n += 1) {
      mark(again, [`item-${n}`], 'read');
      again.backUpDaily();
      clock.advance(DAY);
    }
    again.close();
    expect(namesIn(folder)).toHaveLength(8);
    expect(namesIn(folder).at(-1)).toBe(before[0]);
  });

  it('is offered from a sound backup, not from a damaged one', () => {
    const clock = fakeClock();
    const folder = folderWithBackups(clock);
    const [newest = '', second] = namesIn(folder);
    spoil(join(folder, 'backups'), newest);
    spoil(folder);
    expect(openTestStore({ folder, clock }).storageWarnings).toMatchObject([{ backup: second }]);
  });

  it('is told if it is missing although there are backups', () => {
    const clock = fakeClock();
    const folder = folderWithBackups(clock);
    const [newest = ''] = namesIn(folder);
    rmSync(join(folder, 'user.db'));
    openTestStore({ folder, clock }).close();
    liveOn(folder, clock, 8);
    const store = openTestStore({ folder, clock });
    const warnings = [{ file: 'user.db', setAsideAs: null, reason: 'missing', backup: newest }];
    expect(store.storageWarnings).toEqual(warnings);
    expect(namesIn(folder)).toContain(newest);
    store.close();
    // A restore that is undone brings the warning back.
    const { undo } = restoreBackup(folder, newest, clock.now());
    expect(standingWarnings(folder)).toEqual([]);
    undo();
    expect(standingWarnings(folder)).toEqual(warnings);
    const again = openTestStore({ folder, clock });
    expect(again.dismissWarning('user.db')).toBe(true);
    expect(standingWarnings(folder)).toEqual([]);
    again.close();
    // Another loss is reported again, and offers what was saved since.
    const [latest = ''] = namesIn(folder);
    rmSync(join(folder, 'user.db'));
    const third = openTestStore({ folder, clock });
    expect(third.storageWarnings).toMatchObject([{ reason: 'missing', backup: latest }]);
    // The reader may still change their mind.
    third.dismissWarning('user.db');
    third.close();
    liveOn(folder, clock, 8);
    expect(namesIn(folder)).toContain(latest);
  });
});
