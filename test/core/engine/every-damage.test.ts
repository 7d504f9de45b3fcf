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
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { StorageWarning } from '../../../src-main/contract/model/sync-status.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { PAGE_KINDS, pagesByKind, type PageKind } from '../../support/database-pages.ts';
import { noteFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openOnce, type AtEnd } from '../../support/open-once.ts';
import { isWhole, SEED } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { EVERYTHING, SELECTED, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { recordsIn, exportedIn } from '../../support/user-data.ts';

const FILES = ['mirror.db', 'user.db', 'search.db', 'settings.json'] as const;
type FileName = (typeof FILES)[number];
const PAGE = 4_096;

/** Most random numbers that a kind of damage uses. */
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

/** Damage one page, given the start of the page and a number from 0 to 1. */
const PAGE_DAMAGES = {
  'a flipped bit': (bytes: Buffer, start: number, place: number) => {
    const bit = Math.floor(place * PAGE * 8);
    const at = start + (bit >> 3);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  },
  '16 other bytes': (bytes: Buffer, start: number, place: number) => {
    const at = start + Math.floor(place * (PAGE - 16));
    for (let n = 0; n < 16; n += 1) bytes[at + n] = (bytes[at + n] ?? 0) ^ (0x5a + n);
  },
  'another text': (bytes: Buffer, start: number, place: number) => {
    const page = bytes.toString('latin1', start, start + PAGE);
    const words = [...page.matchAll(/[A-Za-z]{4,}/g)];
    const word = words[Math.floor(place * words.length)];
    if (word) bytes.write([...word[0]].toReversed().join(''), start + word.index, 'latin1');
  },
  zeroed: (bytes: Buffer, start: number) => bytes.fill(0, start, start + PAGE),
  'half zeroed': (bytes: Buffer, start: number) => bytes.fill(0, start + PAGE / 2, start + PAGE),
  exchanged: (bytes: Buffer, start: number, place: number) => {
    const other = PAGE * Math.floor((place * bytes.length) / PAGE);
    const page = Buffer.from(bytes.subarray(start, start + PAGE));
    bytes.copy(bytes, start, other, other + PAGE);
    page.copy(bytes, other);
  },
} as const satisfies Record<string, (bytes: Buffer, start: number, place: number) => void>;

interface PageDamage {
  file: FileName;
  page: PageKind;
  kind: keyof typeof PAGE_DAMAGES;
  /** Which page of this kind, and where in it: from 0 to 1. */
  places: number[];
}

const DATABASES = FILES.filter((name) => name !== 'settings.json');
/** Damages of each file in the long form, and of each kind of page in each way. */
const RUNS_OF_A_FILE = 40;
const RUNS_OF_A_PAGE = 2;

/** Even over all places: those of `fc.double` are nearly all close to 0, so that only the beginning of a file is hit. */
const place = fc.noBias(fc.nat(2 ** 30 - 1)).map((number) => number / 2 ** 30);
const places = fc.array(place, { minLength: PLACES, maxLength: PLACES });

/** Damages with the number of cases; without proofs, every kind with one file, and some more with user.db. */
function damages(): { file: FileName; cases: fc.Arbitrary<Damage>; runs: number }[] {
  const kinds = Object.keys(KINDS) as Damage['kind'][];
  const of = (file: FileName, some: Damage['kind'][], runs: number) => ({
    file,
    cases: fc.record({ file: fc.constant(file), kind: fc.constantFrom(...some), places }),
    runs,
  });
  if (isWhole) return FILES.map((file) => of(file, kinds, RUNS_OF_A_FILE));
  const userKinds = kinds.filter((_, k) => k % FILES.length !== FILES.indexOf('user.db')).slice(0, 2);
  return [
    ...kinds.map((kind, k) => of(FILES[k % FILES.length] ?? 'mirror.db', [kind], 1)),
    ...userKinds.map((kind) => of('user.db', [kind], 1)),
  ];
}

/** Each kind of page in each file, damaged in each way; without proofs, a sample. */
function pageDamages(folder: string): { file: FileName; cases: fc.Arbitrary<PageDamage>; runs: number }[] {
  const kinds = Object.keys(PAGE_DAMAGES) as PageDamage['kind'][];
  const all = DATABASES.flatMap((file) => {
    const pages = pagesByKind(join(folder, file), PAGE);
    return PAGE_KINDS.filter((page) => pages.has(page)).flatMap((page) =>
      kinds.map((kind) => ({
        file,
        cases: fc.record({ file: fc.constant(file), page: fc.constant(page), kind: fc.constant(kind), places }),
        runs: RUNS_OF_A_PAGE,
      })),
    );
  });
  return isWhole ? all : all.filter((_, at) => at % 19 === 0).map((one) => ({ ...one, runs: 1 }));
}

/** Where the first page of a table is in its file: from 0 to 1. */
function rootPlace(path: string, table: string): number {
  const database = new Database(path, { readonly: true });
  const sql = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  const page = database.prepare<[string], number>(sql).pluck().get(table) ?? 1;
  database.close();
  return (page - 0.5) / (readFileSync(path).length / PAGE);
}

function damagePage(folder: string, { file, page, kind, places: [which = 0, where = 0] }: PageDamage): void {
  const path = join(folder, file);
  const pages = pagesByKind(path, PAGE).get(page) ?? [];
  const number = pages[Math.floor(which * pages.length)] ?? 1;
  change(path, (bytes) => void PAGE_DAMAGES[kind](bytes, (number - 1) * PAGE, where));
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

/** More of what is shown, in two parts: what there is, and its texts. */
async function shown(app: TestApp) {
  const rows = await rowsOf(app, EVERYTHING);
  const { stories } = await app.call('stories.list', { which: 'all' });
  const { lines } = await app.call('reports.index', { kind: 'daily' });
  const models = await app.call('models.list', { modelList: 'models' });
  const { searches } = await app.call('saved.list', {});
  const { rules } = await app.call('mutes.list', {});
  const { notes } = await app.call('notes.list', { limit: 100, offset: 0 });
  const found: string[][] = [];
  for (const text of ['model', 'research', 'the', '模型', 'agent'])
    found.push((await rowsOf(app, { ...EVERYTHING, text })).map(({ id }) => id));
  const things = {
    listed: await listed(app),
    marks: await marks(app),
    found,
    rows: rows.map(({ id, effectiveAt, category, score, state }) => ({ id, effectiveAt, category, score, state })),
    stories: stories.map(({ publicId }) => publicId),
    reports: lines.map(({ label }) => label),
    models: models.lines.map(({ id }) => id),
    rules: [searches.length, rules.length, notes.length],
  };
  const texts = {
    rows: rows.map(({ title, originalTitle, summary, source, links, reason }) => ({
      title,
      originalTitle,
      summary,
      source,
      links,
      reason,
    })),
    stories,
    lines,
    models: models.lines,
    searches,
    rules,
    notes,
  };
  return { things, texts };
}

async function marks(app: TestApp) {
  const records = exportedIn((await app.call('data.export', {})).text);
  const ids = (await rowsOf(app, { ...EVERYTHING, state: 'starred' })).map(({ id }) => id);
  return { records: recordsIn(records, 'read', 'star', 'favourite'), starred: ids };
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

/** A closed app with data of every kind, a copy of its folder, and what it showed. */
async function saveWorld(atEnd: AtEnd): Promise<World> {
  const app = await openTestApp({
    atEnd,
    folder: 'temporary',
    content: { selected: 80, unselected: 20, days: 5 },
    gateway: ({ modelsAddress }) => ({ address: modelsAddress, demo: true, from: 'demo' }),
  });
  await app.core.close();
  await start(app);
  await app.call('settings.set', { patch: { theme: 'dark' } });
  await app.call('sync.run', { urgency: 'now' });
  const ids = (await rowsOf(app, SELECTED)).map(({ id }) => id);
  await app.call('items.mark', { ids: ids.slice(0, 10), mark: 'star' });
  await app.call('items.mark', { ids: ids.slice(5, 50), mark: 'read' });
  await app.call('models.favourite', { id: 'lab/one', favourite: true });
  await app.call('saved.add', { name: 'Agents', query: 'agent OR 模型' });
  await app.call('mutes.add', { query: 'sponsored' });
  for (const [n, id] of ids.slice(0, 12).entries())
    await app.call('notes.set', {
      kind: 'item',
      id,
      text: `A note about ${String(n)}. ${'More of it. '.repeat(n * 60)}`,
    });
  await app.call('sync.run', { urgency: 'now' });
  await app.call('data.backUp', {});
  const before = await shown(app);
  await app.core.close();
  const saved = temporaryFolder(atEnd);
  cpSync(app.folder, saved, { recursive: true });
  return { app, saved, before };
}

const savedWorld = openOnce(saveWorld);

describe('a damaged file', () => {
  it('costs no user data, is healed by the second start, and is told until it is dealt with', async () => {
    const world = savedWorld();
    const counts: Counts = { kept: 0, restored: 0, refused: 0, told: 0 };
    const check = (damage: Damage) => expectHealed(world, counts, damage);
    const amounts = new Map<FileName, number>();
    for (const { file, cases, runs } of damages()) {
      await expectHeld(cases, runs, check);
      amounts.set(file, (amounts.get(file) ?? 0) + runs);
    }
    noteFigures({
      what: `damages of files (${[...amounts].map(([file, ran]) => `${file} ${ran}`).join(', ')})`,
      amount: [...amounts.values()].reduce((sum, ran) => sum + ran, 0),
      counts: { ...counts, 'user rows lost': 0 },
    });
  });

  it('is healed, too, if the first call meets the damage and fails', async () => {
    const world = savedWorld();
    const counts: Counts = { kept: 0, restored: 0, refused: 0, told: 0 };
    const counters = rootPlace(join(world.saved, 'mirror.db'), 'counter');
    await expectHealed(world, counts, { file: 'mirror.db', kind: 'a zeroed page', places: [counters] });
    expect(counts).toMatchObject({ kept: 1, told: 1 });
  });
});

describe('a damaged page', () => {
  it('of any kind in any file is healed or told: nothing is wrong without a word', async () => {
    const world = savedWorld();
    const counts: Record<Verdict, number> = {
      'as it was': 0,
      told: 0,
      'other texts without a word': 0,
      'unsound without a word': 0,
    };
    const amounts = new Map<string, number>();
    const unsound: string[] = [];
    expect(await verdictOn(world, null)).toEqual({ verdict: 'as it was', why: '' });
    for (const [at, { file, cases, runs }] of pageDamages(world.saved).entries()) {
      for (const damage of fc.sample(cases, { seed: SEED + at, numRuns: runs })) {
        const { verdict, why } = await verdictOn(world, damage).catch((error: unknown) => ({
          verdict: 'unsound without a word' as const,
          why: String(error),
        }));
        counts[verdict] += 1;
        amounts.set(file, (amounts.get(file) ?? 0) + 1);
        if (verdict === 'unsound without a word') unsound.push(`${JSON.stringify(damage)}: ${why}`);
      }
    }
    noteFigures({
      what: `damages of pages (${[...amounts].map(([file, ran]) => `${file} ${ran}`).join(', ')})`,
      amount: [...amounts.values()].reduce((sum, ran) => sum + ran, 0),
      counts,
    });
    expect(unsound).toEqual([]);
  });
});

type Verdict = 'as it was' | 'told' | 'other texts without a word' | 'unsound without a word';

/** Damages a page, starts, checks and syncs twice, and compares all that is shown with what it was. */
async function verdictOn(
  { app, saved, before }: World,
  damage: PageDamage | null,
): Promise<{ verdict: Verdict; why: string }> {
  await app.core.close();
  replace(app.folder, saved);
  app.clock.advance(1_000);
  if (damage) damagePage(app.folder, damage);
  let told = false;
  for (let times = 0; times < 2; times += 1) {
    await start(app);
    const checked = await app.reply('health.check', {});
    told ||= !checked.ok || checked.value.integrity?.sound !== true;
    await vi.waitUntil(async () => (await app.reply('sync.run', { urgency: 'now' })).ok, { timeout: 20_000 });
    const { storageWarnings } = await app.call('sync.status', {});
    told ||= storageWarnings.length > 0;
    const lost = storageWarnings.find((warning) => warning.file === 'user.db');
    if (lost && times === 0) await app.call('data.restore', { name: lost.backup ?? '' });
    if (times === 0) await app.core.close();
  }
  const after = await shown(app);
  const difference = differenceOf(before.things, after.things);
  if (difference !== '') return { verdict: told ? 'told' : 'unsound without a word', why: difference };
  const inTexts = differenceOf(before.texts, after.texts);
  if (inTexts !== '' && !told) return { verdict: 'other texts without a word', why: inTexts };
  return { verdict: told ? 'told' : 'as it was', why: '' };
}

/** The first members that differ. */
function differenceOf(before: Record<string, unknown>, after: Record<string, unknown>): string {
  const names = Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return names
    .map((name) => `${name}: ${firstOther(JSON.stringify(before[name]), JSON.stringify(after[name]))}`)
    .join('; ');
}

function firstOther(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return `${before.slice(Math.max(0, at - 30), at + 30)} | ${after.slice(Math.max(0, at - 30), at + 30)}`;
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
  before: Awaited<ReturnType<typeof shown>>;
}

/** The warnings after a damage. The call that meets a damaged page fails and has its file replaced; the next one answers. */
async function firstWarnings(app: TestApp): Promise<StorageWarning[]> {
  const reply = await app.reply('sync.status', {});
  if (reply.ok) return reply.value.storageWarnings;
  expect(reply.error.code).toBe('data_unreadable');
  const { storageWarnings } = await app.call('sync.status', {});
  expect(storageWarnings.filter(({ setAsideAs }) => setAsideAs !== null)).not.toEqual([]);
  return storageWarnings;
}

/** Damages a file, starts twice, and looks at everything. */
async function expectHealed({ app, saved, before }: World, counts: Counts, damage: Damage): Promise<void> {
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
  // The first start may be unattended.
  await start(app);
  const first = await firstWarnings(app);
  await app.reply('health.check', {});
  expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
  await app.core.close();
  await start(app);
  await app.reply('health.check', {});
  expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
  expect(await listed(app)).toEqual(before.things.listed);
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
  expect(after).toEqual(before.things.marks);
  for (const { setAsideAs, file: name } of (await app.call('sync.status', {})).storageWarnings)
    await app.reply('data.dismissWarning', { id: setAsideAs ?? name });
  await app.core.close();
  await start(app);
  const left = (await app.call('sync.status', {})).storageWarnings;
  // The warning about a settings file that could not be set aside stays as long as the file.
  expect(left.filter(({ setAsideAs }) => setAsideAs !== null)).toEqual([]);
  expect(existsSync(join(app.folder, 'user.db'))).toBe(true);
}
