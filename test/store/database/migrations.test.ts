import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FILES, migrate, schemaOf, schemaVersion } from '../../../src-main/store/database/databases.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { openQueries } from '../../../src-main/store/index.ts';
import { openTestStore, openStoreScene, mark, storeListed } from '../../support/store.ts';

/** SHA-256 of each without comments. Readers have files of these versions, so a line here never changes. */
const HASHES = {
  mirror: ['988bbde8430484d9420ccdc09c6f5b6e7be8bd91010ecdcadcccb9ff441f17af'],
  user: ['ff13ab6682d2896ec23ff86b99c822fd4b344be9d4f8a31839033ee81364c80b'],
};

/** A connection like the writer's, with attached databases, all in memory. */
function connection(): Database.Database {
  const database = new Database(':memory:');
  database.exec(`ATTACH ':memory:' AS user`);
  return database;
}

/** The whole schema as SQLite saves it. */
function shape(database: Database.Database, schema: string): unknown[] {
  return database.prepare(`SELECT type, name, tbl_name, sql FROM ${schema}.sqlite_schema ORDER BY name`).all();
}

describe.each(['mirror', 'user'] as const)('the migrations of the database %s', (role) => {
  const schema = schemaOf(role);
  const { name: file, migrations } = FILES[role];

  it('never change', () => {
    const plain = migrations.map((sql) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim());
    expect(plain.map((sql) => createHash('sha256').update(sql).digest('hex'))).toEqual(HASHES[role]);
  });

  it('are applied completely or not at all', () => {
    const database = connection();
    migrate(database, schema, migrations);
    const broken = [...migrations, 'CREATE TABLE half (a INTEGER); CREATE TABLE half (a INTEGER);'];
    const before = shape(database, schema);
    expect(() => {
      migrate(database, schema, broken);
    }).toThrow('already exists');
    expect(shape(database, schema)).toEqual(before);
    expect(schemaVersion(database, schema)).toBe(migrations.length);
  });

  it('reject a file of a newer version', () => {
    const database = connection();
    migrate(database, schema, [...migrations, 'CREATE TABLE more (a INTEGER)']);
    expect(() => {
      migrate(database, schema, migrations);
    }).toThrow(expect.objectContaining({ code: 'data_newer', message: expect.stringContaining(file) as string }));
  });
});

describe('a data folder whose tables a migration altered', () => {
  it('is used as it is at the next start', () => {
    const folder = temporaryFolder();
    openTestStore({ folder }).close();
    const migrations = FILES.user.migrations as string[];
    migrations.push('ALTER TABLE notification ADD COLUMN later TEXT');
    onTestFinished(() => void migrations.pop());
    for (const start of ['migrates', 'finds it migrated']) {
      const store = openTestStore({ folder });
      expect(store.storageWarnings, start).toEqual([]);
      store.close();
    }
  });
});

describe('a data folder that a newer version has written', () => {
  function folderWith(name: string): string {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeListed(store, items(3));
    mark(store, ['item-0'], 'read');
    store.close();
    const database = new Database(join(folder, name));
    database.pragma('user_version = 99');
    database.close();
    return folder;
  }

  it('is left unchanged if user.db is newer, for writing and for reading', () => {
    const folder = folderWith('user.db');
    const contents = (): Record<string, Buffer> =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    const before = contents();
    const errorResponse = expect.objectContaining({
      code: 'data_newer',
      message: expect.stringContaining('user.db') as string,
    }) as Error;
    expect(() => openTestStore({ folder })).toThrow(errorResponse);
    expect(contents()).toEqual(before);
    expect(() => openQueries(folder)).toThrow(errorResponse);
  });
});
