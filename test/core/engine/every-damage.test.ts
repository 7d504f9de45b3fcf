import fc from 'fast-check';
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
import { noteFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { EVERYTHING, SELECTED, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const FILES = ['mirror.db', 'user.db', 'models.db', 'fetch-log.db', 'search.db', 'settings.json'] as const;
type FileName = (typeof FILES)[number];
const PAGE = 4_096;

/** A kind of damage uses at most so many random numbers. */
const PLACES = 2;

interface Damage {
  file: FileName;
  kind: keyof typeof KINDS;
  /** Where in the file, or which other file: from 0 to 1. */
  places: number[];
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

/** Damages of each file in the long form: as many as the goals ask for, and some of the others. */
const RUNS: Record<FileName, number> = {
  'mirror.db': 100,
  'user.db': 100,
  'models.db': 30,
  'fetch-log.db': 15,
  'search.db': 15,
  'settings.json': 15,
};

/** What is damaged, with how many cases; without proofs, every kind with one file, and some more with user.db. */
function damages(): { file: FileName; cases: fc.Arbitrary<Damage>; runs: number }[] {
  const kinds = Object.keys(KINDS) as Damage['kind'][];
  const places = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: PLACES,
    maxLength: PLACES,
  });
  const of = (file: FileName, some: Damage['kind'][], runs: number) => ({
    file,
    cases: fc.record({ file: fc.constant(file), kind: fc.constantFrom(...some), places }),
    runs,
  });
  if (isWhole) return FILES.map((file) => of(file, kinds, RUNS[file]));
  const userKinds = kinds.filter((_, k) => k % FILES.length !== FILES.indexOf('user.db')).slice(0, 4);
  return [
    ...kinds.map((kind, k) => of(FILES[k % FILES.length] ?? 'mirror.db', [kind], 1)),
    ...userKinds.map((kind) => of('user.db', [kind], 1)),
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

    const counts: Counts = { kept: 0, restored: 0, refused: 0, told: 0 };
    const world = { app, saved, before, counts };
    const check = (damage: Damage) => expectHealed(world, damage);
    const amounts = new Map<FileName, number>();
    for (const { file, cases, runs } of damages()) {
      const ran = await expectHeld(cases, { runs, limitMs: 5 * 60_000, check });
      amounts.set(file, (amounts.get(file) ?? 0) + ran);
    }
    noteFigures({
      what: `damages of files (${[...amounts].map(([file, ran]) => `${file} ${ran}`).join(', ')})`,
      amount: [...amounts.values()].reduce((sum, ran) => sum + ran, 0),
      counts: { ...counts, 'user rows lost': 0 },
    });
  });
});

/** Actions are numbered again in a restored copy. */
function withoutSequence({ statuses, ...rest }: Awaited<ReturnType<typeof marks>>) {
  return { ...rest, statuses: (statuses as Record<string, unknown>[]).map(({ sequence: _, ...row }) => row) };
}

interface Counts {
  /** user.db was in use again, as it was. */
  kept: number;
  /** user.db was restored from its backup. */
  restored: number;
  /** user.db is of a newer version. */
  refused: number;
  told: number;
}

interface World {
  app: TestApp;
  /** An undamaged copy of the folder. */
  saved: string;
  before: { listed: Awaited<ReturnType<typeof listed>>; marks: Awaited<ReturnType<typeof marks>> };
  counts: Counts;
}

/** Damages a file, starts twice, and looks at everything. */
async function expectHealed({ app, saved, before, counts }: World, damage: Damage): Promise<void> {
  await app.core.close();
  replace(app.folder, saved);
  app.clock.advance(1_000);
  const { file, kind, places } = damage;
  let at = 0;
  KINDS[kind]({ path: join(app.folder, file), folder: app.folder, next: () => places[at++] ?? 0 });
  // Only another version can read it; nothing is changed.
  if (file === 'user.db' && kind === 'of a newer version') {
    const bytes = readFileSync(join(app.folder, file));
    for (let times = 0; times < 2; times += 1) await expect(start(app)).rejects.toMatchObject({ code: 'data_newer' });
    expect(readFileSync(join(app.folder, file))).toEqual(bytes);
    counts.refused += 1;
    return;
  }
  // The first start may be that of a process that nobody looks at.
  await start(app);
  const first = (await app.call('sync.status', {})).storageWarnings;
  await app.reply('health.check', {});
  expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
  await app.core.close();
  await start(app);
  await app.reply('health.check', {});
  expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
  expect(await listed(app)).toEqual(before.listed);
  expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true });

  const warnings = (await app.call('sync.status', {})).storageWarnings;
  const asides = readdirSync(app.folder).filter((name) =>
    /\.(damaged|foreign|not-a-file|newer)-[^/]*Z(-\d+)?$/.test(name),
  );
  expect(warnings.map(({ setAsideAs }) => setAsideAs)).toEqual(expect.arrayContaining(asides));
  for (const warning of first.filter(({ setAsideAs }) => setAsideAs !== null)) expect(warnings).toContainEqual(warning);
  if (warnings.length > 0) counts.told += 1;

  const lost = warnings.find((warning) => warning.file === 'user.db');
  if (lost) {
    expect(lost.backup).toBeDefined();
    await app.call('data.restore', { name: lost.backup ?? '' });
    counts.restored += 1;
  } else counts.kept += 1;
  const after = await marks(app);
  expect(withoutSequence(after)).toEqual(withoutSequence(before.marks));
  for (const { setAsideAs, file: name } of (await app.call('sync.status', {})).storageWarnings)
    await app.reply('data.dismissWarning', { id: setAsideAs ?? name });
  await app.core.close();
  await start(app);
  const left = (await app.call('sync.status', {})).storageWarnings;
  // A settings file that stays in its place is told as long as it is there.
  expect(left.filter(({ setAsideAs }) => setAsideAs !== null)).toEqual([]);
  expect(existsSync(join(app.folder, 'user.db'))).toBe(true);
}
