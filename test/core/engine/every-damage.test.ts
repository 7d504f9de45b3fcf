import Database from 'better-sqlite3';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isWhole } from '../../support/proofs.ts';
import { EVERYTHING, SELECTED, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const FILES = ['mirror.db', 'user.db', 'models.db', 'fetch-log.db', 'search.db', 'settings.json'] as const;
type FileName = (typeof FILES)[number];
const PAGE = 4_096;

interface Damage {
  n: number;
  file: FileName;
  kind: keyof typeof KINDS;
}

/** Reproducible numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed * 7_919 + 1;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  for (let warm = 0; warm < 5; warm += 1) next();
  return next;
}

interface Place {
  path: string;
  folder: string;
  next: () => number;
}

function change(path: string, work: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  work(bytes);
  writeFileSync(path, bytes);
}

const KINDS = {
  'cut to nothing': ({ path }: Place) => truncateSync(path, 0),
  'cut to one byte': ({ path }: Place) => truncateSync(path, 1),
  cut: ({ path, next }: Place) => truncateSync(path, Math.floor(readFileSync(path).length * next())),
  'a flipped bit': ({ path, next }: Place) => {
    change(path, (bytes) => {
      const at = Math.floor(next() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
    });
  },
  'a flipped bit in its first page': ({ path, next }: Place) => {
    change(path, (bytes) => {
      const at = Math.floor(next() * Math.min(bytes.length, PAGE));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
    });
  },
  'a zeroed page': ({ path, next }: Place) => {
    change(path, (bytes) => {
      const start = PAGE * Math.floor((next() * bytes.length) / PAGE);
      bytes.fill(0, start, Math.min(start + PAGE, bytes.length));
    });
  },
  'zeroed as a whole': ({ path }: Place) => change(path, (bytes) => bytes.fill(0)),
  'replaced by a text': ({ path }: Place) => writeFileSync(path, 'This is something else. '.repeat(1_000)),
  'replaced by a database of another program': ({ path }: Place) => {
    rmSync(path);
    const other = new Database(path);
    other.exec('CREATE TABLE recipe (name TEXT); PRAGMA user_version = 1');
    other.close();
  },
  'replaced by another of the files': ({ path, folder, next }: Place) => {
    const others = FILES.filter((name) => !path.endsWith(name));
    cpSync(join(folder, others[Math.floor(next() * others.length)] ?? 'mirror.db'), path);
  },
  'exchanged with another of the databases': ({ path, folder, next }: Place) => {
    const others = FILES.filter((name) => !path.endsWith(name) && name.endsWith('.db'));
    const other = join(folder, others[Math.floor(next() * others.length)] ?? 'mirror.db');
    const [one, two] = [readFileSync(path), readFileSync(other)];
    writeFileSync(path, two);
    writeFileSync(other, one);
  },
  'of a newer version': ({ path }: Place) => {
    if (path.endsWith('.json')) return writeFileSync(path, '{"version": 99, "theme": "dark"}');
    const database = new Database(path);
    database.pragma('user_version = 99');
    database.close();
  },
  'a folder': ({ path }: Place) => {
    rmSync(path);
    mkdirSync(path);
  },
  'a link to nowhere': ({ path }: Place) => {
    rmSync(path);
    symlinkSync('nowhere', path);
  },
  'a link to a folder': ({ path }: Place) => {
    rmSync(path);
    symlinkSync('/', path);
  },
} as const satisfies Record<string, (place: Place) => void>;

/** Every kind with every file twice; without proofs, every kind with one file, and some more with user.db. */
function damages(): Damage[] {
  const kinds = Object.keys(KINDS) as Damage['kind'][];
  const all = kinds.flatMap((kind, k) => FILES.map((file, f) => ({ n: k * FILES.length + f, k, f, file, kind })));
  if (isWhole) return [...all, ...all.map((damage) => ({ ...damage, n: damage.n + all.length }))];
  const some = all.filter(({ k, f }) => k % FILES.length === f);
  return [
    ...some,
    ...all.filter((damage) => damage.file === 'user.db' && !some.includes(damage)).slice(0, 24 - some.length),
  ];
}

/** All that lists, searches and counters show, apart from texts and statuses. */
async function listed(app: TestApp) {
  const ids = async (query: object) => (await rowsOf(app, { ...EVERYTHING, ...query })).map(({ id }) => id);
  const { all, selected } = await app.call('counts.get', {});
  return {
    all: await ids({}),
    selected: await ids(SELECTED),
    found: await ids({ text: 'model' }),
    counts: [all.total, selected.total],
  };
}

async function marks(app: TestApp) {
  const { tables } = JSON.parse((await app.call('data.export', {})).text) as { tables: Record<string, unknown> };
  const ids = (await rowsOf(app, { ...EVERYTHING, state: 'starred' })).map(({ id }) => id);
  return { statuses: tables['item_status'], favourites: tables['model_favourite'], starred: ids };
}

function replace(folder: string, saved: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  cpSync(saved, folder, { recursive: true });
}

/** A new start: settings are read again, too. */
async function start(app: TestApp): Promise<void> {
  const log = app.ports.log;
  Object.assign(app.ports, { settings: openSettingsStore({ folder: app.folder, clock: app.clock, log }) });
  await app.reopen();
}

describe('a damaged file', { timeout: 60 * 60_000 }, () => {
  it('costs no user data, is healed by the second start, and is told until it is dealt with', async () => {
    const app = await openTestApp({ folder: 'temporary', content: { selected: 80, unselected: 20, days: 5 } });
    await app.core.close();
    await start(app);
    await app.call('settings.set', { patch: { theme: 'dark' } });
    await app.call('sync.run', { urgency: 'now' });
    const ids = (await rowsOf(app, SELECTED)).map(({ id }) => id);
    await app.call('items.mark', { ids: ids.slice(0, 10), mark: 'star' });
    await app.call('items.mark', { ids: ids.slice(5, 50), mark: 'read' });
    await app.call('models.favourite', { id: 'lab/one', favourite: true });
    await app.call('data.backUp', {});
    const before = { listed: await listed(app), marks: await marks(app) };
    await app.core.close();
    const saved = temporaryFolder();
    cpSync(app.folder, saved, { recursive: true });

    const counts = { kept: 0, restored: 0, refused: 0, told: 0 };
    for (const damage of damages()) {
      const label = JSON.stringify(damage);
      await app.core.close();
      replace(app.folder, saved);
      app.clock.advance(1_000);
      const { n, file, kind } = damage;
      KINDS[kind]({ path: join(app.folder, file), folder: app.folder, next: random(n) });
      // Only another version can read it; nothing is changed.
      if (file === 'user.db' && kind === 'of a newer version') {
        const bytes = readFileSync(join(app.folder, file));
        for (let times = 0; times < 2; times += 1)
          await expect(start(app)).rejects.toMatchObject({ code: 'data_newer' });
        expect(readFileSync(join(app.folder, file))).toEqual(bytes);
        counts.refused += 1;
        continue;
      }
      // The first start may be that of a process that nobody looks at.
      await start(app);
      const first = (await app.call('sync.status', {})).storageWarnings;
      await app.reply('health.check', {});
      expect(await app.call('sync.run', { urgency: 'now' }), label).toMatchObject({ ok: true });
      await app.core.close();
      await start(app);
      await app.reply('health.check', {});
      expect(await app.call('sync.run', { urgency: 'now' }), label).toMatchObject({ ok: true });
      expect(await listed(app), label).toEqual(before.listed);
      expect((await app.call('health.check', {})).integrity, label).toMatchObject({ sound: true });

      const warnings = (await app.call('sync.status', {})).storageWarnings;
      const asides = readdirSync(app.folder).filter((name) =>
        /\.(damaged|foreign|not-a-file|newer)-[^/]*Z(-\d+)?$/.test(name),
      );
      expect(
        warnings.map(({ setAsideAs }) => setAsideAs),
        label,
      ).toEqual(expect.arrayContaining(asides));
      for (const warning of first.filter(({ setAsideAs }) => setAsideAs !== null))
        expect(warnings, label).toContainEqual(warning);
      if (warnings.length > 0) counts.told += 1;

      const lost = warnings.find((warning) => warning.file === 'user.db');
      if (lost) {
        expect(lost.backup, label).toBeDefined();
        await app.call('data.restore', { name: lost.backup ?? '' });
        counts.restored += 1;
      } else counts.kept += 1;
      const after = await marks(app);
      expect(withoutSequence(after), label).toEqual(withoutSequence(before.marks));
      for (const { setAsideAs, file: name } of (await app.call('sync.status', {})).storageWarnings)
        await app.reply('data.dismissWarning', { id: setAsideAs ?? name });
      await app.core.close();
      await start(app);
      const left = (await app.call('sync.status', {})).storageWarnings;
      // A settings file that stays in its place is told as long as it is there.
      expect(
        left.filter(({ setAsideAs }) => setAsideAs !== null),
        label,
      ).toEqual([]);
      expect(existsSync(join(app.folder, 'user.db')), label).toBe(true);
    }
    process.stdout.write(`damages of every file: ${JSON.stringify(counts)}\n`);
  });
});

/** Actions are numbered again in a restored copy. */
function withoutSequence({ statuses, ...rest }: Awaited<ReturnType<typeof marks>>) {
  return { ...rest, statuses: (statuses as Record<string, unknown>[]).map(({ sequence: _, ...row }) => row) };
}
