// Measures a running app, on a folder that has the mirror already: node test/bench/running.ts ADDRESS FOLDER
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemsQuery } from '../../src-main/contract/model/item.ts';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { versionWord, MARKER, MARKERS } from './data.ts';
import { LoopSteps } from './loop-steps.ts';
import { median, percentile, timed } from './table.ts';
import { ask, openReadingApp, openTestApp } from './test-app.ts';
import { CATEGORY, PAGES, REPEATS, ROUNDS, SEARCHES, WORD, type Readings } from './work.ts';

/** In ms, except `filesWritten`: how many files the rounds without news wrote to. */
export interface AppReadings extends Readings {
  /** Opening the whole app, whose engine starts in its threads. */
  openWithEngine: number;
  filesWritten: number;
}

const ALL: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };
const [address = '', folder = ''] = process.argv.slice(2);

// As `list` and `status` do, without an engine.
const reading = await timed(async () => {
  const opened = await openReadingApp(address, folder);
  await ask(opened, 'items.page', { query: ALL, limit: 50 });
  await ask(opened, 'counts.get', {});
  return opened;
});
await reading.value.close();
const opening = await timed(() => openTestApp(address, folder));
const core = opening.value;
const found = await ask(core, 'items.page', { query: { ...ALL, text: MARKER }, limit: 50 });
if (found.rows.length !== MARKERS)
  throw new Error(`A search finds ${String(found.rows.length)} of ${String(MARKERS)} items.`);
// As in the app, which syncs when it starts: what the first download left to merge in the search index is merged then.
await round();
for (const text of SEARCHES) await search({ text });

const steps = new LoopSteps();
const pages: number[] = [];
const searches: number[] = [];
const filtered: number[] = [];
for (let n = 0; n < REPEATS; n += 1) {
  pages.push(
    ...(await pagesOf({})),
    ...(await pagesOf({ state: 'unread' })),
    ...(await pagesOf({ category: CATEGORY })),
  );
  searches.push(...(await searchAll({})));
  filtered.push(...(await searchAll({ category: CATEGORY })), ...(await searchAll({ state: 'unread' })));
}
const counts = await repeated(50, () => ask(core, 'counts.get', {}));
const count = await repeated(9, () => ask(core, 'items.count', { query: { ...ALL, text: WORD } }));
const step = steps.end();

await round();
const before = states();
const nothing = await repeated(ROUNDS, round);
const after = states();
const filesWritten = [...after].filter(([name, state]) => before.get(name) !== state).length;
process.send?.('ready for changes');
process.once('message', () => {
  void takeChanges().then(async ({ stored, searchable }) => {
    const readings: AppReadings = {
      open: reading.ms,
      openWithEngine: opening.ms,
      page: percentile(pages, 0.95),
      pageP99: percentile(pages, 0.99),
      pageWorst: Math.max(...pages),
      counts: median(counts),
      search: percentile(searches, 0.95),
      searchWorst: Math.max(...searches),
      filtered: percentile(filtered, 0.95),
      filteredWorst: Math.max(...filtered),
      count: median(count),
      nothing: median(nothing),
      changes: stored,
      changesSearchable: searchable,
      longestStep: step.longest,
      p99Step: step.p99,
      filesWritten,
    };
    await core.close();
    process.send?.(readings, () => {
      process.disconnect();
    });
  });
});

async function takeChanges(): Promise<{ stored: number; searchable: number }> {
  const begun = performance.now();
  await round();
  const stored = performance.now() - begun;
  const query = { ...ALL, text: versionWord(1) };
  while ((await ask(core, 'items.page', { query, limit: 50 })).rows.length < MARKERS) await wait(2);
  return { stored, searchable: performance.now() - begun };
}

async function pagesOf(filter: Partial<ItemsQuery>): Promise<number[]> {
  const times: number[] = [];
  let cursor: string | undefined;
  for (let n = 0; n < PAGES; n += 1) {
    const at = cursor;
    const query = { ...ALL, ...filter };
    const page = () => ask(core, 'items.page', { query, limit: 50, ...(at !== undefined && { cursor: at }) });
    const { ms, value } = await timed(page);
    times.push(ms);
    await nextTurn();
    cursor = value.next ?? undefined;
  }
  return times;
}

async function searchAll(filter: Partial<ItemsQuery>): Promise<number[]> {
  const times: number[] = [];
  for (const text of SEARCHES) times.push(...(await repeated(9, () => search({ ...filter, text }))));
  return times;
}

function search(filter: Partial<ItemsQuery>): Promise<unknown> {
  return ask(core, 'items.page', { query: { ...ALL, ...filter }, limit: 50 });
}

function round(): Promise<unknown> {
  return ask(core, 'sync.run', { urgency: 'now', resources: ['selected'] });
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    taken.push((await timed(work)).ms);
    // Lets the loop turn, so that the length of its steps is measured.
    await nextTurn();
  }
  return taken;
}

/** Size and time of change of every database file; without the shared memory, which is no file of data. */
function states(): Map<string, string> {
  const names = readdirSync(folder).filter((name) => /\.db(-wal)?$/.test(name));
  return new Map(
    names.map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return [name, `${String(size)} ${String(mtimeMs)}`];
    }),
  );
}

// The bench was stopped.
process.once('disconnect', () => process.exit());
