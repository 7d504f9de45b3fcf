import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsWith, runPatched, together, type Patches } from '../support/patched-program.ts';
import { isWhole } from '../support/proofs.ts';
import {
  CALLER,
  CLIENT,
  command,
  COMMAND_TABLE,
  COMMANDS,
  ENGINE_METHODS,
  HEALTH,
  HOST_METHODS,
  ITEM_COLUMNS,
  ITEM_SCHEMA,
  itemField,
  KIND_USE,
  LABELS,
  list,
  methodBodies,
  methodCalls,
  methodRows,
  OUTPUT,
  outputFormat,
  placeInHelp,
  READS,
  recordKind,
  recordUse,
  REGISTRY,
  resource,
  RESOURCE_JOB,
  SETTING_TEXTS,
  settingActs,
  settingRow,
  SETTINGS,
  settingTexts,
} from './made-up.ts';

const FIELD = 'A new plain field of an item';
const RESOURCE = 'A new resource';
/** By its heading in docs/recipes.md: what the recipe says to change. */
const RECIPES: Readonly<Record<string, Patches>> = {
  [FIELD]: itemField,
  "A new kind of the reader's data": recordKind,
  'A new output format': outputFormat(),
  'A new method': together([methodRows('read', 'engine', 'host'), methodBodies]),
  'A new setting': together([settingRow('madeUp'), settingTexts('madeUp', 'few', 'many')]),
  'A new command': together([command('note made-up'), command('made-up'), placeInHelp('made-up'), list('made-up')]),
  [RESOURCE]: resource,
};
const followed = together([...Object.values(RECIPES), recordUse, settingActs, methodCalls('{ count: 1 }')]);

/** Lists the paths that a recipe names; they begin below `src-main`. */
function namedIn(heading: string): string[] {
  const [, rest = ''] = readFileSync('docs/recipes.md', 'utf8').split(`## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const paths = section.matchAll(/`((?:contract|common|clients|store|sync|core|demo|render|node)\/[^`]*)`/g);
  return [...paths].map(([, path = '']) => path);
}
/** The two made-up migrations follow each other; each recipe has the first free number. */
const asNamed = (path: string): string =>
  path
    .replace('src-main/', '')
    .replace('mirror-003', 'mirror-002')
    .replace(/(?:launch(?:es)?|made-up)\.ts$/, 'NAME.ts');

const without = (patches: Patches, ...missing: readonly string[]): Patches =>
  Object.fromEntries(Object.entries(patches).filter(([path]) => !missing.includes(path)));

/** Fetches the resource and a page of items, and passes a record to another device, to an import and to a new start. */
const SCRIPT = `
import { join } from 'node:path';
import { readItemsAnswer } from './src-main/clients/news/schemas.ts';
import { DEFAULT_SETTINGS } from './src-main/contract/settings.ts';
import { systemClock } from './src-main/core/system-clock.ts';
import { startDemoService } from './src-main/demo/service.ts';
import { TERMINAL_AUDIENCE, toTerminal } from './src-main/node/commands/document-text.ts';
import { itemDocument } from './src-main/render/item.ts';
import { openStore } from './src-main/store/index.ts';
import { openEngine } from './src-main/sync/engine/engine.ts';
import { engineSettings } from './src-main/sync/engine/types.ts';

const demo = await startDemoService({ clock: systemClock });
const source = { address: demo.newsAddress, demo: true, from: 'demo' };
const setup = {
  dataFolder: join(process.argv[2], 'engine'), source, gateway: null, version: '1', settings: engineSettings(DEFAULT_SETTINGS),
};
const events = [];
const engine = openEngine(setup, { clock: systemClock, log: () => {}, emit: (event) => events.push(event) });
const { resources } = await engine.service['sync.run']({ urgency: 'now', resources: ['launches'] });
const launches = engine.store.queries.launches.list();
const status = (await engine.service['sync.status']({})).resources.find(({ name }) => name === 'launches');
await engine.close();
await demo.close();

const open = (name) => openStore({ folder: join(process.argv[2], name), source: 'https://news.example', now: () => 1_000 });
let one = open('one');
const raw = { id: 'one', title: 'A title', source: { name: 'S' }, links: {}, discoveredAt: '2026-03-18T06:00:00Z' };
const { items } = readItemsAnswer({ count: 1, items: [{ ...raw, madeUp: 'A value\\u0007' }], page: {} });
one.transaction((tx) => items.forEach((item) => tx.items.upsert(item, { kind: 'listed' })));
const item = one.queries.items.get('one');

const bookmarks = [];
const look = (store) => bookmarks.push(store.queries.records.list('bookmark').map(([id]) => id));
const before = one.transaction((tx) => tx.records.setAll('bookmark', [['a', 5], ['b', 6]]));
look(one);
one.transaction((tx) => tx.records.restore(before));
look(one);
one.transaction((tx) => tx.records.turn('bookmark', 'b', 7));
one.transaction((tx) => tx.records.nameDevice('1'.repeat(16)));
one.close();
one = open('one');
look(one);
const device = open('device');
device.transaction((tx) => tx.records.take(one.queries.records.since(0, 100)));
look(device);
const imported = open('imported');
imported.transaction((tx) => tx.userData.take(one.queries.userData.records()));
look(imported);
for (const store of [one, device, imported]) store.close();
const text = toTerminal(itemDocument(item, TERMINAL_AUDIENCE)).toString();
console.log(JSON.stringify({ outcome: resources.launches, launches, rows: status.rows, events, item, text, bookmarks }));
`;

// One program has all of them: to compile it takes longer than what follows.
describe('the recipes', () => {
  it.each(Object.entries(RECIPES))('name the files of: %s', (heading, patches) => {
    const named = namedIn(heading);
    const files = Object.keys(patches).map(asNamed);
    const isNamed = (file: string) =>
      named.some((path) => file === path || file.startsWith(path.replace(/[^/]*\*.*/, '')));
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
    if (heading === RESOURCE) expect(named.filter((path) => /\.ts$/.test(path)).sort()).toEqual(files.sort());
  });

  // To check every file takes as long as all else here.
  const [checked, files] = isWhole ? ['everything', undefined] : ['each changed file', []];
  it(`need no other change: followed together, ${checked} compiles`, () => {
    expect(errorsWith(followed, files)).toEqual([]);
  });

  it('cannot be followed halfway: what lacks its counterpart does not compile', () => {
    const parts = together([
      without(itemField, ITEM_SCHEMA, ITEM_COLUMNS),
      recordUse,
      outputFormat('entry'),
      methodRows('read', 'engine', 'host'),
      methodCalls('{}', "{ count: 'one' }", '{ count: undefined }', '{ count: 1, more: 2 }'),
      settingRow('madeA'),
      together([settingRow('madeB'), settingTexts('madeB', 'few')]),
      together([settingRow('madeC', 'some'), settingTexts('madeC', 'few', 'many')]),
      command('made-a'),
      command('note made-b', '({ other }) => other'),
      command('note made-c', ''),
      list('made-d', 'madeUp'),
      without(resource, CLIENT, REGISTRY, LABELS, HEALTH, READS),
    ]);
    const counterparts = together([methodBodies, settingTexts('madeA', 'few', 'many'), placeInHelp('made-a')]);
    const broken: readonly [Patches, file: string, what: string, times?: number][] = [
      [parts, ITEM_SCHEMA, 'madeUp'],
      [parts, ITEM_COLUMNS, 'madeUp'],
      [parts, KIND_USE, 'bookmark'],
      [parts, OUTPUT, ''],
      [parts, READS, 'made.read'],
      [parts, READS, 'launches.list'],
      [parts, 'src-main/sync/engine/engine.ts', 'made.engine'],
      [parts, HOST_METHODS, 'made.host'],
      [parts, CALLER, '', 12],
      [parts, SETTING_TEXTS, 'madeA'],
      [parts, SETTING_TEXTS, "'many' is missing"],
      [parts, SETTINGS, '"some"'],
      [parts, COMMAND_TABLE, 'made-a'],
      [parts, COMMANDS, "'other' does not exist"],
      [parts, COMMANDS, "'text' is missing"],
      [parts, COMMANDS, '"madeUp"'],
      ...[RESOURCE_JOB, REGISTRY, LABELS, HEALTH].map((file): [Patches, string, string] => [parts, file, 'launches']),
      [counterparts, READS, 'made.read'],
      [counterparts, ENGINE_METHODS, 'made.engine'],
      [counterparts, HOST_METHODS, 'made.host'],
      [counterparts, SETTING_TEXTS, 'madeA'],
      [counterparts, COMMAND_TABLE, 'made-a'],
    ];
    const errors = new Map(
      [parts, counterparts].map((patches) => {
        const files = broken.filter(([one]) => one === patches).map(([, file]) => file);
        return [patches, errorsWith(patches, files)];
      }),
    );
    const silent = broken.filter(([patches, file, what, times]) => {
      const found = (errors.get(patches) ?? []).filter(
        (error) => error.startsWith(`${file}: `) && error.includes(what),
      );
      return times === undefined ? found.length === 0 : found.length !== times;
    });
    expect(silent.map(([, file, what]) => [file, what])).toEqual([]);
  });

  it('lead to what works: a resource is fetched, a field arrives, a record is undone and shared', () => {
    expect(runPatched(followed, SCRIPT)).toMatchObject({
      outcome: { status: 'ok', skipped: 1 },
      launches: [{ id: 'one', title: 'A launch' }],
      rows: 1,
      events: expect.arrayContaining(['launches.changed']) as string[],
      item: { id: 'one', madeUp: 'A value\u0007', extra: {} },
      text: expect.stringContaining('Made up      A value\ufffd') as string,
      bookmarks: [['a', 'b'], [], ['b'], ['b'], ['b']],
    });
  });
});
