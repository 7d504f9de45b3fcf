import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { storeFiles } from '../../../src-main/store/database/files.ts';
import { answeredAt, listBackups, restoreBackup } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { model, openModelStore, OWNER } from './model-records.ts';
import {
  mark,
  nameGateway,
  openStoreScene,
  openTestStore,
  reschedule,
  storeListed,
  write,
} from '../../support/store.ts';

const STATE = answeredAt(5, 6);

/** A closed folder after a run of the app: some items, one of them starred, and a model list that changed once. */
function someFolder(): string {
  const folder = temporaryFolder();
  const { store, replace } = openModelStore({ folder });
  storeListed(store, items(5));
  mark(store, ['item-0'], 'star');
  replace([model('a/one')]);
  replace([model('a/two')]);
  nameGateway(store, OWNER);
  reschedule(store, 'models', STATE);
  reschedule(store, 'items', STATE);
  store.close();
  return folder;
}

/** The names of what changed, refresh by refresh, oldest first; then the ids of the list. */
function historyIn(folder: string) {
  const { store, refreshes, idsOf } = openModelStore({ folder });
  const changed = refreshes().map(({ changes }) => changes.map(({ model, field }) => `${model} ${field}`));
  const seen = { changed: changed.toReversed(), listed: idsOf() };
  store.close();
  return seen;
}

describe('the history of models', () => {
  it('stays when the news service changes or the mirror is lost', () => {
    const folder = someFolder();
    const other = openStoreScene({ folder, source: 'https://other.example/' });
    expect(other.queries.models.refreshes(OWNER, 10)).toHaveLength(1);
    other.store.close();
    rmSync(storeFiles(folder).mirror);
    const { queries } = openStoreScene({ folder });
    expect(queries.models.list(OWNER, 'models').lines.map(({ id }) => id)).toEqual(['a/two']);
  });

  it('that was lost with user.db makes its lists due at once, and whole', () => {
    const folder = someFolder();
    const store = openTestStore({ folder });
    expect(store.queries.schedule.state('models')).toEqual(STATE);
    store.close();
    rmSync(storeFiles(folder).user);
    const { schedule, models } = openTestStore({ folder }).queries;
    expect(schedule.state('models')).toEqual({ ...STATE, lifetime: 0, dueAt: 0 });
    expect(schedule.state('items')).toEqual(STATE);
    expect(models.nameOfFetched({ owner: OWNER, modelList: 'models', keyEnding: null })).toBeNull();
  });
});

describe('a restore', () => {
  /** A backup of a folder in which a/two took the place of a/one. */
  function backedUp(): { folder: string; restore: () => void } {
    const folder = someFolder();
    const { store, clock } = openModelStore({ folder });
    store.backUp();
    store.close();
    const [backup] = listBackups(folder);
    const restore = (): void => void restoreBackup(folder, backup?.name ?? '', clock.now());
    return { folder, restore };
  }
  const UNTIL_BACKUP = ['a/two added', 'a/one removed'];

  function changeTo(folder: string, ...ids: string[]): void {
    const { store, replace, clock } = openModelStore({ folder });
    clock.advance(24 * 3_600_000);
    replace(ids.map((id) => model(id)));
    store.close();
  }

  it('keeps what happened to models since the backup', () => {
    const { folder, restore } = backedUp();
    changeTo(folder, 'a/three');
    restore();
    expect(historyIn(folder)).toEqual({
      changed: [UNTIL_BACKUP, ['a/three added', 'a/two removed']],
      listed: ['a/three'],
    });
  });

  it('keeps the Retry-After of a service', () => {
    const { folder, restore } = backedUp();
    const { store } = openModelStore({ folder });
    write(store, ({ schedule }) => {
      schedule.pauseService('news', { since: 5, span: 600_000 });
    });
    store.close();
    restore();
    expect(openTestStore({ folder }).queries.schedule.servicePause('news')).toEqual({ since: 5, span: 600_000 });
  });

  it('brings the history back that was lost with user.db', () => {
    const { folder, restore } = backedUp();
    rmSync(storeFiles(folder).user);
    changeTo(folder, 'a/two', 'a/three');
    changeTo(folder, 'a/two');
    restore();
    expect(historyIn(folder)).toEqual({ changed: [UNTIL_BACKUP], listed: ['a/two'] });
  });

  it('takes nothing over from an empty or a damaged user.db', () => {
    const { folder, restore } = backedUp();
    rmSync(storeFiles(folder).user);
    openTestStore({ folder }).close();
    restore();
    expect(historyIn(folder)).toEqual({ changed: [UNTIL_BACKUP], listed: ['a/two'] });
    changeTo(folder, 'a/three');
    const { user } = storeFiles(folder);
    const bytes = readFileSync(user);
    writeFileSync(user, bytes.fill(0x5a, bytes.length - 8_192));
    restore();
    expect(historyIn(folder)).toEqual({ changed: [UNTIL_BACKUP], listed: ['a/two'] });
  });
});
