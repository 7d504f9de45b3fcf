import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FILES, migrate, schemaOf, schemaVersion } from '../../../src-main/store/database/databases.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { openQueries } from '../../../src-main/store/index.ts';
import { openTestStore, openStoreScene, mark, storeListed } from '../../support/store.ts';

/** Sample rows for the tables of each version, which every later migration must keep. */
interface Rows {
  insert: string;
  /** Returns one row with one column: 1 if the sample is correct in the newest version. */
  isKept: string;
}

interface Kind {
  role: 'mirror' | 'user';
  /** The first is for version 1. A new migration adds one for its version. */
  rows: Rows[];
}

const KINDS: Kind[] = [
  {
    role: 'mirror',
    rows: [
      {
        insert: `
          INSERT INTO item (arrival, key, id, title, score, changed) VALUES (3, 64, 'one', 'A title', 1.5, 1);
          INSERT INTO item_index VALUES (64, 3, 'paper', 1, 1, 0, 1, 1, 0, 0);
          INSERT INTO counter VALUES ('paper', 1, 0, 1, 0, 1);
          INSERT INTO gone VALUES (1, 128, 'gone', 5, 1, 0);
          INSERT INTO property VALUES ('sequence', '1');
          INSERT INTO ranking VALUES (1, 5);
          INSERT INTO ranking_entry VALUES (1, 'story:s', 2);
          INSERT INTO document VALUES ('story', 's', 1, 6, NULL, '{}', '{}');
          INSERT INTO story_alias VALUES ('old', 's');
          INSERT INTO document VALUES ('daily', '2026-03-18', 2, 6, 7, '{}', '{"a":1}');
          INSERT INTO correction VALUES (1, 'daily', '2026-03-18', 7, 'edited', 'A', NULL, 'title', 'old', 'new');
          INSERT INTO item_address VALUES (3, 7);
          INSERT INTO mention VALUES (64, 'lab/one');
          INSERT INTO fetch VALUES ('items', 'mode=all', 'W/"1"', 1, 2, 3, 5, 6, NULL, NULL);
          INSERT INTO run (resource, started_at, ended_at, status, requests, added, revised, withdrawn, skipped,
                           skipped_reasons) VALUES ('items', 1, 2, 'ok', 3, 4, 5, 6, 7, '[]');`,
        isKept: `SELECT
          (SELECT title = 'A title' AND score = 1.5 AND item_index.category = 'paper' AND starred = 1 AND unread = 0
                 AND (SELECT n FROM counter) = 1 AND (SELECT id FROM gone) = 'gone'
                 AND (SELECT value FROM main.property) = '1'
          FROM item JOIN item_index USING (key) WHERE id = 'one') AND
          (SELECT at = 5 AND rank = 2 AND (SELECT survivor FROM story_alias WHERE public_id = 'old') = 's'
                 AND (SELECT fetched_at = 6 AND gone_at IS NULL FROM document WHERE kind = 'story')
                 AND (SELECT body = '{"a":1}' AND changed = 2 AND gone_at = 7 FROM document WHERE kind = 'daily')
                 AND (SELECT before = 'old' AND after = 'new' FROM correction) AND (SELECT arrival FROM item_address) = 3
          FROM ranking_entry JOIN ranking ON ranking.id = ranking WHERE topic = 'story:s') AND
          (SELECT key = 64 FROM mention WHERE model = 'lab/one') AND
          (SELECT due = 5 AND failures = 6 AND address = 'mode=all' AND etag = 'W/"1"' AND (SELECT withdrawn FROM run) = 6
                 FROM fetch WHERE name = 'items')`,
      },
    ],
  },
  {
    role: 'user',
    rows: [
      {
        insert: `
          INSERT INTO user.property VALUES ('id', '3');
          INSERT INTO user.service (name, wait_since, wait_span) VALUES ('https://a.example/', 8, 600000);
          INSERT INTO user.record (service, kind, id, value, made) VALUES (1, 'report', 'daily/2026-03-18', 4, 5);
          INSERT INTO user.notification VALUES (9, 'daily a 2026-03-18', 'https://a.example', 'daily', 5, 1,
            '{"view":"report","kind":"daily","label":"2026-03-18"}', '[]', 'told', 6);
          INSERT INTO user.notification_progress VALUES ('https://a.example', 'daily', '2026-03-18');
          INSERT INTO user.model_list VALUES ('https://a.example', 'models', 'hash', 'wxyz', 5, 1, '[]');
          INSERT INTO user.model VALUES ('https://a.example', 'models', 'a/one', 1, 5, '{"id":"a/one"}');
          INSERT INTO user.model_gone VALUES ('https://a.example', 'models', 'a/two', 3, 5);
          INSERT INTO user.refresh VALUES (1, 'https://a.example', 'models', 5, 1);
          INSERT INTO user.change VALUES (1, 'a/one', 'One', 'price', 'prompt', NULL, '"0.10"', NULL);`,
        isKept: `SELECT
          (SELECT value = '3' FROM user.property) AND
          (SELECT at = 5 AND count = 1 AND state = 'told' AND notified_at = 6 AND target ->> '$.label' = '2026-03-18'
                 AND (SELECT value = '2026-03-18' FROM user.notification_progress WHERE name = 'daily')
                 FROM user.notification WHERE id = 9) AND
          (SELECT wait_since = 8 AND wait_span = 600000 FROM user.service WHERE name = 'https://a.example/') AND
          (SELECT value = 4 AND made = 5 AND epoch = 0 AND device = 0 FROM user.record) AND
          (SELECT held = '[]' AND key_ending = 'wxyz' AND stored_at = 5
                 AND (SELECT body = '{"id":"a/one"}' AND first_seen_at = 5 FROM user.model WHERE id = 'a/one')
                 AND (SELECT first_seen_at = 3 FROM user.model_gone WHERE id = 'a/two')
                 AND (SELECT before = '"0.10"' AND after IS NULL AND other_key = 1
                      FROM user.change JOIN user.refresh ON refresh.id = refresh)
                 FROM user.model_list WHERE owner = 'https://a.example')`,
      },
    ],
  },
];

/** SHA-256 of each without comments. Readers have files of these versions, so a line here never changes. */
const HASHES: Record<Kind['role'], string[]> = {
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

describe.each(KINDS)('the migrations of the database $role', ({ role, rows }) => {
  const schema = schemaOf(role);
  const { name: file, migrations } = FILES[role];

  it('have sample rows for each version', () => {
    expect(rows).toHaveLength(migrations.length);
  });

  it('never change', () => {
    const plain = migrations.map((sql) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim());
    expect(plain.map((sql) => createHash('sha256').update(sql).digest('hex'))).toEqual(HASHES[role]);
  });

  it.each(migrations.map((_, index) => index + 1))('keep what was stored at version %i', (version) => {
    const database = connection();
    migrate(database, schema, migrations.slice(0, version));
    database.exec(rows[version - 1]?.insert ?? '');
    const later = [...migrations, 'CREATE TABLE later (a INTEGER); CREATE INDEX later_a ON later (a)'];
    for (let next = version; next <= later.length; next += 1) migrate(database, schema, later.slice(0, next));
    expect(schemaVersion(database, schema)).toBe(later.length);
    expect(
      database
        .prepare(rows[version - 1]?.isKept ?? '')
        .pluck()
        .all(),
    ).toEqual([1]);
  });

  it('do nothing when they run again', () => {
    const database = connection();
    migrate(database, schema, migrations);
    const before = shape(database, schema);
    migrate(database, schema, migrations);
    expect(shape(database, schema)).toEqual(before);
  });

  it('create tables only in their own file', () => {
    const database = connection();
    migrate(database, schema, migrations);
    for (const other of ['main', 'user']) {
      expect(shape(database, other).length > 0).toBe(other === schema);
    }
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

  it('is used without mirror.db, which is set aside', () => {
    const name = 'mirror.db';
    const folder = folderWith(name);
    const store = openTestStore({ folder });
    expect(store.storageWarnings).toMatchObject([{ file: name, reason: 'newer' }]);
    expect(existsSync(join(folder, store.storageWarnings[0]?.setAsideAs ?? ''))).toBe(true);
    expect(store.queries.items.counts().all.total).toBe(0);
    store.close();
    // Until the reader dismisses it.
    expect(openTestStore({ folder }).storageWarnings).toEqual(store.storageWarnings);
  });
});
