import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src-main/contract/settings.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import type { ExportedRecord, UserDataFile } from '../../src-main/contract/user-data.ts';
import { readSettings } from '../../src-main/core/settings/settings-file.ts';
import { listBackups, type Store } from '../../src-main/store/index.ts';
import { pick, seededRandom } from '../store/search/search-items.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { item } from '../support/items.ts';
import { expectSoundFiles } from '../support/killed-sync.ts';
import { isWhole } from '../support/proofs.ts';
import {
  EVERYTHING,
  favouriteModel,
  idsOf,
  mark,
  openTestStore,
  saveWorkload,
  setAliases,
  storeListed,
  undo,
} from '../support/store.ts';
import { idsIn, type RecordKind } from '../support/user-data.ts';

const CHILD = fileURLToPath(new URL('../support/survival-child.ts', import.meta.url));
const SOURCE = 'http://127.0.0.1:9';
const KILLS = isWhole ? 60 : 3;
/** In ms after a process has begun: from nothing done to everything, and rules being matched. */
const LONGEST = 350;
const ITEMS = isWhole ? 3_000 : 700;
const WRITES = 200;
const SEARCHES = ['推理 OR agent', 'source:"Source 3" score:>40', 'is:unread -crypto', '"a phrase"'];

/** Everything that has to survive. */
interface Data {
  records: ExportedRecord[];
  settings: Settings;
}

interface World {
  folder: string;
  /** The content of the folder and of its only backup. */
  now: Data;
  atBackup: ExportedRecord[];
  backup: string;
  /** A complete export of it. */
  file: string;
  /** The counts and hidden items that follow from it. */
  shown: ReturnType<typeof shownBy>;
}

/** Titles and sources of which the rules match some. */
const stored = Array.from({ length: ITEMS }, (_, at) =>
  item({
    id: `item-${String(at)}`,
    title: ['推理模型', 'An agent', 'crypto news', 'A phrase of its own', 'Something'][at % 5]! + ` ${String(at)}`,
    source: { name: `Source ${String(at % 7)}` },
    category: at % 3 === 0 ? 'paper' : 'tip',
    score: at % 100,
  }),
);

/** The lists and counters that follow from saved searches, rules and marks, once everything is matched. */
function shownBy(store: Store) {
  while (store.derive('rules'));
  const { rules, items } = store.queries;
  return {
    saved: rules.savedSearches(),
    mutes: rules.mutes(),
    counts: items.counts(),
    notes: store.queries.notes.keys(),
  };
}

/** A folder in which somebody did everything that can be done. */
function someWorld(random: () => number): World {
  const folder = temporaryFolder();
  const clock = fakeClock();
  const store = openTestStore({ folder, source: SOURCE, clock });
  storeListed(store, stored);
  const some = (count: number): string[] => Array.from({ length: count }, () => pick(random, stored).id);
  const act = (round: string): void => {
    mark(store, some(300), 'read');
    mark(store, some(40), 'star');
    undo(store, mark(store, some(20), 'unread'));
    mark(store, some(10), 'unread');
    store.transaction(({ notes, rules, records, storyStatuses, statuses, now }) => {
      for (const id of some(30)) notes.set({ kind: 'item', id }, `${round} 笔记 ${String(random())}`, { now });
      notes.set({ kind: 'story', id: `story-${round}` }, 'About a story', { now });
      notes.set({ kind: 'report', id: 'daily/2026-03-01' }, `About a daily, ${round}`, { now });
      for (const query of SEARCHES) rules.addSaved({ name: `${query} ${round}`, query, notify: random() < 0.5 }, now);
      rules.addMute(`category:paper source:"Source ${round === 'first' ? '1' : '2'}"`, now);
      for (let n = 0; n < 10; n += 1) rules.addMute(`"${round} phrase ${String(n)}"`, now);
      records.turn('report', `daily/2026-03-0${round === 'first' ? '1' : '2'}`, now);
      storyStatuses.star(`story-${round}`, true, now);
      statuses.markAddress(`https://example.org/${round}`, true, now);
    });
    favouriteModel(store, `vendor/${round}`, true);
    setAliases(store, `vendor/${round}`, [`The ${round}`]);
    saveWorkload(store, { name: round, tokensIn: 1, tokensOut: 2, tokensCached: 0, requestsAMonth: 3 });
    clock.advance(60_000);
  };
  act('first');
  const atBackup = store.queries.userData.records();
  store.backUp();
  act('second');
  const records = store.queries.userData.records();
  const shown = shownBy(store);
  store.close();
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    welcomed: true,
    theme: 'dark',
    density: 'compact',
    keepDays: 400,
    readOnScroll: true,
    recentSearches: ['推理', 'source:"Source 3" is:unread'],
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  const file = join(temporaryFolder(), 'export.json');
  const whole = { format: 'broadsheet-user-data', version: 1, settings, records };
  writeFileSync(file, JSON.stringify(whole));
  const backup = listBackups(folder)[0]?.name ?? '';
  return { folder, now: { records, settings: read(folder) }, atBackup, backup, file, shown };
}

function read(folder: string): Settings {
  return readSettings({ folder, log: () => undefined }).settings;
}

interface Ended {
  /** True if it had finished its work. */
  done: boolean;
  /** Lines it printed meanwhile. */
  lines: string[];
}

/** Runs an operation, and kills the process this many ms after it has begun; null: it ends by itself. */
async function run(folder: string, args: readonly string[], ms: number | null): Promise<Ended> {
  const child = spawn(process.execPath, [CHILD, folder, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said === '' && ms !== null) setTimeout(() => child.kill('SIGKILL'), ms);
    said += text;
    if (ms === null && said.includes('done')) child.stdin.end();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (ms === null) expect(code).toBe(0);
  const lines = said.split('\n').filter((line) => /^\d+$/.test(line));
  return { done: said.includes('done'), lines };
}

/** Reads the remains as the next start finds them, in files without damage. */
function remains(folder: string): Data {
  const store = openTestStore({ folder, source: SOURCE });
  expect(store.storageWarnings).toEqual([]);
  const records = store.queries.userData.records();
  const unread = store.queries.items.counts().all.unread;
  expect(idsOf(store.queries, { ...EVERYTHING, state: 'unread' })).toHaveLength(unread);
  store.close();
  expectSoundFiles(folder);
  return { records, settings: read(folder) };
}

/** Downloads everything again, as far as it isn't there: the same is counted, hidden and listed as before. */
function expectShown(folder: string, shown: World['shown']): void {
  const store = openTestStore({ folder, source: SOURCE });
  storeListed(store, stored);
  expect(shownBy(store)).toEqual(shown);
  store.close();
}

/** Each record is one of those that can be there: nothing is half written, or made up. */
function expectPart({ records }: Data, { records: whole }: Data): void {
  const known = new Set(whole.map((one) => JSON.stringify(one)));
  expect(records.filter((one) => !known.has(JSON.stringify(one)))).toEqual([]);
}

type Kill = (world: World, ms: number) => Promise<void>;

const kills: Record<string, Kill> = {
  async import({ file, now, shown }, ms) {
    const folder = temporaryFolder();
    const { done } = await run(folder, ['import', file], ms);
    const part = remains(folder);
    expectPart(part, now);
    if (done) expect(part).toEqual(now);
    // Again, to the end: nothing is there twice.
    await run(folder, ['import', file], null);
    expect(remains(folder)).toEqual(now);
    expectShown(folder, shown);
  },
  async write({ folder, now }, ms) {
    const { lines } = await run(folder, ['write', String(WRITES)], ms);
    const { records, settings } = remains(folder);
    const written = (...kinds: RecordKind[]): number =>
      new Set(idsIn(records, ...kinds).filter((id) => /^(?:item\/|")?written-/.test(id))).size;
    const counts = [written('note'), written('mute'), written('read', 'star')];
    // Everything that was answered is there, and at most the one that was on its way besides.
    for (const count of counts) expect(count - lines.length === 0 || count - lines.length === 1).toBe(true);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const searches = settings.recentSearches.filter((text) => text.startsWith('written-'));
    expect(searches.length).toBeGreaterThanOrEqual(Math.min(10, lines.length));
    const untouched = (record: ExportedRecord): boolean => !/"?\\?"?written-/.test(JSON.stringify(record));
    expect(records.filter(untouched)).toEqual(now.records);
    expect({ ...settings, recentSearches: [] }).toEqual({ ...now.settings, recentSearches: [] });
  },
  async rebuild({ folder, now, shown }, ms) {
    await run(folder, ['rebuild'], ms);
    expect(remains(folder)).toEqual(now);
    expectShown(folder, shown);
  },
  async restore({ folder, now, atBackup, backup, shown, file }, ms) {
    const { done } = await run(folder, ['restore', backup], ms);
    const { records, settings } = remains(folder);
    // A restore is of what the reader did, not of settings.
    expect(settings).toEqual(now.settings);
    if (done) expect(records).toEqual(atBackup);
    else expect([now.records, atBackup]).toContainEqual(records);
    await run(folder, ['restore', backup], null);
    expect(remains(folder).records).toEqual(atBackup);
    await run(folder, ['import', file], null);
    expect(remains(folder)).toEqual(now);
    expectShown(folder, shown);
  },
  async export({ folder, now }, ms) {
    const file = join(temporaryFolder(), 'mine.json');
    const { done } = await run(folder, ['export', file], ms);
    expect(remains(folder)).toEqual(now);
    // There is a complete file or none.
    expect(existsSync(file) || !done).toBe(true);
    if (!existsSync(file)) await run(folder, ['export', file], null);
    const exported = JSON.parse(readFileSync(file, 'utf8')) as UserDataFile;
    expect({ records: exported.records, settings: exported.settings }).toEqual(now);
  },
};

describe('what a reader did', () => {
  it(`survives ${String(KILLS)} kills during import, writing, rebuild, restore and export`, async () => {
    const random = seededRandom(97);
    const world = someWorld(random);
    // The first ones are the short form.
    const names = Object.keys(kills);
    for (let n = 0; n < KILLS; n += 1) {
      const name = names[n % names.length]!;
      const ms = Math.floor(random() * LONGEST);
      // A copy: each begins with the same.
      const folder = temporaryFolder();
      cpSync(world.folder, folder, { recursive: true });
      await kills[name]!({ ...world, folder }, ms);
    }
  });
});
