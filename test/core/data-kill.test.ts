import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ExportedRecord } from '../../src-main/contract/user-data.ts';
import { listBackups } from '../../src-main/store/index.ts';
import { temporaryFolder } from '../support/folders.ts';
import { items } from '../support/items.ts';
import { casesOf } from '../support/proofs.ts';
import { favouriteModel, mark, openStoreScene, openTestStore, storeListed } from '../support/store.ts';
import { exportOf, RECORD_KINDS, recordsIn, recordsWith, type UserRecord } from '../support/user-data.ts';

const CHILD = fileURLToPath(new URL('../support/data-child.ts', import.meta.url));
const SOURCE = 'http://127.0.0.1:9';
const ROWS = 20_000;
/** Rows that an import saves together. */
const STEP = 1_000;
const NOT_READ = RECORD_KINDS.filter((kind) => kind !== 'read');
/** In ms: long after an import has ended. */
const AT_ITS_END = 60_000;

interface Scene {
  folder: string;
  backup: string;
  /** An export with very many new rows. */
  file: string;
  atBackup: ExportedRecord[];
  now: ExportedRecord[];
}

function someFolder(): Scene {
  const folder = temporaryFolder();
  const { store } = openStoreScene({ folder, source: SOURCE });
  storeListed(store, items(300));
  mark(
    store,
    items(200).map(({ id }) => id),
    'read',
  );
  const atBackup = store.queries.userData.records();
  store.backUp();
  mark(store, ['item-250', 'item-251'], 'star');
  favouriteModel(store, 'vendor/model', true);
  const now = store.queries.userData.records();
  store.close();
  const ids = Array.from({ length: ROWS }, (_, at) => `other-${at}`);
  const file = join(folder, 'import.json');
  writeFileSync(file, exportOf(recordsWith('read', ids)));
  return { folder, backup: listBackups(folder)[0]?.name ?? '', file, atBackup, now };
}

/** Kills the process the given ms after its start. Resolves with whether it had finished. */
async function killDuring(args: string[], ms: number): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said === '') setTimeout(() => child.kill('SIGKILL'), ms);
    said += text;
  });
  await once(child, 'close');
  return said.includes('done');
}

/** The data after the kill, as the next start opens it. */
function remains({ folder }: Scene): ExportedRecord[] {
  const store = openTestStore({ folder, source: SOURCE });
  // user.db was never in doubt; of the mirror, half a removal is no damage either.
  expect(store.storageWarnings).toEqual([]);
  const records = store.queries.userData.records();
  const mirror = new Database(join(folder, 'mirror.db'), { readonly: true });
  const unread = mirror.prepare('SELECT count(*) FROM item_index WHERE unread = 1').pluck().get();
  mirror.close();
  expect(store.queries.items.counts().all.unread).toBe(unread);
  store.close();
  const database = new Database(join(folder, 'user.db'), { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
  return records;
}

// Where in its work the process is by then is left to chance; from nothing done to all of it.
const MOMENTS = casesOf([0, 10, 30, 80, 200], [3]);

describe('a process that is killed', { timeout: 60_000 }, () => {
  it.each(MOMENTS)('%i ms into an import has imported whole steps, and the import can be repeated', async (ms) => {
    const scene = someFolder();
    const done = await killDuring([scene.folder, 'import', scene.file], ms);
    const after = remains(scene);
    const [read, before] = [after, scene.now].map((records) => recordsIn(records, 'read')) as [
      UserRecord[],
      UserRecord[],
    ];
    expect(recordsIn(after, ...NOT_READ)).toEqual(recordsIn(scene.now, ...NOT_READ));
    expect((read.length - before.length) % STEP).toBe(0);
    if (done) expect(read).toHaveLength(before.length + ROWS);
    expect(read.filter(({ id }) => id.startsWith('item-'))).toEqual(before);
    expect(await killDuring([scene.folder, 'import', scene.file], AT_ITS_END)).toBe(true);
    expect(recordsIn(remains(scene), 'read')).toHaveLength(before.length + ROWS);
  });

  it.each(MOMENTS)('%i ms into a restore has one user.db or the other', async (ms) => {
    const scene = someFolder();
    const done = await killDuring([scene.folder, 'restore', scene.backup], ms);
    const records = remains(scene);
    if (done) expect(records).toEqual(scene.atBackup);
    else expect([scene.now, scene.atBackup]).toContainEqual(records);
  });

  it.each(MOMENTS)('%i ms into a rebuild of the mirror has lost no user data', async (ms) => {
    const scene = someFolder();
    await killDuring([scene.folder, 'rebuild'], ms);
    expect(remains(scene)).toEqual(scene.now);
  });
});
